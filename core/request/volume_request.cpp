#include "core/request/volume_request.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace kg {

namespace {

void expect_within(std::string_view parameter, std::int64_t number, std::int64_t most) {
    if (number < 1 || number > most)
        throw Error("bad-volume-number", "{} must be from 1 to {}, not {}", parameter, most, number);
}

void expect_weights(std::string_view parameter, const std::vector<float>& weights, std::int64_t wanted) {
    if (std::ssize(weights) != wanted)
        throw Error("wrong-weight-count", "{} must have {} weights, not {}", parameter, wanted,
                    weights.size());
    if (const auto wrong = std::ranges::find_if_not(weights, [](float w) { return std::isfinite(w); });
        wrong != weights.end())
        throw Error("weight-not-finite", "weight {} of {} is not a finite number",
                    wrong - weights.begin() + 1, parameter);
}

void validate(const VolumeKernel& kernel) {
    const auto& [width, height, depth] = kernel.size;
    expect_within("the width of the kernel", width, kLargestVolumeKernel);
    expect_within("the height of the kernel", height, kLargestVolumeKernel);
    expect_within("the depth of the kernel", depth, kLargestVolumeKernel);
    if (has_factors(kernel)) {
        if (!kernel.weights.empty())
            throw Error("weights-and-factors", "a kernel has either weights or factors, not both");
        expect_weights("the factor along columns", kernel.factors[0], width);
        expect_weights("the factor along rows", kernel.factors[1], height);
        expect_weights("the factor along slices", kernel.factors[2], depth);
    } else {
        expect_weights("the kernel", kernel.weights, width * height * depth);
    }
    if (!kernel.anchor) return;
    const auto& [x, y, z] = *kernel.anchor;
    if (x < 0 || x >= width || y < 0 || y >= height || z < 0 || z >= depth)
        throw Error("bad-anchor", "the anchor {},{},{} lies outside the kernel of {} x {} x {}", x, y, z,
                    width, height, depth);
}

/// One axis of a kernel: its extent, its anchor, and the order of its weights.
struct Axis {
    std::int64_t size, anchor;
    bool flip;
    std::int64_t offset(std::int64_t index) const { return flip ? anchor - index : index - anchor; }
    /// The weight that is summed at this position.
    std::int64_t at(std::int64_t position) const { return flip ? size - 1 - position : position; }
};

std::array<Axis, 3> axes_of(const VolumeRequest& r) {
    const auto& size = r.kernel.size;
    const auto anchor = r.kernel.anchor.value_or(
        VolumePoint{size.width / 2, size.height / 2, size.depth / 2});
    return {Axis{size.width, anchor.x, r.flip}, Axis{size.height, anchor.y, r.flip},
            Axis{size.depth, anchor.z, r.flip}};
}

float weight_at(const VolumeKernel& kernel, std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto index = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    if (!has_factors(kernel))
        return kernel.weights[index((z * kernel.size.height + y) * kernel.size.width + x)];
    return static_cast<float>(static_cast<double>(kernel.factors[0][index(x)]) *
                              static_cast<double>(kernel.factors[1][index(y)]) *
                              static_cast<double>(kernel.factors[2][index(z)]));
}

} // namespace

bool has_factors(const VolumeKernel& kernel) {
    return std::ranges::any_of(kernel.factors, [](const auto& factor) { return !factor.empty(); });
}

void validate(const VolumeRequest& r) {
    expect_within("the width of the volume", r.size.width, kMostVolumeSamples);
    expect_within("the height of the volume", r.size.height, kMostVolumeSamples);
    expect_within("the depth of the volume", r.size.depth, kMostVolumeSamples);
    if (r.size.height > kMostVolumeSamples / r.size.width ||
        r.size.depth > kMostVolumeSamples / (r.size.width * r.size.height))
        throw Error("volume-too-large", "a volume has at most {} samples, not {} x {} x {}",
                    kMostVolumeSamples, r.size.width, r.size.height, r.size.depth);
    validate(r.kernel);
    expect_within("the number of steps", r.steps, kMostVolumeSteps);
    if (!std::isfinite(r.outside))
        throw Error("bad-outside", "the sample outside must be a finite number, not {}", r.outside);
}

std::int64_t tensor_slices(const VolumeRequest& r) {
    return r.second_order ? 2 * r.size.depth : r.size.depth;
}

std::vector<VolumeTap> placed_taps(const VolumeRequest& r) {
    const auto [columns, rows, slices] = axes_of(r);
    std::vector<VolumeTap> taps;
    for (std::int64_t k = 0; k < slices.size; ++k)
        for (std::int64_t j = 0; j < rows.size; ++j)
            for (std::int64_t i = 0; i < columns.size; ++i) {
                const auto x = columns.at(i), y = rows.at(j), z = slices.at(k);
                if (const float weight = weight_at(r.kernel, x, y, z); weight != 0)
                    taps.push_back({{columns.offset(x), rows.offset(y), slices.offset(z)}, weight});
            }
    return taps;
}

std::vector<VolumeTap> placed_factor_taps(const VolumeRequest& r, int axis) {
    const auto along = axes_of(r)[static_cast<std::size_t>(axis)];
    std::vector<VolumeTap> taps;
    for (std::int64_t i = 0; i < along.size; ++i) {
        const auto index = along.at(i);
        const float weight =
            r.kernel.factors[static_cast<std::size_t>(axis)][static_cast<std::size_t>(index)];
        if (weight == 0) continue;
        const auto offset = along.offset(index);
        taps.push_back({{axis == 0 ? offset : 0, axis == 1 ? offset : 0, axis == 2 ? offset : 0}, weight});
    }
    return taps;
}

} // namespace kg
