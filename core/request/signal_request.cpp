#include "core/request/signal_request.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace kg {

namespace {

void expect_positive(std::string_view parameter, std::int64_t number) {
    if (number < 1 || number > kMostSamples)
        throw Error("bad-signal-number", "{} must be from 1 to {}, not {}", parameter, kMostSamples, number);
}

template <typename T>
void expect_finite(const std::vector<T>& taps) {
    if constexpr (std::is_floating_point_v<T>)
        if (const auto wrong = std::ranges::find_if_not(taps, [](T tap) { return std::isfinite(tap); });
            wrong != taps.end())
            throw Error("tap-not-finite", "tap {} is not a finite number", wrong - taps.begin() + 1);
}

/// The outputs at stride 1: what `stride` takes every so many of. Not positive if there are none.
std::int64_t outputs_at_stride_one(const SignalRequest& request) {
    const auto span = tap_span(request);
    switch (request.mode) {
    case SignalMode::full: return request.samples + span - 1;
    case SignalMode::same: return request.samples;
    case SignalMode::valid: return request.samples - span + 1;
    }
    return 0;
}

/// The tap over the sample of its output, in the order of the sum.
std::int64_t anchor_of_sum(const SignalRequest& request) {
    const auto taps = tap_count(request), anchor = request.anchor.value_or(taps / 2);
    return request.flip ? taps - 1 - anchor : anchor;
}

} // namespace

void validate(const SignalRequest& r) {
    if (r.samples < 1) throw Error("no-samples", "a signal must have at least one sample");
    if (tap_count(r) < 1) throw Error("no-taps", "there must be at least one tap");
    expect_positive("the number of samples", r.samples);
    expect_positive("the number of signals", r.signals);
    expect_positive("the number of taps", tap_count(r));
    expect_positive("the dilation", r.dilation);
    expect_positive("the stride", r.stride);
    if (tap_count(r) > 1 && r.dilation > kMostSamples / (tap_count(r) - 1))
        throw Error("bad-signal-number", "the dilation {} of {} taps reaches over more than {} samples",
                    r.dilation, tap_count(r), kMostSamples);
    std::visit([](const auto& taps) { expect_finite(taps); }, r.taps);
    if (r.anchor && (*r.anchor < 0 || *r.anchor >= tap_count(r)))
        throw Error("bad-anchor", "the anchor must be from 0 to {}, not {}", tap_count(r) - 1, *r.anchor);
    if (r.mode != SignalMode::same && r.anchor)
        throw Error("anchor-needs-same", "an anchor belongs to the mode same; the mode is {}", name(r.mode));
    if (r.mode != SignalMode::same && r.border != Border::zero)
        throw Error("border-needs-same",
                    "the border {} belongs to the mode same; full has zeros outside, and valid reads nothing "
                    "there",
                    name(r.border));
    const bool whole_numbers = element(r) == Element::i32 || element(r) == Element::i64;
    constexpr double kExact = 0x1p53, kExact32 = 0x1p31;
    if (!std::isfinite(r.outside) ||
        (whole_numbers && (r.outside != std::trunc(r.outside) ||
                           std::fabs(r.outside) >= (element(r) == Element::i32 ? kExact32 : kExact))))
        throw Error("bad-outside", "the sample outside must be a finite number that {} can hold, not {}",
                    name(element(r)), r.outside);
    if (outputs_at_stride_one(r) < 1)
        throw Error("no-outputs",
                    "the mode valid has no output: the taps reach over {} samples, and the "
                    "signal has {}",
                    tap_span(r), r.samples);
}

Element element(const SignalRequest& request) {
    constexpr Element kElements[] = {Element::f32, Element::f64, Element::i32, Element::i64};
    static_assert(std::size(kElements) == std::variant_size_v<SignalTaps>);
    return kElements[request.taps.index()];
}

std::int64_t tap_count(const SignalRequest& request) {
    return std::visit([](const auto& taps) { return static_cast<std::int64_t>(taps.size()); }, request.taps);
}

std::int64_t tap_span(const SignalRequest& request) {
    return (tap_count(request) - 1) * request.dilation + 1;
}

std::int64_t output_count(const SignalRequest& request) {
    return (outputs_at_stride_one(request) - 1) / request.stride + 1;
}

std::int64_t first_sample(const SignalRequest& request) {
    switch (request.mode) {
    case SignalMode::full: return 1 - tap_span(request);
    case SignalMode::same: return -anchor_of_sum(request) * request.dilation;
    case SignalMode::valid: return 0;
    }
    return 0;
}

Span source_samples(const SignalRequest& request, Span outputs) {
    const auto first = first_sample(request);
    return border_span(request.border,
                       {first + outputs.begin * request.stride,
                        first + (outputs.end - 1) * request.stride + tap_span(request)},
                       request.samples);
}

} // namespace kg
