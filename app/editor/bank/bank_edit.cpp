#include "app/editor/bank/bank_edit.hpp"

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

std::string changed_text(const std::string& what, std::string_view from, std::string_view to) {
    return what + " " + std::string(from) + " to " + std::string(to);
}

/// Of two numbers the one that changed.
std::optional<std::string> pair_change(const char* of_rows, const char* of_columns,
                                       const RowsAndColumns& before, const RowsAndColumns& after) {
    if (before.rows != after.rows)
        return changed_text(of_rows, std::to_string(before.rows), std::to_string(after.rows));
    if (before.columns != after.columns)
        return changed_text(of_columns, std::to_string(before.columns), std::to_string(after.columns));
    return std::nullopt;
}

std::string padding_change(const BankEdit& before, const BankEdit& after) {
    if (!after.padding) return "Padding same";
    if (before.padding)
        if (const auto text = pair_change("Row padding", "Column padding", *before.padding, *after.padding))
            return *text;
    return "Padding " + std::to_string(after.padding->rows) + ", " + std::to_string(after.padding->columns);
}

std::string groups_text(const std::optional<std::int64_t>& groups) {
    return groups ? std::to_string(*groups) : "automatic";
}

/// "conv1.bias" of conv1.weight, "bias" of weight.
std::string bias_name(std::string_view tensor) {
    if (tensor == "weight") return "bias";
    return std::string(tensor.substr(0, tensor.rfind('.'))) + ".bias";
}

std::string title_of(const BankEdit& edit) {
    if (edit.drawn) return "drawn kernels";
    return edit.weights ? safe_name(edit.weights->path.filename()) : std::string(filter_of(edit).title);
}

/// Of kernels that are drawn in both.
std::string drawn_change(const BankWeights& before, const BankWeights& after) {
    if (before.filters != after.filters)
        return changed_text("Kernels", std::to_string(before.filters), std::to_string(after.filters));
    if (before.kernel.height != after.kernel.height)
        return changed_text("Rows of the kernels", std::to_string(before.kernel.height),
                            std::to_string(after.kernel.height));
    if (before.kernel.width != after.kernel.width)
        return changed_text("Columns of the kernels", std::to_string(before.kernel.width),
                            std::to_string(after.kernel.width));
    const auto differs = std::ranges::mismatch(before.numbers, after.numbers).in1 - before.numbers.begin();
    return "Weights of kernel " + std::to_string(differs / (after.kernel.width * after.kernel.height));
}

} // namespace

std::shared_ptr<const WeightsFile> read_weights_file(const std::filesystem::path& path) {
    const ReadLimits limits{.whole_files = true, .of = "tensors"};
    WeightsFile file{path, read_file(path, limits), {}, {}};
    const auto what = quoted(path);
    for (auto& tensor : tensor_names(file.bytes, what))
        if (const auto extents = tensor.shape.size(); tensor.name.empty() || (extents >= 2 && extents <= 4))
            file.tensors.push_back(std::move(tensor));
        else if (extents == 1) file.biases.push_back(std::move(tensor));
    if (file.tensors.empty())
        throw Error("no-weights", "{}: no tensor in it has 2, 3 or 4 extents, as weights have", what);
    // The weights of a convolution first: they have 4 extents.
    std::ranges::stable_partition(file.tensors,
                                  [](const TensorName& tensor) { return tensor.shape.size() == 4; });
    const auto made = std::make_shared<const WeightsFile>(std::move(file));
    // An unreadable file is refused here, and not where it is used.
    weights_of(read_tensor(made->bytes, what, "filter bank", made->tensors.front().name), false, what);
    return made;
}

std::vector<std::string> biases_of(const WeightsFile& file, std::string_view tensor) {
    const auto weights = std::ranges::find(file.tensors, tensor, &TensorName::name);
    if (weights == file.tensors.end() || weights->shape.empty()) return {};
    const auto filters = weights->shape.size() == 2 ? 1 : weights->shape.front(); // as weights_of() has it
    std::vector<std::string> names;
    for (const auto& bias : file.biases)
        if (bias.shape.front() == filters) names.push_back(bias.name);
    return names;
}

