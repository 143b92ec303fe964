#pragma once
// What the presets that sample a function share: a square around the centre, and weights of one scale.

#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/bank_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// Throws Error if so many filters of (2 radius + 1) squared weights are more than a preset may have: kernels
/// are up to 1025 x 1025, and a bank is copied several times before it is summed. `remedy`: what makes the
/// filters smaller.
inline void check_bank_size(std::int64_t filters, std::int64_t radius, std::string_view remedy) {
    constexpr std::int64_t kMostSide = 1025, kMostWeights = std::int64_t{1} << 23;
    const auto side = 2 * radius + 1;
    if (side > kMostSide)
        throw Error("bank-too-large",
                    "these filters would be {} x {}, and at most 1025 x 1025 are possible; {}", side, side,
                    remedy);
    if (filters * side * side > kMostWeights)
        throw Error("bank-too-large",
                    "{} filters of {} x {} have more than 8 million weights; {}, or fewer filters", filters,
                    side, side, remedy);
}

/// The i-th of `count` directions within half a circle: "22.5 deg".
inline std::string direction_name(int i, int count) { return short_number(180.0 * i / count, 4) + " deg"; }

/// Adds a filter of (2 radius + 1) squared weights, value(x, y) from its centre, y downwards. Their mean is
/// subtracted, so that even areas give 0.
template <typename Value>
void add_filter(BankDesign& design, int radius, Value value) {
    std::vector<double> weights;
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x) weights.push_back(value(x, y));
    double mean = 0;
    for (const double weight : weights) mean += weight / static_cast<double>(weights.size());
    for (const double weight : weights) design.weights.push_back(static_cast<float>(weight - mean));
    const std::int64_t side = 2 * radius + 1;
    design.kernel = {side, side};
    ++design.filters;
}

/// One scale for all filters, so that sums of them keep their meaning: the absolute weights of the largest
/// add up to 1, and no response exceeds the largest number.
inline void scale_filters(BankDesign& design) {
    const auto size = static_cast<std::size_t>(design.kernel.width * design.kernel.height);
    float largest = 0;
    for (std::size_t begin = 0; begin < design.weights.size(); begin += size) {
        float magnitude = 0;
        for (std::size_t i = begin; i < begin + size; ++i) magnitude += std::fabs(design.weights[i]);
        largest = std::max(largest, magnitude);
    }
    constexpr float kNoise = 1e-6f; // of samples that all ought to be 0
    if (largest > kNoise)
        for (auto& weight : design.weights) weight /= largest;
}

} // namespace kg
