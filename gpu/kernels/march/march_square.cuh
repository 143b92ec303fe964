#pragma once
// Square kernels of f32 for warps that march (gpu/algorithms/march.cu explains them).

#include "gpu/kernels/march/march.cuh"

namespace kg::gpu {

/// From this size on each row of the kernel is summed by itself (sums_by_rows()).
inline constexpr int kFirstSizeByRows = 9;

/// Resident blocks per multiprocessor that the registers of a lane allow: sums, windows and the rest.
template <typename L>
constexpr int strip_blocks(int rows_of_sums, int windows) {
    const int registers = rows_of_sums * L::kSums + windows * L::kWindow + L::kSums + 90;
    return registers <= 96 ? 5 : registers <= 128 ? 4 : registers <= 168 ? 3 : 2;
}

/// Adds the taps of one kernel row to a lane's sums.
template <typename L>
__device__ void add_row(const float (&x)[L::kGroups][L::kWindow], const float* weights,
                        float (&sums)[L::kSums]) {
#pragma unroll
    for (int j = 0; j < L::kSize; ++j)
#pragma unroll
        for (int s = 0; s < L::kSums; ++s)
            sums[s] = __fmaf_rn(weights[j], x[s / L::kLane][L::kFirst + j * L::kChannels + s % L::kLane],
                                sums[s]);
}

/// Adds a row of the image to the outputs that it belongs to, those beyond the strip's ends included:
/// testing would cost more. sums[i] is of the output whose next kernel row is size - 1 - i; all move on by
/// one, and the one that is complete becomes `done`.
template <typename L>
__device__ void add_to_all(const float (&x)[L::kGroups][L::kWindow], const float* weights,
                           float (&sums)[L::kSize - 1][L::kSums], float (&done)[L::kSums]) {
    constexpr bool kByRows = L::kSize >= kFirstSizeByRows;
#pragma unroll
    for (int i = 0; i < L::kSize; ++i) {
        const int kernel_row = L::kSize - 1 - i;
        float next[L::kSums], own[L::kSums] = {};
#pragma unroll
        for (int s = 0; s < L::kSums; ++s)
            next[s] = kernel_row == 0 ? 0.0f : sums[i < L::kSize - 1 ? i : 0][s];
        if (kByRows && kernel_row > 0) {
            add_row<L>(x, weights + kernel_row * L::kSize, own);
#pragma unroll
            for (int s = 0; s < L::kSums; ++s) next[s] += own[s];
        } else add_row<L>(x, weights + kernel_row * L::kSize, next);
#pragma unroll
        for (int s = 0; s < L::kSums; ++s) (i == 0 ? done : sums[i > 0 ? i - 1 : 0])[s] = next[s];
    }
}

template <int Channels, int Size, int Groups>
__global__ void __launch_bounds__(32 * kStripWarps,
                                  strip_blocks<StripLayout<float, Channels, Size, 4, Groups>>(Size - 1,
                                                                                              Groups))
    march_square(const __grid_constant__ StageParameters<kFewWeights> p,
                 const __grid_constant__ MarchGrid grid) {
    using L = StripLayout<float, Channels, Size, 4, Groups>;
    extern __shared__ float4 shared[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const Strip strip(c, grid, L::kOwn);
    if (!strip.exists || c.stop.raised()) return;
    Ring<L> ring(c, item, grid, strip, shared);
    StripOutputs<L> outputs(c, item, grid, strip);
    float sums[Size - 1][L::kSums] = {};
    const int rows = strip.outputs + Size - 1;
#pragma unroll 1
    for (int t = 0; t < rows; ++t) {
        const auto* window = ring.next();
        float x[Groups][L::kWindow], done[L::kSums];
#pragma unroll
        for (int g = 0; g < Groups; ++g) read_window<4>(window + g * L::kGroup, x[g]);
        add_to_all<L>(x, p.weights, sums, done);
        ring.bring();
        if (t >= Size - 1) outputs.put(done);
    }
    outputs.mend(p.weights, false);
}

} // namespace kg::gpu
