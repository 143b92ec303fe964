#pragma once
// What a person edits in the workspace Bank, and the names of the edits.

#include "app/io/tensors/tensor_file.hpp"
#include "app/process/bank_recipe.hpp"
#include "filters/bank_filter.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// A file of weights.
struct WeightsFile {
    std::filesystem::path path;
    std::string bytes;
    std::vector<TensorName> tensors; ///< those that can be weights, by their extents
    std::vector<TensorName> biases;  ///< those of one extent
};
/// Throws Error that names the file.
std::shared_ptr<const WeightsFile> read_weights_file(const std::filesystem::path& path);
/// Names of the tensors of the file that have a number for each filter of this one.
std::vector<std::string> biases_of(const WeightsFile& file, std::string_view tensor);

struct BankEdit {
    std::string filter = "gabor"; ///< id of the preset
    /// Of its parameters; the others have their defaults. At first maps that are computed at once.
    Values values{{"orientations", "4"}, {"wavelength", "4"}};
    std::shared_ptr<const WeightsFile> weights{}; ///< replace the preset; null = the preset
    std::string tensor{};                         ///< of the file
    std::string bias{};                           ///< a tensor of the file; empty = none
    bool channels_last = false;                   ///< of the weights
    std::optional<BankWeights> drawn{};           ///< of one channel; they replace preset and file
    RowsAndColumns stride{};                      ///< u and v
    RowsAndColumns dilation{};                    ///< d and e
    std::optional<RowsAndColumns> padding{};      ///< p and q; empty = as many outputs as numbers
    std::optional<std::int64_t> groups{};         ///< empty = those of BankRecipe
    Border border = Border::zero;                 ///< what the padding holds
    Layout layout = Layout::nchw;                 ///< of an array
    SheetLook look{};

    bool operator==(const BankEdit&) const = default;
};

/// Takes the weights of a tensor, and their bias if the file has it: conv1.bias for conv1.weight, with a
/// number for each filter. Without a file the preset takes their place. They replace what is drawn.
void use_weights(BankEdit& edit, std::shared_ptr<const WeightsFile> file, const std::string& tensor);

/// The preset's text, as after -f.
std::string preset_text(const BankEdit& edit);
/// The value of a parameter: what was set, or the default.
std::string value_of(const BankEdit& edit, const Parameter& parameter);
const BankFilter& filter_of(const BankEdit& edit);

/// Throws Error that names the file of the weights, or the parameter.
BankRecipe recipe_of(const BankEdit& edit);

/// "Gabor wavelength 8 to 12", "Row stride 1 to 2", "Weights conv1.npy".
std::string describe_change(const BankEdit& before, const BankEdit& after);

} // namespace kg
