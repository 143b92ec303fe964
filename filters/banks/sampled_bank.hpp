#pragma once
// What the presets that sample a function share: a square around the centre, and weights of one scale.

#include "filters/bank_filter.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kg {

/// Adds a filter of (2 radius + 1) squared weights, value(x, y) from its centre, y downwards. Weights get the
/// sum 0 and, in absolute values, 1: even areas give 0, and no response exceeds the largest number.
template <typename Value>
void add_filter(BankDesign& design, int radius, Value value) {
    std::vector<double> weights;
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x) weights.push_back(value(x, y));
    double mean = 0, magnitude = 0;
    for (const double weight : weights) mean += weight / static_cast<double>(weights.size());
    for (const double weight : weights) magnitude += std::fabs(weight - mean);
    for (const double weight : weights)
        design.weights.push_back(static_cast<float>((weight - mean) / (magnitude > 0 ? magnitude : 1)));
    const std::int64_t side = 2 * radius + 1;
    design.kernel = {side, side};
    ++design.filters;
}

} // namespace kg
