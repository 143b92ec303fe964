#include "core/image/weights.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace kg {

namespace {

/// Weights per chunk. A chunk is tested without a branch, so that the loop vectorises; the search can end
/// after each chunk.
constexpr std::size_t kChunk = 1024;

template <typename AnyBad>
bool no_chunk(std::size_t count, AnyBad any_bad) {
    for (std::size_t begin = 0; begin < count; begin += kChunk)
        if (any_bad(begin, std::min(count, begin + kChunk))) return false;
    return true;
}

} // namespace

WeightSums sums_of(std::span<const float> weights) {
    constexpr std::size_t kLanes = 8; // independent sums
    std::array<double, kLanes> sum{}, magnitude{};
    const auto add = [&](std::size_t lane, float weight) {
        const auto w = static_cast<double>(weight);
        sum[lane] += w;
        magnitude[lane] += std::fabs(w);
    };
    std::size_t i = 0;
    for (; i + kLanes <= weights.size(); i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, weights[i + lane]);
    for (; i < weights.size(); ++i) add(0, weights[i]);
    WeightSums all;
    for (std::size_t lane = 0; lane < kLanes; ++lane) all.sum += sum[lane], all.magnitude += magnitude[lane];
    return all;
}

std::int64_t count_taps(std::span<const float> weights) {
    std::int64_t count = 0;
    for (std::size_t begin = 0; begin < weights.size(); begin += kChunk) {
        std::int32_t here = 0;
        for (const float w : weights.subspan(begin, std::min(kChunk, weights.size() - begin))) here += w != 0;
        count += here;
    }
    return count;
}

bool are_finite(std::span<const float> weights) {
    constexpr std::int32_t kExponent = 0x7f800000;
    return no_chunk(weights.size(), [&](std::size_t begin, std::size_t end) {
        std::int32_t bad = 0;
        for (auto i = begin; i < end; ++i)
            bad |= (std::bit_cast<std::int32_t>(weights[i]) & kExponent) == kExponent;
        return bad != 0;
    });
}

double common_unit(std::span<const float> weights) {
    constexpr int kNone = 1024, kMantissaBits = 23, kBias = 127;
    int least = kNone;
    for (const float w : weights) {
        const auto bits = std::bit_cast<std::uint32_t>(w) & 0x7fffffffu;
        if (bits == 0) continue;
        const auto exponent = static_cast<int>(bits >> kMantissaBits);
        const auto fraction = bits & ((1u << kMantissaBits) - 1);
        const auto digits = exponent == 0 ? fraction : fraction | 1u << kMantissaBits;
        least = std::min(least, std::max(exponent, 1) - kBias - kMantissaBits + std::countr_zero(digits));
    }
    return least == kNone ? std::numeric_limits<double>::infinity() : std::ldexp(1.0, least);
}

bool are_all(std::span<const float> weights, float value) {
    return no_chunk(weights.size(), [&](std::size_t begin, std::size_t end) {
        std::int32_t bad = 0;
        for (auto i = begin; i < end; ++i) bad |= weights[i] != value;
        return bad != 0;
    });
}

bool are_multiples(std::span<const float> weights, float factor, std::span<const float> row) {
    return no_chunk(weights.size(), [&](std::size_t begin, std::size_t end) {
        std::int32_t bad = 0;
        for (auto i = begin; i < end; ++i) bad |= weights[i] != factor * row[i];
        return bad != 0;
    });
}

void multiples(double factor, std::span<const double> row, std::span<float> out) {
    for (std::size_t j = 0; j < row.size(); ++j) out[j] = static_cast<float>(factor * row[j]);
}

} // namespace kg
