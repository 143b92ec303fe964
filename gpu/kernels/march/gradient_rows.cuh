#pragma once
// Small kernels that a stage combines: a thread takes all rows that its outputs reach at once and sums one
// kernel after the other over them (gpu/algorithms/gradient.cu explains it).

#include "gpu/kernels/march/columns_in_registers.cuh"

namespace kg::gpu {

/// A thread's outputs: neighbouring samples of kRows rows, as many as there are registers for.
template <typename In, int Channels, int Size>
struct GradientRows : ColumnLayout<In, Channels, Size, sizeof(In) == 4 ? 16 : 8> {
    using Base = ColumnLayout<In, Channels, Size, sizeof(In) == 4 ? 16 : 8>;
    static constexpr int kRows = Size == 3 && Base::kSamples == 4 ? 4 : 2, kRead = kRows + Size - 1;
    static constexpr int kBlocks = Base::kWindow * kRead <= 64 ? 4 : 3; ///< resident, per multiprocessor
};

/// Adds the taps of a kernel to the sums of all rows. `Careful`: zeros are not taps.
template <typename L, bool Careful>
__device__ __forceinline__ void add_square(const float (&x)[L::kRead][L::kWindow], const float* weights,
                                           float (&sums)[L::kRows][L::kSamples]) {
#pragma unroll
    for (int i = 0; i < L::kSize; ++i)
#pragma unroll
        for (int j = 0; j < L::kSize; ++j) {
            const float weight = weights[i * L::kSize + j];
            if (Careful && weight == 0.0f) continue;
#pragma unroll
            for (int r = 0; r < L::kRows; ++r)
#pragma unroll
                for (int s = 0; s < L::kSamples; ++s) {
                    const int at = L::kBefore - L::kHalo + j * L::kChannels + s;
                    sums[r][s] = __fmaf_rn(weight, x[r + i][at], sums[r][s]);
                }
        }
}

/// One pixel (x, y) of the rectangle of outputs, tap by tap, in the same order. `beside`: only the samples
/// that no whole column has.
template <typename L>
__device__ __noinline__ void combine_pixel(const StageParameters<kFewWeights>& p, const StageItem& item,
                                           const ColumnGrid& grid, bool beside, int x, int y) {
    const auto& c = p.common;
    float values[L::kChannels] = {};
#pragma unroll 1
    for (int k = 0; k < c.kernel_count; ++k) {
        float sums[L::kChannels] = {};
        sum_pixel<L, true, false>(c, item, p.weights + c.kernels[k].first, x, y, sums);
        divide_in_less_code<typename L::In>(sums, c.kernels[k]);
        combine(c.combine, values, sums);
    }
    if (c.combine == Combine::l2) take_roots(values);
    put_pixel<L>(c, item, grid, beside, x, y, values);
}

/// All pixels of a thread's samples, some of which have squares that overflow.
template <typename L>
__device__ void combine_pixels(const StageParameters<kFewWeights>& p, const StageItem& item,
                               const ColumnGrid& grid, int column, int row) {
    const auto& c = p.common;
    const int begin = max(column, 0) / L::kChannels,
              end = min((column + L::kSamples + L::kChannels - 1) / L::kChannels, c.dst_width);
#pragma unroll 1
    for (int y = row; y < min(row + L::kRows, c.dst_height); ++y)
#pragma unroll 1
        for (int x = begin; x < end; ++x) combine_pixel<L>(p, item, grid, false, x, y);
}

template <typename In, int Channels, int Size>
__global__ void __launch_bounds__(kColumnLanes* kColumnWarps, GradientRows<In, Channels, Size>::kBlocks)
    combine_rows_at_once(const __grid_constant__ StageParameters<kFewWeights> p,
                         const __grid_constant__ ColumnGrid grid) {
    using L = GradientRows<In, Channels, Size>;
    const auto& c = p.common;
    if (c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const ThreadPlace own(c, grid, L::kSamples);
    if (!own.exists) return;
    if (!own.whole) return combine_pixel<L>(p, item, grid, true, own.column, own.row);
    float x[L::kRead][L::kWindow];
    {
        unsigned words[L::kRead][L::kWords];
        Windows<L>(c, item, own.column, own.row).next(words);
#pragma unroll
        for (int r = 0; r < L::kRead; ++r)
#pragma unroll
            for (int i = 0; i < L::kWindow; ++i)
                x[r][i] = widened<In>(words[r][i / L::kInWord], i % L::kInWord);
    }
    float values[L::kRows][L::kSamples] = {};
#pragma unroll 1
    for (int k = 0; k < c.kernel_count; ++k) {
        float sums[L::kRows][L::kSamples] = {};
        const auto* weights = p.weights + c.kernels[k].first;
        if (std::is_same_v<In, float> && c.kernels[k].skip_zeros) add_square<L, true>(x, weights, sums);
        else add_square<L, false>(x, weights, sums);
#pragma unroll
        for (int r = 0; r < L::kRows; ++r) {
            divide_in_less_code<In>(sums[r], c.kernels[k]);
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s)
                values[r][s] = c.combine == Combine::l2 ? values[r][s] + sums[r][s] * sums[r][s]
                                                        : values[r][s] + fabsf(sums[r][s]);
        }
    }
    if (c.combine == Combine::l2) {
        float largest = 0; // NaN is none
#pragma unroll
        for (int r = 0; r < L::kRows; ++r)
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s) {
                largest = fmaxf(largest, values[r][s]);
                values[r][s] = sqrtf(values[r][s]);
            }
        if (largest > 3.4028234663852886e38f) return combine_pixels<L>(p, item, grid, own.column, own.row);
    }
    const bool together = grid.wide_stores && own.column >= 0 &&
                          own.column + L::kSamples <= c.dst_width * Channels;
    if (together && grid.plain && own.row + L::kRows <= c.dst_height) {
        auto* to = item.dst + std::int64_t{own.row} * item.dst_pitch +
                   std::int64_t{own.column} * (c.floats ? 4 : L::kSampleBytes);
#pragma unroll
        for (int r = 0; r < L::kRows; ++r) store_all<In>(c, item, to + r * item.dst_pitch, values[r]);
        return;
    }
    float copy[L::kRows][L::kSamples]; // in local memory: the code of all cases is most of a kernel
#pragma unroll
    for (int r = 0; r < L::kRows; ++r)
#pragma unroll
        for (int s = 0; s < L::kSamples; ++s) copy[r][s] = values[r][s];
#pragma unroll 1
    for (int r = 0; r < L::kRows && own.row + r < c.dst_height; ++r)
        put_quotients<L>(c, item, grid, own.column, own.row + r, together, copy[r]);
}

} // namespace kg::gpu
