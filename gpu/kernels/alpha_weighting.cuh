#pragma once
// Premultiplied alpha (semantics 7): colour is multiplied by alpha as it enters a tile and divided by it
// as it leaves a thread. For integer RGBA this repeats what `convert` does before and after a filter
// (core/request/conversion.hpp), operation by operation, so that the bytes are equal.

#include "gpu/kernels/stage.cuh"

namespace kg::gpu {

/// The sample value of white.
template <typename Sample>
inline constexpr float kWhite = sizeof(Sample) == 1 ? 255.0f : 65535.0f;

/// A pixel as stored in the tile: colour times alpha, and alpha.
template <typename Sample>
__device__ float4 premultiplied(float red, float green, float blue, float alpha) {
    constexpr float kReciprocal = 1.0f / kWhite<Sample>;
    const float opacity = divided(alpha, kWhite<Sample>, kReciprocal);
    return {red * opacity, green * opacity, blue * opacity, alpha};
}

/// Converts sums over the divisor to pixels: clamps alpha to its range and divides colour by it; colour is 0
/// where alpha is 0. `ordinary`: no colour is so large or so small that division through the reciprocal goes
/// wrong.
template <typename Sample, int Count>
__device__ void divide_by_alpha(float (&values)[Count], bool ordinary) {
    constexpr float kReciprocal = 1.0f / kWhite<Sample>, kSmall = 0x1p-40f;
#pragma unroll
    for (int p = 0; p < Count; p += 4) {
        const float alpha = values[p + 3];
        const float whole = ordinary ? divided(alpha, kWhite<Sample>, kReciprocal)
                                     : __fdiv_rn(alpha, kWhite<Sample>);
        const float opacity = whole > 0.0f ? fminf(whole, 1.0f) : 0.0f;
        values[p + 3] = opacity * kWhite<Sample>;
        if (ordinary && opacity >= kSmall) {
            const float reciprocal = __frcp_rn(opacity);
#pragma unroll
            for (int c = 0; c < 3; ++c) values[p + c] = divided(values[p + c], opacity, reciprocal);
        } else {
#pragma unroll
            for (int c = 0; c < 3; ++c)
                values[p + c] = opacity == 0.0f ? 0.0f : __fdiv_rn(values[p + c], opacity);
        }
    }
}

} // namespace kg::gpu
