#pragma once
// From integer sums to results, on the GPU.

#include "gpu/kernels/rounding.cuh"
#include "gpu/kernels/stage.cuh"
#include "gpu/kernels/tensor/integer_sums.hpp"

namespace kg::gpu {

/// Sum e of several digits, the lowest first, each with four sums of its own.
template <int Digits>
__device__ __forceinline__ int sum_of_digits(const int (&sums)[Digits][4], int e) {
    int sum = sums[Digits - 1][e];
#pragma unroll
    for (int d = Digits - 2; d >= 0; --d) sum = sum * 256 + sums[d][e];
    return sum;
}

/// `Small`: the sum began with kSmallSum.
template <bool Small>
__device__ __forceinline__ float sum_as_float(int sum) {
    if constexpr (Small) return __int_as_float(sum) - 12582912.0f;
    else return __int2float_rn(sum);
}

/// sum / divisor + offset before rounding, of sums that are scaled or divided.
template <bool Small>
__device__ __forceinline__ float scaled_sum(const SumFinish& f, int sum, float offset) {
    return __fmaf_rn(sum_as_float<Small>(sum), f.reciprocal, offset);
}
template <bool Small>
__device__ __forceinline__ float divided_sum(const SumFinish& f, int sum, float offset) {
    return divided(sum_as_float<Small>(sum), f.divisor, f.reciprocal) + offset;
}

/// Sums to integers that saturate to the result's bytes, in place. offset(i): of sum i. `Divides`: the launch
/// may divide. The switch is outside the loop: it is uniform in a launch.
template <bool Small, bool Divides, int Count, typename Offset>
__device__ __forceinline__ void finish_as_bytes(const SumFinish& f, int (&sums)[Count], Offset offset) {
    if (f.rounding == SumRounding::shift) {
#pragma unroll
        for (int i = 0; i < Count; ++i) sums[i] >>= f.shift;
    } else if (!Divides || f.rounding == SumRounding::scale) {
#pragma unroll
        for (int i = 0; i < Count; ++i) sums[i] = to_saturate(scaled_sum<Small>(f, sums[i], offset(i)));
    } else {
#pragma unroll
        for (int i = 0; i < Count; ++i) sums[i] = to_saturate(divided_sum<Small>(f, sums[i], offset(i)));
    }
}

/// Sums to results in f32, which are never shifted.
template <bool Small, int Count, typename Offset>
__device__ __forceinline__ void finish_as_floats(const SumFinish& f, const int (&sums)[Count],
                                                 float (&results)[Count], Offset offset) {
    if (f.rounding == SumRounding::scale) {
#pragma unroll
        for (int i = 0; i < Count; ++i) results[i] = scaled_sum<Small>(f, sums[i], offset(i));
    } else {
#pragma unroll
        for (int i = 0; i < Count; ++i) results[i] = divided_sum<Small>(f, sums[i], offset(i));
    }
}

} // namespace kg::gpu
