#pragma once
// One image through a recipe: what is asked for, and what came of it, the same for commands, batches, bands
// and the files that the window writes. What the window shows is in app/editor/worker/result.hpp.

#include "app/io/image_file.hpp"
#include "app/process/clipping/clipping.hpp"
#include "app/process/engine/engines.hpp"
#include "app/process/stage_times.hpp"
#include "core/plan/planner.hpp"
#include "filters/recipe.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

struct JobOptions {
    Recipe recipe{};
    EngineChoice choice{};   ///< set once the engine is known
    std::string algorithm{}; ///< forced; empty = any
    ReadOptions read{};
    WriteOptions write{}; ///< the metadata are those of each image
};

/// Each stage sets the fields that it knows.
struct JobOutcome {
    Image image{}; ///< the result; empty once it is written
    Extent size{};
    PixelFormat pixels{};                    ///< the output's format
    std::shared_ptr<Engine> engine{};        ///< engine that computed it
    std::string algorithm, reason;           ///< the algorithm that ran, and why
    bool opaque = false;                     ///< alpha is full everywhere: no alpha weighting
    std::string notice;                      ///< why it was done in parts, or by the fallback; may be empty
    std::int64_t parts = 1;                  ///< number of parts; more than one if memory is short
    std::int64_t bands = 1;                  ///< number of bands of rows
    Report report;                           ///< spans "upload", "filter", "download"
    std::string input_format, output_format; ///< ids
    std::vector<std::string> notes;          ///< what was converted, left out or not done as asked
    std::string damage;                      ///< why the input is incomplete; empty = complete
    std::optional<Clipping> clipping{};      ///< counted in sampled pixels; empty = not known
    StageTimes seconds{};

    /// Takes over a later stage: notes and times are added, everything else is replaced except formats,
    /// damage and `opaque` where the later stage does not know them.
    void add(JobOutcome&& later);
    /// Appends the notice to the notes, if there is one.
    void add_notice();
};

/// Waits for the result, which is computed in parts if the engine's memory is short (core/plan/parts.hpp).
/// Throws what the planner or the engine throws, and Cancelled when stopped.
/// The result lies in memory of the source as far as it goes; null: in the usual memory.
JobOutcome run_job(const EngineChoice& choice, const ImageRequest& request, const ConstImageView& image,
                   std::string_view force = {}, const std::stop_token& stop = {},
                   ImageMemorySource* memory = nullptr);
/// On this engine only.
JobOutcome run_job(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                   const ConstImageView& image, std::string_view force = {},
                   const std::stop_token& stop = {});

} // namespace kg
