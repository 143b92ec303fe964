#include "app/process/engine/tensor_run.hpp"
#include "core/image/batch.hpp"
#include "core/plan/planner.hpp"
#include "core/request/bank_request.hpp"
#include "core/support/error.hpp"
#include "filters/bank_recipe.hpp"
#include "filters/recipe.hpp"
#include "python/module/array.hpp"
#include "python/module/engines.hpp"
#include "python/module/tensors.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace kg::python {

namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

Layout parse_layout(std::string_view word) {
    for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn})
        if (name(layout) == word) return layout;
    throw Error("unknown-choice", "\"{}\" is not a layout; it is one of nchw, nhwc, chwn", word);
}

/// Throws Error unless it is an array of 4 dimensions without gaps, of f32 in host memory.
void check_dense(const Array& array, std::string_view what) {
    std::int64_t stride = sizeof(float);
    const auto shape = array.shape();
    bool dense = shape.size() == 4 && !array.is_on_gpu() && array.element() == Element::f32;
    for (std::size_t i = shape.size(); dense && i-- > 0; stride *= shape[i])
        dense = shape[i] >= 1 && (shape[i] == 1 || array.strides()[i] == stride);
    if (!dense)
        throw Error(
            "array-type",
            "{} has shape {}; it must have 4 dimensions and contiguous float32 numbers in host memory", what,
            array.shape_text());
}

BatchShape batch_shape(const Array& array, Layout layout) {
    const auto s = array.shape();
    switch (layout) {
    case Layout::nchw: return {s[0], s[1], {s[3], s[2]}};
    case Layout::nhwc: return {s[0], s[3], {s[2], s[1]}};
    case Layout::chwn: return {s[3], s[0], {s[2], s[1]}};
    }
    return {};
}

nb::tuple shape_tuple(const BatchShape& shape, Layout layout) {
    const auto [w, h] = shape.size;
    switch (layout) {
    case Layout::nchw: return nb::make_tuple(shape.items, shape.channels, h, w);
    case Layout::nhwc: return nb::make_tuple(shape.items, h, w, shape.channels);
    case Layout::chwn: return nb::make_tuple(shape.channels, h, w, shape.items);
    }
    return nb::make_tuple();
}

BankWeights weights_of(nb::handle object) {
    std::string preset;
    if (PyUnicode_Check(object.ptr()) && nb::try_cast(object, preset)) return weights_of_preset(preset);
    const Array array(object, "the weights");
    check_dense(array, "the weights");
    const auto s = array.shape();
    BankWeights weights{s[0], s[1], {s[3], s[2]}, {}};
    weights.numbers.resize(static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3]));
    std::memcpy(weights.numbers.data(), array.data(), weights.numbers.size() * sizeof(float));
    return weights;
}

nb::object filter_bank(nb::handle object, BankRecipe recipe, nb::handle empty_like, Layout layout,
                       std::string_view engine_name, std::string_view algorithm) {
    const Array array(object, "the batch");
    check_dense(array, "the batch");
    const auto shape = batch_shape(array, layout);
    const auto request = bank_request(std::move(recipe), shape);
    const auto engine = engine_for_tensors(engine_name);
    const BatchShape out{shape.items, request.filters, output_size(request)};
    auto result = empty_like(object, nb::cast(name(Element::f32)), shape_tuple(out, layout));
    const Array target(result, "the result");
    std::vector<TensorItem> items;
    for (std::int64_t n = 0; n < shape.items; ++n)
        items.push_back({batch_item(reinterpret_cast<const float*>(array.data()), shape, layout, n),
                         batch_item(reinterpret_cast<float*>(target.data()), out, layout, n)});
    const nb::gil_scoped_release released;
    run_tensors(*engine, plan(*engine, request, algorithm), items, {});
    return result;
}

} // namespace

void bind_banks(nb::module_& module) {
    using Text = std::optional<std::string_view>;
    module.def(
        "bank",
        [](nb::handle batch, nb::handle weights, nb::handle empty_like, std::vector<float> bias, Pair stride,
           Pair dilation, std::optional<Pair> padding, std::optional<std::int64_t> groups,
           std::string_view border, std::string_view layout, double tolerance, std::string_view engine,
           Text algorithm) {
            BankRecipe recipe{weights_of(weights)};
            recipe.bias = std::move(bias);
            recipe.stride = {stride.first, stride.second};
            recipe.dilation = {dilation.first, dilation.second};
            if (padding)
                recipe.padding = Padding{padding->first, padding->second, padding->first, padding->second};
            else recipe.padding.reset();
            recipe.groups = groups;
            const auto [mode, colour] = parse_border_and_colour(border);
            recipe.border = mode;
            recipe.outside = colour[0];
            recipe.tolerance = tolerance;
            return filter_bank(batch, std::move(recipe), empty_like, parse_layout(layout), engine,
                               algorithm.value_or(""));
        },
        nb::arg("batch"), nb::arg("weights"), nb::arg("empty_like"), nb::arg("bias"), nb::arg("stride"),
        nb::arg("dilation"), nb::arg("padding").none(), nb::arg("groups").none(), nb::arg("border"),
        nb::arg("layout"), nb::arg("tolerance"), nb::arg("engine"), nb::arg("algorithm").none());
}

} // namespace kg::python
