#pragma once
// What a thread of `direct` sums in registers: runs of taps, chains of products, and what becomes of them.

#include "gpu/kernels/banks/direct_launch.hpp"

#include <cuda_runtime.h>

namespace kg::gpu {

/// Adds a run of taps to the outputs of a thread.
template <int Filters, int Taps>
__device__ __forceinline__ void add_run(const float* own, const float* weights,
                                        float (&sums)[Filters][kDirectColumns]) {
    constexpr int kWindow = (kDirectColumns + Taps - 1 + kVector - 1) / kVector * kVector;
    constexpr int kWeights = (Taps * Filters + kVector - 1) / kVector * kVector;
    float x[kWindow], w[kWeights];
#pragma unroll
    for (int i = 0; i < kWindow; i += kVector) {
        const auto some = *reinterpret_cast<const float4*>(own + i);
        x[i] = some.x, x[i + 1] = some.y, x[i + 2] = some.z, x[i + 3] = some.w;
    }
#pragma unroll
    for (int i = 0; i < kWeights; i += kVector) {
        const auto some = *reinterpret_cast<const float4*>(weights + i);
        w[i] = some.x, w[i + 1] = some.y, w[i + 2] = some.z, w[i + 3] = some.w;
    }
#pragma unroll
    for (int tap = 0; tap < Taps; ++tap)
#pragma unroll
        for (int f = 0; f < Filters; ++f)
#pragma unroll
            for (int i = 0; i < kDirectColumns; ++i)
                sums[f][i] = __fmaf_rn(w[tap * Filters + f], x[i + tap], sums[f][i]);
}

/// Adds the sums of a chain to the totals, and begins the next.
template <int Filters>
__device__ __forceinline__ void end_chain(float (&sums)[Filters][kDirectColumns],
                                          float (&totals)[Filters][kDirectColumns]) {
#pragma unroll
    for (int f = 0; f < Filters; ++f)
#pragma unroll
        for (int i = 0; i < kDirectColumns; ++i) totals[f][i] += sums[f][i], sums[f][i] = 0;
}

/// Stores a thread's results in shared memory, a filter `plane` floats behind the one before.
template <int Filters>
__device__ __forceinline__ void store_results(const float (&results)[Filters][kDirectColumns], float* to,
                                              int plane) {
#pragma unroll
    for (int f = 0; f < Filters; ++f, to += plane)
#pragma unroll
        for (int i = 0; i < kDirectColumns; i += kVector)
            *reinterpret_cast<float4*>(to + i) = float4{results[f][i], results[f][i + 1], results[f][i + 2],
                                                        results[f][i + 3]};
}

} // namespace kg::gpu
