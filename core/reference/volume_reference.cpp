#include "core/reference/volume_reference.hpp"

#include "core/support/error.hpp"
#include "core/support/in_parallel.hpp"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace kg {

namespace {

/// One volume in time.
struct State {
    std::vector<double> values, bounds;
};

std::size_t sample_count(const VolumeRequest& r) {
    return static_cast<std::size_t>(r.size.width * r.size.height * r.size.depth);
}

State state_of(const VolumeRequest& r, const ConstTensorView& source, std::int64_t first_slice) {
    State state;
    state.values.reserve(sample_count(r));
    for (std::int64_t z = 0; z < r.size.depth; ++z)
        for (std::int64_t y = 0; y < r.size.height; ++y)
            for (std::int64_t x = 0; x < r.size.width; ++x) {
                float sample;
                std::memcpy(&sample, source.at(x, y, first_slice + z), sizeof sample);
                state.values.push_back(static_cast<double>(sample));
            }
    state.bounds.resize(state.values.size());
    return state;
}

/// The taps of the definition, with the products of factors in float64.
struct ReferenceTap {
    VolumePoint offset;
    double weight;
};
std::vector<ReferenceTap> taps_of(const VolumeRequest& r) {
    std::vector<ReferenceTap> taps;
    if (!has_factors(r.kernel)) {
        for (const auto& tap : placed_taps(r)) taps.push_back({tap.offset, static_cast<double>(tap.weight)});
        return taps;
    }
    const auto along = [&](int axis) { return placed_factor_taps(r, axis); };
    for (const auto& z : along(2))
        for (const auto& y : along(1))
            for (const auto& x : along(0))
                taps.push_back({{x.offset.x, y.offset.y, z.offset.z},
                                static_cast<double>(x.weight) * static_cast<double>(y.weight) *
                                    static_cast<double>(z.weight)});
    return taps;
}

/// The volume after `now`, which `before` precedes; it is subtracted under second order.
State next(const VolumeRequest& r, std::span<const ReferenceTap> taps, const State& now, const State& before,
           std::vector<double>& magnitudes, const std::stop_token& stop) {
    const auto [width, height, depth] = r.size;
    // Semantics 12 with a third axis; a step of second order has one more sum.
    const double relative = 2 *
                            static_cast<double>(r.kernel.size.width + r.kernel.size.height +
                                                r.kernel.size.depth + r.second_order) *
                            static_cast<double>(std::numeric_limits<float>::epsilon());
    const auto samples = now.values.size();
    State result{std::vector<double>(samples), std::vector<double>(samples)};
    magnitudes.resize(samples);
    in_parallel(depth, [&](std::int64_t z) {
        for (std::int64_t y = 0; y < height; ++y) {
            if (stop.stop_requested()) throw Cancelled();
            for (std::int64_t x = 0; x < width; ++x) {
                double sum = 0, magnitude = 0, inherited = 0;
                const auto add = [&](double weight, double sample, double bound) {
                    sum += weight * sample;
                    magnitude += std::fabs(weight * sample);
                    inherited += std::fabs(weight) * bound;
                };
                for (const auto& [offset, weight] : taps) {
                    const auto sx = border_index(r.border, x + offset.x, width),
                               sy = border_index(r.border, y + offset.y, height),
                               sz = border_index(r.border, z + offset.z, depth);
                    const bool outside = sx < 0 || sy < 0 || sz < 0;
                    const auto at = static_cast<std::size_t>((sz * height + sy) * width + sx);
                    if (!outside) add(weight, now.values[at], now.bounds[at]);
                    else if (r.border == Border::constant) add(weight, static_cast<double>(r.outside), 0);
                }
                const auto at = static_cast<std::size_t>((z * height + y) * width + x);
                if (r.second_order) add(-1, before.values[at], before.bounds[at]);
                result.values[at] = sum;
                result.bounds[at] = inherited + relative * (magnitude + inherited);
                magnitudes[at] = magnitude;
            }
        }
    });
    return result;
}

} // namespace

void expect_volume(const ConstTensorView& view, const VolumeRequest& r) {
    if (view.format.element != Element::f32 || view.format.channels != tensor_slices(r) ||
        view.size != Extent{r.size.width, r.size.height})
        throw Error("tensor-mismatch", "the tensor does not have the size or the type of the request");
}

ReferenceVolume reference_volume(const VolumeRequest& r, const ConstTensorView& source,
                                 const std::stop_token& stop) {
    expect_volume(source, r);
    const auto taps = taps_of(r);
    State before, now = state_of(r, source, tensor_slices(r) - r.size.depth);
    if (r.second_order) before = state_of(r, source, 0);
    std::vector<double> magnitudes;
    for (std::int64_t step = 0; step < r.steps; ++step) {
        auto after = next(r, taps, now, before, magnitudes, stop);
        before = std::exchange(now, std::move(after));
    }
    ReferenceVolume result;
    const auto append = [&](const State& state) {
        result.values.insert(result.values.end(), state.values.begin(), state.values.end());
        result.bounds.insert(result.bounds.end(), state.bounds.begin(), state.bounds.end());
    };
    if (r.second_order) append(before), result.magnitudes.resize(before.values.size());
    append(now);
    result.magnitudes.insert(result.magnitudes.end(), magnitudes.begin(), magnitudes.end());
    return result;
}

} // namespace kg
