#pragma once
// The sums of `separable_tiles` (gpu/algorithms/separable_tiles.cu): sixteen neighbouring outputs of a column
// or a row, to which every sample is added as it comes.
//
//   samples     0 .. 15 | 16 ... | ...    |  16 * whole ...
//   output  0   x x x x   x x x    x x x     x           taps in ascending order, size = 16 * whole + rest
//           :     x x x   x x x    x x x     x x
//          15         x   x x x    x x x     x x x x
//               first     inner, whole - 1   last | behind
//
// The code of the last two blocks exists for each odd `rest`, so that no weight is a padded zero, which would
// let NaN through (semantics 10). The other blocks are common to all sizes.

#include "gpu/kernels/separable_grid.hpp"

#include <cassert>
#include <cmath>
#include <cstdint>

namespace kg::gpu {

/// Blocks of sixteen samples by their place among an output's taps.
enum class TapBlock { first, inner, last, behind };

/// Whether a sample that lies `distance` samples from an output is a tap of it, counted from the block's
/// first weight.
template <TapBlock Place, int Rest>
KG_HOST_DEVICE constexpr bool is_tap(int distance) {
    switch (Place) {
    case TapBlock::first: return distance >= 0;
    case TapBlock::inner: return true;
    case TapBlock::last: return distance < Rest;
    case TapBlock::behind: return distance < Rest - kRun;
    }
    return false;
}

/// Adds a block's samples to sixteen sums. A sample is replaced by the one sixteen further, of which `Next`
/// exist, right after its last use: that many reads are in flight without further registers.
template <TapBlock Place, int Rest, int Next, typename Source>
[[gnu::always_inline]] KG_HOST_DEVICE inline void add_block(const float* weights, Source& source,
                                                            float (&samples)[kRun], float (&sums)[kRun]) {
    constexpr auto kTap = is_tap<Place, Rest>;
    float near[2 * kRun] = {}; // the weights from 16 before the block's first on
    KG_UNROLL
    for (int j = 0; j < 2 * kRun; ++j)
        if (kTap(j - kRun)) near[j] = weights[j - kRun];
    KG_UNROLL
    for (int i = 0; i < kRun; ++i) {
        KG_UNROLL
        for (int o = kRun - 1; o >= 0; --o)
            if (kTap(i - o)) sums[o] = fmaf(samples[i], near[kRun + i - o], sums[o]);
        source.template replace<Next>(i, samples);
    }
}

/// The last two blocks. `rest` is odd.
template <int Rest = kRun - 1, typename Source>
[[gnu::always_inline]] KG_HOST_DEVICE inline void add_last(int rest, const float* weights, Source& source,
                                                           float (&samples)[kRun], float (&sums)[kRun]) {
    if (rest == Rest) {
        add_block<TapBlock::last, Rest, Rest - 1>(weights, source, samples, sums);
        if constexpr (Rest > 1) add_block<TapBlock::behind, Rest, 0>(weights + kRun, source, samples, sums);
    } else if constexpr (Rest > 1) {
        add_last<Rest - 2>(rest, weights, source, samples, sums);
    }
}

/// The sums of sixteen neighbouring outputs, whose samples `source` yields in order: size + 15.
template <typename Source>
[[gnu::always_inline]] KG_HOST_DEVICE inline void sum_run(const float* weights, const SeparableSpan& span,
                                                          Source& source, float (&sums)[kRun]) {
    float samples[kRun];
    source.begin(samples);
    KG_UNROLL
    for (float& sum : sums) sum = 0;
    add_block<TapBlock::first, 0, kRun>(weights, source, samples, sums);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int b = 1; b < span.whole; ++b)
        add_block<TapBlock::inner, 0, kRun>(weights + b * kRun, source, samples, sums);
    add_last(span.rest, weights + span.whole * kRun, source, samples, sums);
}

/// A row of column sums in shared memory, read four at a time: up to two more than there are taps.
struct RowSource {
    const float* at; ///< 16-byte aligned

    [[gnu::always_inline]] KG_HOST_DEVICE inline void begin(float (&samples)[kRun]) {
        KG_UNROLL
        for (int i = 3; i < kRun; i += 4) replace<kRun>(i, samples);
    }
    template <int Next>
    [[gnu::always_inline]] KG_HOST_DEVICE inline void replace(int i, float (&samples)[kRun]) {
        if (i % 4 == 3 && i - 3 < Next) {
            const float* four = at + i - 3;
#ifdef __CUDA_ARCH__
            const auto v = *reinterpret_cast<const float4*>(four);
            samples[i - 3] = v.x, samples[i - 2] = v.y, samples[i - 1] = v.z, samples[i] = v.w;
#else
            assert(reinterpret_cast<std::uintptr_t>(four) % 16 == 0);
            for (int j = 0; j < 4; ++j) samples[i - 3 + j] = four[j];
#endif
        }
        if (i == kRun - 1) at += kRun;
    }
};

} // namespace kg::gpu