void use_weights(BankEdit& edit, std::shared_ptr<const WeightsFile> file, const std::string& tensor) {
    edit.weights = std::move(file);
    edit.tensor = tensor;
    edit.bias.clear();
    edit.drawn.reset();
    if (!edit.weights) return;
    const auto biases = biases_of(*edit.weights, tensor);
    if (const auto own = std::ranges::find(biases, bias_name(tensor)); own != biases.end()) edit.bias = *own;
}

const BankFilter& filter_of(const BankEdit& edit) {
    return **std::ranges::find(bank_filters(), std::string_view(edit.filter), &BankFilter::id);
}

std::string preset_text(const BankEdit& edit) {
    std::string text = edit.filter;
    for (const auto& [id, value] : edit.values) text += ":" + id + "=" + value;
    return text;
}

std::string value_of(const BankEdit& edit, const Parameter& parameter) {
    const auto given = edit.values.find(parameter.id);
    return given != edit.values.end() ? given->second : std::string(parameter.preset);
}

BankRecipe recipe_of(const BankEdit& edit) {
    BankRecipe recipe;
    if (edit.drawn) {
        recipe.weights = *edit.drawn;
    } else if (edit.weights) {
        const auto what = quoted(edit.weights->path);
        recipe.weights = weights_of(read_tensor(edit.weights->bytes, what, "filter bank", edit.tensor),
                                    edit.channels_last, what);
        if (!edit.bias.empty())
            recipe.bias = read_tensor(edit.weights->bytes, what, "bias", edit.bias).numbers;
    } else {
        recipe.weights = weights_of_preset(preset_text(edit));
    }
    recipe.stride = edit.stride;
    recipe.dilation = edit.dilation;
    recipe.groups = edit.groups;
    recipe.padding.reset();
    if (edit.padding)
        recipe.padding = {edit.padding->rows, edit.padding->columns, edit.padding->rows,
                          edit.padding->columns};
    recipe.border = edit.border;
    return recipe;
}

std::string describe_change(const BankEdit& before, const BankEdit& after) {
    if (before.drawn && after.drawn && before.drawn != after.drawn)
        return drawn_change(*before.drawn, *after.drawn);
    if (after.drawn && !before.drawn) return "Draw the kernels";
    if (before.drawn && !after.drawn && !after.weights && before.filter == after.filter)
        return "Back to " + title_of(after);
    if (before.weights != after.weights)
        return after.weights ? "Weights " + title_of(after) : "Back to " + title_of(after);
    if (before.filter != after.filter) return changed_text("Preset", title_of(before), title_of(after));
    for (const auto& parameter : filter_of(after).parameters)
        if (const auto from = value_of(before, parameter), to = value_of(after, parameter); from != to)
            return changed_text(title_of(after) + " " + std::string(parameter.id), from, to);
    if (before.tensor != after.tensor) return "Tensor " + after.tensor;
    if (before.bias != after.bias) return after.bias.empty() ? "No bias" : "Bias " + after.bias;
    if (before.channels_last != after.channels_last)
        return std::string("Weights ") + (after.channels_last ? "krsc" : "kcrs");
    if (const auto text = pair_change("Row stride", "Column stride", before.stride, after.stride))
        return *text;
    if (const auto text = pair_change("Row dilation", "Column dilation", before.dilation, after.dilation))
        return *text;
    if (before.padding != after.padding) return padding_change(before, after);
    if (before.groups != after.groups)
        return changed_text("Groups", groups_text(before.groups), groups_text(after.groups));
    if (before.border != after.border) return changed_text("Border", name(before.border), name(after.border));
    if (before.layout != after.layout) return changed_text("Layout", name(before.layout), name(after.layout));
    if (before.look.colours != after.look.colours)
        return changed_text("Colours", name(before.look.colours), name(after.look.colours));
    if (before.look.scale != after.look.scale)
        return changed_text("Scale", name(before.look.scale), name(after.look.scale));
    return "Edit";
}

} // namespace kg
