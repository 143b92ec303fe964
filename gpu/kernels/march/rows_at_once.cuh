#pragma once
// The smallest squares of f32: a thread takes all rows that its outputs reach at once
// (gpu/algorithms/march.cu explains it).

#include "gpu/kernels/march/columns_in_registers.cuh"

namespace kg::gpu {

/// A thread's outputs: four neighbouring samples of kRows rows, as many as there are registers for.
template <int Channels, int Size>
struct RowsAtOnce : ColumnLayout<float, Channels, Size, 16> {
    using Base = ColumnLayout<float, Channels, Size, 16>;
    static constexpr int kRows = Base::kWords * (Size + 3) <= 100 ? 4 : 2, kRead = kRows + Size - 1;
    static constexpr int kRegisters = Base::kWords * kRead + 4 * kRows;
    /// Resident blocks per multiprocessor.
    static constexpr int kBlocks = kRegisters <= 56 ? 6 : kRegisters <= 84 ? 5 : kRegisters <= 100 ? 4 : 3;
};

/// `Careful`: zeros are not taps.
template <typename L, bool Careful>
__device__ void add_taps_of_rows(const unsigned (&words)[L::kRead][L::kWords], const float* weights,
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
                    sums[r][s] = __fmaf_rn(weight, __uint_as_float(words[r + i][at]), sums[r][s]);
                }
        }
}

template <int Channels, int Size>
__global__ void __launch_bounds__(kColumnLanes* kColumnWarps, RowsAtOnce<Channels, Size>::kBlocks)
    sum_rows_at_once(const __grid_constant__ StageParameters<kFewWeights> p,
                     const __grid_constant__ ColumnGrid grid) {
    using L = RowsAtOnce<Channels, Size>;
    const auto& c = p.common;
    if (c.stop.raised()) return;
    const auto& item = c.items[blockIdx.z];
    const ThreadPlace own(c, grid, L::kSamples);
    if (!own.exists) return;
    if (!own.whole) return compute_pixel<L, true, false>(p, item, grid, own.column, own.row);
    unsigned words[L::kRead][L::kWords];
    Windows<L>(c, item, own.column, own.row).next(words);
    float sums[L::kRows][L::kSamples] = {};
    if (c.kernels[0].skip_zeros) add_taps_of_rows<L, true>(words, p.weights, sums);
    else add_taps_of_rows<L, false>(words, p.weights, sums);
    if (const float divisor = c.kernels[0].divisor; divisor != 1.0f) {
        const float reciprocal = 1.0f / divisor;
#pragma unroll
        for (int r = 0; r < L::kRows; ++r)
#pragma unroll
            for (int s = 0; s < L::kSamples; ++s) sums[r][s] = divided_float(sums[r][s], divisor, reciprocal);
    }
    const bool together = grid.wide_stores && own.column >= 0 &&
                          own.column + L::kSamples <= c.dst_width * Channels;
    if (together && grid.plain && own.row + L::kRows <= c.dst_height) {
        auto* to = item.dst + std::int64_t{own.row} * item.dst_pitch + std::int64_t{own.column} * 4;
#pragma unroll
        for (int r = 0; r < L::kRows; ++r) store_all<float>(c, item, to + r * item.dst_pitch, sums[r]);
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
        put_quotients<L, false>(c, item, grid, own.column, own.row + r, together, copy[r]);
}

} // namespace kg::gpu
