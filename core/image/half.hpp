#pragma once
// Conversion between IEEE binary16 and binary32 on the host, rounding to nearest even. g++ 12's _Float16
// needs soft calls under SSE2 and is unknown to nvcc's host pass.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kg {

constexpr float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 31u, mantissa = half & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f; // subnormal: exact in f32
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

constexpr std::uint16_t float_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);  // NaN
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u); // rounds to infinity
    if (magnitude < 0x38800000u) { // subnormal: adding 0.5 makes the f32 adder round at 2^-24
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

/// Rounds once. A detour over f32 could turn a number next to a tie into the tie.
inline std::uint16_t double_to_half(double value) {
    constexpr int kDigits = 10, kLeastExponent = -14;
    if (!std::isfinite(value) || value == 0) return float_to_half(static_cast<float>(value));
    const double unit = std::ldexp(1.0, std::max(std::ilogb(value), kLeastExponent) - kDigits);
    return float_to_half(static_cast<float>(std::nearbyint(value / unit) * unit));
}

static_assert(half_to_float(0x3c00) == 1.0f && float_to_half(1.0f) == 0x3c00);
static_assert(float_to_half(65504.0f) == 0x7bff && float_to_half(65520.0f) == 0x7c00);
static_assert(half_to_float(0x0001) == 0x1p-24f && float_to_half(0x1p-24f) == 0x0001 &&
              float_to_half(0x1p-25f) == 0);
static_assert(float_to_half(2049.0f) == float_to_half(2048.0f) &&
              float_to_half(2051.0f) == float_to_half(2052.0f));

} // namespace kg
