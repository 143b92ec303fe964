#pragma once
// Colour weighed by coverage on its way into a tile and out of a thread (semantics 7): for RGBA of whole numbers, what `convert` does
// before and after a filter (core/image/conversion.hpp), operation by operation, so that the bytes are the same.

#include "gpu/kernels/stage.cuh"

namespace kg::gpu {

/// The number that means "white".
template <typename Sample>
inline constexpr float kWhite = sizeof(Sample) == 1 ? 255.0f : 65535.0f;

/// A pixel as it lies in the tile: colour times alpha, and alpha.
template <typename Sample>
__device__ float4 weighed(float red, float green, float blue, float alpha) {
    constexpr float kReciprocal = 1.0f / kWhite<Sample>;
    const float coverage = divided(alpha, kWhite<Sample>, kReciprocal);
    return {red * coverage, green * coverage, blue * coverage, alpha};
}

/// Sums over the divisor become pixels: alpha within its range, colour divided by it, 0 where it is 0. `ordinary`: no colour can
/// be so large or so small that dividing through the reciprocal goes wrong.
template <typename Sample, int Count>
__device__ void divide_by_coverage(float (&values)[Count], bool ordinary) {
    constexpr float kReciprocal = 1.0f / kWhite<Sample>, kSmall = 0x1p-40f;
#pragma unroll
    for (int p = 0; p < Count; p += 4) {
        const float alpha = values[p + 3];
        const float whole = ordinary ? divided(alpha, kWhite<Sample>, kReciprocal)
                                     : __fdiv_rn(alpha, kWhite<Sample>);
        const float coverage = whole > 0.0f ? fminf(whole, 1.0f) : 0.0f;
        values[p + 3] = coverage * kWhite<Sample>;
        if (ordinary && coverage >= kSmall) {
            const float reciprocal = __frcp_rn(coverage);
#pragma unroll
            for (int c = 0; c < 3; ++c) values[p + c] = divided(values[p + c], coverage, reciprocal);
        } else {
#pragma unroll
            for (int c = 0; c < 3; ++c)
                values[p + c] = coverage == 0.0f ? 0.0f : __fdiv_rn(values[p + c], coverage);
        }
    }
}

} // namespace kg::gpu
