#pragma once
// What `kernelglass bank` does to a batch, from its flags or from the window: weights or a preset, and how
// they are applied.

#include "app/io/tensors/tensor_file.hpp"
#include "app/process/bank_job.hpp"
#include "app/process/command_text.hpp"
#include "app/process/contact_sheet.hpp"
#include "app/process/engine/engines.hpp"
#include "core/image/batch.hpp"
#include "core/request/bank_request.hpp"
#include "filters/bank_recipe.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// An array of 4 extents, K C R S or K R S C (`channels_last`), of 3 without channels, or of 2 for one
/// filter. Throws Error that begins with `what`.
BankWeights weights_of(const TensorData& tensor, bool channels_last, const std::string& what);

/// The batch without the alpha of its images, where the weights are of the colour alone: those that have as
/// many channels as the colour, and those for every channel by itself if alpha is opaque everywhere. Empty if
/// all channels are summed.
std::optional<Batch> without_alpha(const Batch& batch, const BankRecipe& recipe);
/// What is reported of it.
inline constexpr std::string_view kWithoutAlpha = "the maps are those of the colour: alpha is left out";

/// Chooses the engine, computes, and falls back. `notice` receives why another engine computed; it may stay
/// empty. Throws the errors of both engines, and Cancelled.
BankOutcome run_banks(const EngineOptions& engines, const BankRequest& request, const Batch& batch,
                      bool verify, const std::stop_token& stop, std::string& notice);

/// An output whose name ends in .npy or .safetensors is an array, any other a contact sheet.
bool is_array_name(const std::filesystem::path& out);
/// The bytes of the output file: the result of the request for a batch. Throws Error.
std::string bank_file_bytes(const std::filesystem::path& out, const BankRequest& request, const Batch& batch,
                            const Batch& result, const SheetLook& look);

struct BankCommand {
    std::vector<std::filesystem::path> in; ///< empty = the generated sample, which the command then writes
    std::filesystem::path out;
    std::string filter{};               ///< a preset as text; empty = `weights`
    std::filesystem::path weights{};    ///< a file
    std::string tensor{};               ///< its name in a file of several
    std::optional<BankWeights> drawn{}; ///< in place of both: they are written to a file of `folder`
    std::string bias{};                 ///< name of a tensor of the same file; empty = none
    bool channels_last = false;         ///< of the weights
    RowsAndColumns stride{}, dilation{};
    std::optional<RowsAndColumns> padding{}; ///< rows and columns; empty = same
    std::optional<std::int64_t> groups{};    ///< as in BankRecipe
    Border border = Border::zero;
    Layout layout = Layout::nchw;
    SheetLook look{};
    EngineOptions engine{};
    std::filesystem::path folder{}; ///< of weights that are drawn
};

/// `kernelglass bank IN... -o OUT` with absolute paths and the flags that are needed.
CommandText command_text(const BankCommand& command);

} // namespace kg
