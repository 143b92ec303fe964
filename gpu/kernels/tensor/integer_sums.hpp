#pragma once
// From integer sums to results: which operations suffice for sum / divisor + offset, decided once in the
// plan.

#include "core/plan/engine.hpp"
#include "gpu/kernels/tensor/digit_weights.hpp"

#include <string>

namespace kg::gpu {

/// The bits of 1.5 * 2^23. Added to an integer below 2^22 in magnitude they are the float 1.5 * 2^23 +
/// integer: a conversion by one subtraction.
inline constexpr std::int32_t kSmallSum = 0x4b400000;

enum class SumRounding : std::int32_t {
    shift,  ///< (start + sum) >> shift: rounds halves up, so only where 11 allows either or none occur
    scale,  ///< sum * reciprocal + offset, rounded once, where no result differs from that of `divide`
    divide, ///< one correctly rounded division, one addition (semantics 4)
};

/// Parameters of a launch.
struct SumFinish {
    SumRounding rounding;
    int shift;
    int start;                 ///< the sums of the lowest digit begin with it
    float divisor, reciprocal; ///< divisor of the sums, their power of two included
};

/// What the results have to be.
struct SumResult {
    Depth out = Depth::u8;   ///< u8 or f32
    float offset = 0;        ///< levels
    bool same_offset = true; ///< all channels have the same offset; that of alpha is 0
    /// The kernel takes sums from kSmallSum; every digit's are below 2^22, and there is one digit.
    bool small_sums = false;
};

/// `divisor`: of the kernel.
SumFinish sum_finish(const DigitWeights& weights, float divisor, const SumResult& result);

/// Why weights of digits do not give results of a depth; empty if they do. Weights that were rounded are good
/// enough for integers only (semantics 11 and 12).
std::string why_not_digits(const Kernel& kernel, Depth in, Depth out);

/// Why the GPU cannot multiply bytes on tensor cores; empty if it can.
std::string why_not_byte_products(const Engine& engine);

} // namespace kg::gpu
