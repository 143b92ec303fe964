#pragma once
// Premultiplied alpha (semantics 7): colour is multiplied by alpha as it enters sums and divided by it as it
// leaves them.
//
// `convert` does so before and after a filter, in floats of the samples' scale. `tiled` repeats this
// operation by operation (core/request/conversion.hpp), so that the bytes are equal. `registers` and
// `separable_fused` save the division by white: they weight by alpha / 2^8, or alpha / 2^16 for 16 bits. This
// fraction is exact, and so are bytes times it, so their sums have fewer roundings.

#include "gpu/kernels/stage.cuh"

#include <cmath>

namespace kg::gpu {

/// The sample value of white.
template <typename Sample>
inline constexpr float kWhite = sizeof(Sample) == 1 ? 255.0f : 65535.0f;
/// Scales alpha to a fraction.
template <typename Sample>
inline constexpr float kAlphaUnit = sizeof(Sample) == 1 ? 0x1p-8f : 0x1p-16f;

/// A pixel as `convert` stores it: colour times alpha, and alpha.
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

/// A pixel as it enters sums: colour times the fraction, and the fraction.
template <typename Sample>
__device__ float4 weighted_by_alpha(float red, float green, float blue, float alpha) {
    const float fraction = alpha * kAlphaUnit<Sample>;
    return {red * fraction, green * fraction, blue * fraction, fraction};
}

/// The general case of finish_weighted(), for any sums and divisor. Not inlined: it is rarely called and
/// would be most of a kernel's code.
static __device__ __noinline__ float4 finish_any(float4 sums, float divisor, float full) {
    const float alpha = fminf(fmaxf(__fdiv_rn(sums.w, divisor), 0.0f), full);
    const auto over_alpha = [&](float sum) {
        return alpha == 0.0f ? 0.0f : __fdiv_rn(__fdiv_rn(sum, divisor), alpha);
    };
    return {over_alpha(sums.x), over_alpha(sums.y), over_alpha(sums.z), alpha};
}

/// Sums of weighted_by_alpha() to pixels: clamps alpha to its range and divides colour by it; colour is 0
/// where alpha is 0. The divisor cancels out of colour, so only alpha is divided by it. Offsets are added to
/// straight colour (semantics 7), never here. One correction follows an approximate reciprocal: quotients
/// that float32 represents, such as halves of levels, are exact; others may be off by their last place.
template <typename Sample, int Count>
__device__ void finish_weighted(const KernelShape& kernel, float (&sums)[Count]) {
    constexpr float kFullAlpha = kWhite<Sample> * kAlphaUnit<Sample>;
    const float full = kFullAlpha * kernel.divisor;
    const float small = kernel.reciprocal > 0.0f ? full * 0x1p-40f : INFINITY;
#pragma unroll
    for (int p = 0; p < Count; p += 4) {
        const float alpha = fminf(fmaxf(sums[p + 3], 0.0f), full);
        float4 pixel{sums[p], sums[p + 1], sums[p + 2], sums[p + 3]};
        if (alpha >= small || alpha == 0.0f) {
            const float reciprocal = alpha == 0.0f ? 0.0f : __fdividef(1.0f, alpha);
            const auto over_alpha = [&](float sum) {
                const float rough = sum * reciprocal;
                return __fmaf_rn(__fmaf_rn(-alpha, rough, sum), reciprocal, rough);
            };
            pixel = {over_alpha(pixel.x), over_alpha(pixel.y), over_alpha(pixel.z),
                     divided(alpha, kernel.divisor, kernel.reciprocal)};
        } else pixel = finish_any(pixel, kernel.divisor, kFullAlpha);
        sums[p] = pixel.x, sums[p + 1] = pixel.y, sums[p + 2] = pixel.z;
        sums[p + 3] = pixel.w / kAlphaUnit<Sample>;
    }
}

} // namespace kg::gpu
