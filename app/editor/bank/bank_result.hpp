#pragma once
// A batch, what a bank of filters makes of it, and how that is shown.

#include "app/editor/bank/bank_edit.hpp"
#include "app/editor/bank/bank_explanation.hpp"
#include "app/process/bank_job.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kg {

/// Open images of one size, an array, or the generated sample.
struct BankSource {
    std::vector<std::filesystem::path> paths; ///< empty = the sample
    std::string title;
    std::optional<TensorData> array; ///< of a file of one
    Batch images;                    ///< without an array
};
/// The generated sample.
std::shared_ptr<const BankSource> sample_bank_source();
/// Throws Error that names the file.
std::shared_ptr<const BankSource> read_bank_source(const std::vector<std::filesystem::path>& paths);
/// Of an array in this layout. Throws Error.
Batch batch_of(const BankSource& source, Layout layout);

/// Maps that are shown; of more, the first ones.
inline constexpr std::int64_t kMostShownMaps = 256;
/// Pixels of the longer direction of a shown map.
inline constexpr std::int64_t kMostMapPixels = 512;

struct BankResult {
    std::shared_ptr<const BankSource> source;
    BankEdit edit;
    std::shared_ptr<const Batch> opened; ///< in the layout of the edit
    std::shared_ptr<const Batch> before; ///< `opened`, or without_alpha() of it
    BankRequest request;
    std::shared_ptr<const BankOutcome> outcome;
    std::string notice; ///< why another engine computed; may be empty

    std::vector<std::string> names; ///< of the kernels of a preset, in their order; else none
    std::int64_t kernels = 0;       ///< before they are repeated for every channel by itself

    /// RGBA8, of the items of the maps: as they look for up to four channels, else of their first channel.
    std::shared_ptr<const std::vector<std::shared_ptr<const Image>>> inputs;
    /// RGBA8, of the first kMostShownMaps maps, item by item; large ones
    /// shrunken, small ones enlarged().
    std::vector<std::shared_ptr<const Image>> maps;
    std::vector<MapRange> ranges; ///< of all maps

    std::int64_t map_count() const { return outcome->result.shape.items * outcome->result.shape.channels; }
    /// The index of a map's item.
    std::int64_t item_of(std::int64_t map) const { return map / request.filters; }
    /// "45 deg, 8 px, red", "Kernel 3, channel 7", of several items "Item 0, L5E5": by preset and channel
    /// where they have names, else by numbers.
    std::string title_of(std::int64_t map) const { return kernel_title(map) + channel_title(map); }
    /// "45 deg, 8 px", "Kernel 3"; of several items with the item.
    std::string kernel_title(std::int64_t map) const;
    /// ", red", ", channel 7"; empty unless each of several channels has maps of its own.
    std::string channel_title(std::int64_t map) const;
};

struct BankJob {
    std::shared_ptr<const BankSource> source;
    BankEdit edit;
    EngineOptions engines;
    std::shared_ptr<const BankResult> latest; ///< what did not change is taken from it; may be null
};

/// Throws the errors of the recipe and of the engines, and Cancelled.
std::shared_ptr<const BankResult> compute(const BankJob& job, const std::stop_token& stop);

} // namespace kg
