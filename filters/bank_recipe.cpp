#include "filters/bank_recipe.hpp"

#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "filters/bank_filter.hpp"

#include <utility>

namespace kg {

namespace {

/// The same filters for each of so many channels, with their bias unless it has a number for each map.
void repeat(BankRecipe& recipe, std::int64_t channels) {
    const auto repeat_numbers = [&](std::vector<float>& numbers) {
        const auto one = numbers;
        for (std::int64_t c = 1; c < channels; ++c) numbers.insert(numbers.end(), one.begin(), one.end());
    };
    repeat_numbers(recipe.weights.numbers);
    if (std::ssize(recipe.bias) == recipe.weights.filters) repeat_numbers(recipe.bias);
    recipe.weights.filters *= channels;
}

std::string count_text(std::int64_t count, std::string_view noun) {
    return counted(static_cast<std::size_t>(count), noun);
}

/// Throws Error unless the weights have the channels of a group of the input.
void expect_channels(const BankWeights& weights, std::int64_t groups, std::int64_t channels, bool has_alpha) {
    if (channels % groups != 0)
        throw Error("groups-do-not-divide", "{} do not divide the {} of the input",
                    count_text(groups, "group"), count_text(channels, "channel"));
    if (weights.channels * groups == channels) return;
    std::string remedy = "give weights of as many, or of one for every channel by itself";
    if (const auto fitting = channels / weights.channels;
        fitting * weights.channels == channels && weights.filters % fitting == 0)
        remedy = "they fit in " + count_text(fitting, "group");
    else if (weights.channels == 1) remedy = "without groups they are for every channel by itself";
    throw Error("weights-do-not-fit", "the weights have {}{}, and the input has {}{}; {}",
                count_text(weights.channels, "channel"),
                groups > 1 ? " in each of " + count_text(groups, "group") : "", channels,
                has_alpha ? ", one of which is alpha" : "", remedy);
}

} // namespace

BankWeights weights_of_preset(const std::string& text) {
    const auto [filter, values] = parse_bank_filter(text);
    auto design = filter->build(values);
    return {design.filters, 1, design.kernel, std::move(design.weights), std::move(design.names)};
}

Padding same_padding(Extent kernel, const RowsAndColumns& dilation) {
    const auto rows = (kernel.height - 1) * dilation.rows, columns = (kernel.width - 1) * dilation.columns;
    return {rows / 2, columns / 2, rows - rows / 2, columns - columns / 2};
}

BankRequest bank_request(BankRecipe recipe, const BatchShape& shape, bool has_alpha) {
    auto& weights = recipe.weights;
    BankRequest request;
    request.groups = recipe.groups.value_or(1);
    if (!recipe.groups && weights.channels == 1 && shape.channels > 1) {
        repeat(recipe, shape.channels);
        request.groups = shape.channels;
    }
    expect_channels(weights, request.groups, shape.channels, has_alpha);
    request.size = shape.size;
    request.items = shape.items;
    request.channels = shape.channels;
    request.filters = weights.filters;
    request.kernel = weights.kernel;
    request.weights = std::move(weights.numbers);
    request.bias = std::move(recipe.bias);
    request.stride = recipe.stride;
    request.dilation = recipe.dilation;
    request.border = recipe.border;
    request.outside = recipe.outside;
    request.tolerance = recipe.tolerance;
    request.padding = recipe.padding ? *recipe.padding : same_padding(request.kernel, request.dilation);
    validate(request);
    return request;
}

} // namespace kg
