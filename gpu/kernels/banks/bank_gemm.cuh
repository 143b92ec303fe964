#pragma once
// A block's part of a matrix product of filter banks:
//
//   block     8 x threads down filters, 8 x threads across outputs; some rows of both factors in shared
//             memory, and the next ones being copied
//   thread    8 x 8 outputs in registers
//
// Sums are of chains of products. Source: Volkov and Demmel, "Benchmarking GPUs to tune dense linear
// algebra", SC 2008.

#include "gpu/kernels/banks/bank_gemm.hpp"
#include "gpu/kernels/march/async_copy.cuh"

namespace kg::gpu {

/// The factor of the numbers from a block's first column on: a row per term, a column per output.
struct GemmNumbers {
    const float* first; ///< at a multiple of 16 bytes
    std::int64_t pitch; ///< floats of a row, a multiple of four
    std::int64_t left;  ///< columns from the first on, up to the end of a row
};

template <typename T>
struct GemmShared {
    alignas(16) float weights[2][T::kRows * T::kFilters];
    alignas(16) float numbers[2][T::kRows * T::kOutputs];
};

/// Where output `i` of a thread's side is in that of the block, whose halves have `half` outputs. `own` is
/// the thread's place.
__device__ __forceinline__ int gemm_place(int i, int own, int half) {
    return i < kGemmHalf ? own * kGemmHalf + i : half + own * kGemmHalf + i - kGemmHalf;
}

__device__ __forceinline__ void read_gemm_side(const float* from, int half, float (&to)[kGemmSide]) {
    const auto low = *reinterpret_cast<const float4*>(from),
               high = *reinterpret_cast<const float4*>(from + half);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

/// The sums of a thread of the block, which has kGemmThreads: those of filter gemm_place(i, y, kFilters / 2)
/// of the block and output gemm_place(j, x, kOutputs / 2) are totals[i][j], with x = threadIdx.x % kAcross
/// and y = threadIdx.x / kAcross. `totals` are zeros before. `block` is the block of filters of g.weights.
template <typename T>
__device__ __forceinline__ void multiply_block(const GemmWeights& g, std::int64_t block,
                                               const GemmNumbers& numbers, GemmShared<T>& shared,
                                               float (&totals)[kGemmSide][kGemmSide]) {
    const int thread = static_cast<int>(threadIdx.x), x = thread % T::kAcross, y = thread / T::kAcross;
    const float* const own_weights = g.weights + block * g.stages * T::kRows * T::kFilters;
    const auto load = [&](int stage) {
        if (stage < g.stages) {
            const float* const from = own_weights + std::int64_t{stage} * T::kRows * T::kFilters;
#pragma unroll 1
            for (int i = thread * 4; i < T::kRows * T::kFilters; i += kGemmThreads * 4)
                copy_async<16>(&shared.weights[stage & 1][i], from + i, true);
#pragma unroll 1
            for (int i = thread * 4; i < T::kRows * T::kOutputs; i += kGemmThreads * 4) {
                const auto row = std::int64_t{stage} * T::kRows + i / T::kOutputs;
                const int at = i % T::kOutputs;
                const bool is_there = row < g.terms && at < numbers.left;
                copy_async<16>(&shared.numbers[stage & 1][i],
                               is_there ? numbers.first + row * numbers.pitch + at : numbers.first, is_there);
            }
        }
        end_copies();
    };
    float sums[kGemmSide][kGemmSide] = {};
    const auto end_chain = [&] {
#pragma unroll
        for (int i = 0; i < kGemmSide; ++i)
#pragma unroll
            for (int j = 0; j < kGemmSide; ++j) totals[i][j] += sums[i][j], sums[i][j] = 0;
    };
    int left = g.chain;
    load(0);
#pragma unroll 1
    for (int stage = 0; stage < g.stages; ++stage) {
        wait_for_copies<0>();
        __syncthreads(); // this stage is there, and the one before is free
        load(stage + 1);
#pragma unroll 2
        for (int row = 0; row < T::kRows; ++row) {
            float w[kGemmSide], n[kGemmSide];
            read_gemm_side(&shared.weights[stage & 1][row * T::kFilters + y * kGemmHalf], T::kFilters / 2, w);
            read_gemm_side(&shared.numbers[stage & 1][row * T::kOutputs + x * kGemmHalf], T::kOutputs / 2, n);
#pragma unroll
            for (int i = 0; i < kGemmSide; ++i)
#pragma unroll
                for (int j = 0; j < kGemmSide; ++j) sums[i][j] = __fmaf_rn(w[i], n[j], sums[i][j]);
        }
        if (--left == 0) end_chain(), left = g.chain;
    }
    end_chain();
}

} // namespace kg::gpu
