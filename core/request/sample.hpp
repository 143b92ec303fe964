#pragma once
// From a sum to a stored sample (semantics 4 and 6). All algorithms share these operations, so that both
// engines round alike.

#include "core/image/host_device.hpp"
#include "core/image/pixel.hpp"
#include "core/request/stage.hpp"

#include <cmath>
#include <cstdint>

namespace kg {

/// Clamp, then round to nearest, ties to even; NaN becomes 0. `largest` is 255 or 65535.
KG_HOST_DEVICE inline float rounded_integer(float value, float largest) {
    const float clamped = value > 0.0f ? (value < largest ? value : largest) : 0.0f; // NaN > 0 is false
    return rintf(clamped);
}

template <typename Sample>
struct SampleTraits;
template <>
struct SampleTraits<std::uint8_t> {
    static constexpr Depth depth = Depth::u8;
    KG_HOST_DEVICE static std::uint8_t from(float v) {
        return static_cast<std::uint8_t>(rounded_integer(v, 255.0f));
    }
};
template <>
struct SampleTraits<std::uint16_t> {
    static constexpr Depth depth = Depth::u16;
    KG_HOST_DEVICE static std::uint16_t from(float v) {
        return static_cast<std::uint16_t>(rounded_integer(v, 65535.0f));
    }
};
template <>
struct SampleTraits<float> {
    static constexpr Depth depth = Depth::f32;
    KG_HOST_DEVICE static float from(float v) { return v; }
};

/// Squares of quotients scaled by this factor do not overflow (semantics 12), and only negligible ones
/// underflow.
inline constexpr float kSmallerSquares = 0x1p-65f, kLargerRoot = 0x1p65f;

/// Adds a square to a sum of squares. If the sum would overflow, it is represented as a negative number:
/// minus the sum of the squares of the quotients times kSmallerSquares.
template <typename Number>
KG_HOST_DEVICE inline Number added_square(Number so_far, Number quotient) {
    constexpr auto kSmaller = static_cast<Number>(kSmallerSquares);
    constexpr auto kLargest = static_cast<Number>(3.4028234663852886e38f);
    const Number small = quotient * kSmaller;
    if (so_far < 0) return so_far - small * small;
    const Number sum = so_far + quotient * quotient;
    return sum > kLargest ? -(so_far * kSmaller * kSmaller + small * small) : sum;
}

/// Adds the quotient of one kernel to the result of the kernels before it. Number is float, or double for
/// sums in float64.
template <typename Number>
KG_HOST_DEVICE inline Number combined(Combine combine, Number so_far, Number quotient) {
    switch (combine) {
    case Combine::single: return quotient;
    case Combine::l1: return so_far + std::fabs(quotient);
    case Combine::l2: return added_square(so_far, quotient);
    }
    return quotient;
}

/// The root of a result of added_square().
template <typename Number>
KG_HOST_DEVICE inline Number root_of_squares(Number sum) {
    return sum < 0 ? std::sqrt(-sum) * static_cast<Number>(kLargerRoot) : std::sqrt(sum);
}

/// After the last kernel: takes the root for l2, then adds the offset (in units of the numbers themselves).
template <typename Number>
KG_HOST_DEVICE inline Number finished(Combine combine, Number value, Number offset) {
    return (combine == Combine::l2 ? root_of_squares(value) : value) + offset;
}

/// The offset of a stage in units of a format. The only place where it is rounded to f32.
inline float offset_in(const Stage& stage, const PixelFormat& format) {
    return static_cast<float>(static_cast<double>(offset(stage)) * full_scale(format));
}

} // namespace kg
