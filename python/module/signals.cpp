#include "app/process/engine/tensor_run.hpp"
#include "core/plan/planner.hpp"
#include "core/request/signal_request.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"
#include "filters/signal_filter.hpp"
#include "python/module/array.hpp"
#include "python/module/engines.hpp"
#include "python/module/tensors.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace kg::python {

namespace {

SignalMode parse_mode(std::string_view word) {
    for (const auto mode : {SignalMode::full, SignalMode::same, SignalMode::valid})
        if (name(mode) == word) return mode;
    throw Error("unknown-choice", "\"{}\" is not a mode; it is one of full, same, valid", word);
}

/// A tap in the type of the samples. Throws Error for a fraction where they are integers.
template <typename T>
T tap_of(double tap) {
    if constexpr (std::is_integral_v<T>)
        if (tap != std::trunc(tap) || std::fabs(tap) > 0x1p53)
            throw Error(
                "taps-not-whole",
                "the samples are integers, so the taps must be whole numbers, and {} is none; convert "
                "the samples to floats",
                tap);
    return static_cast<T>(tap);
}

SignalTaps taps_of(const std::vector<double>& taps, Element element) {
    const auto as = [&]<typename T>(T) -> SignalTaps {
        std::vector<T> own;
        own.reserve(taps.size());
        for (const double tap : taps) own.push_back(tap_of<T>(tap));
        return own;
    };
    switch (element) {
    case Element::f32: return as(float{});
    case Element::f64: return as(double{});
    case Element::i32: return as(std::int32_t{});
    case Element::i64: return as(std::int64_t{});
    case Element::i8:
    case Element::u8:
    case Element::i16:
    case Element::u16:
    case Element::f16: break;
    }
    throw Error("array-type",
                "the signals have numbers of type {}; samples are f32, f64, i32 or i64: convert them with "
                "astype()",
                name(element));
}

std::vector<double> listed_taps(nb::handle object) {
    std::vector<double> taps;
    for (const auto item : nb::iter(object)) {
        taps.push_back(PyFloat_AsDouble(item.ptr()));
        if (PyErr_Occurred()) throw nb::python_error();
    }
    return taps;
}

/// A view of rows of samples, whose strides are not negative.
ConstTensorView signals_of(const Array& array) {
    const auto shape = array.shape(), strides = array.strides();
    return {array.data(),
            {array.element(), 1, static_cast<std::size_t>(strides[1]), 0},
            static_cast<std::size_t>(strides[0]),
            {shape[1], shape[0]}};
}

struct SignalOptions {
    double rate;
    std::optional<std::string_view> mode, border;
    std::optional<std::int64_t> anchor;
    bool flip;
    std::int64_t dilation, stride;
    std::string_view engine, algorithm;
};

SignalRequest signal_request(nb::handle taps, const Array& signals, const SignalOptions& options) {
    SignalRequest request;
    std::string_view preset;
    if (PyUnicode_Check(taps.ptr()) && nb::try_cast(taps, preset)) {
        const auto [filter, values] = parse_signal_filter(preset);
        const auto design = filter->build(values, options.rate, signals.shape()[1]);
        request.taps = taps_of(design.taps, signals.element());
        request.mode = design.mode;
        request.flip = design.flip;
        request.border = design.border;
        request.anchor = design.anchor;
    } else {
        request.taps = taps_of(listed_taps(taps), signals.element());
    }
    request.samples = signals.shape()[1];
    request.signals = signals.shape()[0];
    if (options.mode) request.mode = parse_mode(*options.mode);
    if (request.mode != SignalMode::same) { // those of a preset
        request.border = Border::zero;
        request.anchor.reset();
    }
    if (options.border) {
        const auto [border, colour] = parse_border_and_colour(*options.border);
        request.border = border;
        request.outside = static_cast<double>(colour[0]);
    }
    if (options.anchor) request.anchor = options.anchor;
    request.flip = request.flip || options.flip;
    request.dilation = options.dilation;
    request.stride = options.stride;
    validate(request);
    return request;
}

nb::object filter_signals(nb::handle object, nb::handle taps, nb::handle empty_like,
                          const SignalOptions& options) {
    const Array signals(object, "the signals");
    if (signals.is_on_gpu() || signals.shape().size() != 2 || signals.shape()[0] < 1 ||
        signals.shape()[1] < 1)
        throw Error(
            "array-dimensions",
            "the signals have shape {}; they are rows of samples in host memory, at least one of each",
            signals.shape_text());
    const auto request = signal_request(taps, signals, options);
    const auto engine = engine_for_tensors(options.engine);
    const auto outputs = output_count(request);
    auto result = empty_like(object, nb::cast(name(signals.element())),
                             nb::make_tuple(signals.shape()[0], outputs));
    const Array target(result, "the result");
    const auto to = signals_of(target);
    const TensorItem item{signals_of(signals),
                          {const_cast<std::byte*>(to.data), to.format, to.pitch, to.size}};
    const nb::gil_scoped_release released;
    run_tensors(*engine, plan(*engine, request, options.algorithm), std::span(&item, 1), {});
    return result;
}

} // namespace

void bind_signals(nb::module_& module) {
    using Text = std::optional<std::string_view>;
    module.def(
        "signal",
        [](nb::handle signals, nb::handle taps, nb::handle empty_like, double rate, Text mode, Text border,
           std::optional<std::int64_t> anchor, bool flip, std::int64_t dilation, std::int64_t stride,
           std::string_view engine, Text algorithm) {
            return filter_signals(
                signals, taps, empty_like,
                {rate, mode, border, anchor, flip, dilation, stride, engine, algorithm.value_or("")});
        },
        nb::arg("signals"), nb::arg("taps"), nb::arg("empty_like"), nb::arg("rate"), nb::arg("mode").none(),
        nb::arg("border").none(), nb::arg("anchor").none(), nb::arg("flip"), nb::arg("dilation"),
        nb::arg("stride"), nb::arg("engine"), nb::arg("algorithm").none());
}

} // namespace kg::python
