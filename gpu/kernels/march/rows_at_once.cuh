#pragma once
// The smallest squares of f32 and u16: a thread takes all rows that its outputs reach at once
// (gpu/algorithms/march.cu explains it).

#include "gpu/kernels/march/columns_in_registers.cuh"

namespace kg::gpu {

/// A thread's outputs: 16 bytes of neighbouring samples in each of `Rows` rows. `Blocks` of a multiprocessor
/// are to be resident, as many as there are registers for.
template <typename Sample, int Channels, int Size, int Rows, int Blocks>
struct RowsAtOnce : ColumnLayout<Sample, Channels, Size, 16> {
    static constexpr int kRows = Rows, kRead = Rows + Size - 1, kBlocks = Blocks;
};

/// Adds all taps. Each row of the image is widened once and added to the output rows that it belongs to.
template <typename L>
__device__ void add_rows(const unsigned (&words)[L::kRead][L::kWords], const float* weights,
                         float (&sums)[L::kRows][L::kSamples]) {
#pragma unroll
    for (int t = 0; t < L::kRead; ++t) {
        float x[L::kWindow];
#pragma unroll
        for (int i = 0; i < L::kWindow; ++i)
            x[i] = widened<typename L::In>(words[t][i / L::kInWord], i % L::kInWord);
#pragma unroll
        for (int r = 0; r < L::kRows; ++r) {
            const int kernel_row = t - r;
            if (kernel_row < 0 || kernel_row >= L::kSize) continue;
            float row_sums[L::kSamples]; // or all sums so far, continued in one chain
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s) row_sums[s] = L::kByRows ? 0.0f : sums[r][s];
#pragma unroll
            for (int j = 0; j < L::kSize; ++j)
#pragma unroll
                for (int s = 0; s < L::kSamples; ++s)
                    row_sums[s] = __fmaf_rn(weights[kernel_row * L::kSize + j],
                                            x[L::kBefore - L::kHalo + j * L::kChannels + s], row_sums[s]);
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s)
                sums[r][s] = L::kByRows ? sums[r][s] + row_sums[s] : row_sums[s];
        }
    }
}

/// The same for floats, tap by tap. `Careful`: zeros are not taps, as floats may be NaN; a test serves all
/// rows.
template <typename L, bool Careful>
__device__ void add_taps(const unsigned (&words)[L::kRead][L::kWords], const float* weights,
                         float (&sums)[L::kRows][L::kSamples]) {
#pragma unroll
    for (int i = 0; i < L::kSize; ++i) {
        float row_sums[L::kRows][L::kSamples];
#pragma unroll
        for (int r = 0; r < L::kRows; ++r)
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s) row_sums[r][s] = L::kByRows ? 0.0f : sums[r][s];
#pragma unroll
        for (int j = 0; j < L::kSize; ++j) {
            const float weight = weights[i * L::kSize + j];
            if (Careful && weight == 0.0f) continue;
#pragma unroll
            for (int r = 0; r < L::kRows; ++r)
#pragma unroll
                for (int s = 0; s < L::kSamples; ++s) {
                    const int at = L::kBefore - L::kHalo + j * L::kChannels + s;
                    row_sums[r][s] = __fmaf_rn(weight, __uint_as_float(words[r + i][at]), row_sums[r][s]);
                }
        }
#pragma unroll
        for (int r = 0; r < L::kRows; ++r)
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s)
                sums[r][s] = L::kByRows ? sums[r][s] + row_sums[r][s] : row_sums[r][s];
    }
}

template <typename L>
__global__ void __launch_bounds__(kColumnLanes* kColumnWarps, L::kBlocks)
    sum_rows_at_once(const __grid_constant__ StageParameters<kFewWeights> p,
                     const __grid_constant__ ColumnGrid grid) {
    using In = typename L::In;
    constexpr bool kMayBeNaN = !std::is_integral_v<In>;
    const auto& c = p.common;
    if (c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const ThreadPlace own(c, grid, L::kSamples);
    if (!own.exists) return;
    if (!own.whole) return compute_pixel<L, kMayBeNaN, false>(p, item, grid, own.column, own.row);
    unsigned words[L::kRead][L::kWords];
    Windows<L>(c, item, own.column, own.row).next(words);
    float sums[L::kRows][L::kSamples] = {};
    if constexpr (kMayBeNaN) {
        if (c.kernels[0].skip_zeros) add_taps<L, true>(words, p.weights, sums);
        else if constexpr (L::kChannels > 1) add_taps<L, false>(words, p.weights, sums); // 5 % faster
        else add_rows<L>(words, p.weights, sums);
    } else add_rows<L>(words, p.weights, sums);
    if (const float divisor = c.kernels[0].divisor; divisor != 1.0f) {
        const float reciprocal = 1.0f / divisor;
#pragma unroll
        for (int r = 0; r < L::kRows; ++r)
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s) sums[r][s] = divided_float(sums[r][s], divisor, reciprocal);
    }
    const bool together = grid.wide_stores && own.column >= 0 &&
                          own.column + L::kSamples <= c.dst_width * L::kChannels;
    if (together && grid.plain && own.row + L::kRows <= c.dst_height) {
        auto* to = item.dst + std::int64_t{own.row} * item.dst_pitch +
                   std::int64_t{own.column} * (c.floats ? 4 : L::kSampleBytes);
#pragma unroll
        for (int r = 0; r < L::kRows; ++r) store_all<In>(c, item, to + r * item.dst_pitch, sums[r]);
        return;
    }
    // In local memory: the code of all cases, once for each row, is most of a kernel.
    float copy[L::kRows][L::kSamples];
#pragma unroll
    for (int r = 0; r < L::kRows; ++r)
#pragma unroll
        for (int s = 0; s < L::kSamples; ++s) copy[r][s] = sums[r][s];
#pragma unroll 1
    for (int r = 0; r < L::kRows && own.row + r < c.dst_height; ++r)
        put_quotients<L>(c, item, grid, own.column, own.row + r, together, copy[r]);
}

} // namespace kg::gpu
