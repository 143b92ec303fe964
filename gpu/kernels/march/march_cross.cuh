#pragma once
// Separable kernels of f32 and u16 for warps that march (gpu/algorithms/separable_march.cu explains them).

#include "gpu/kernels/march/march.cuh"

namespace kg::gpu {

/// The sums along one row at a lane's outputs.
template <typename L>
__device__ void sum_row(const float* window, const float* weights, float (&sums)[L::kLane]) {
#pragma unroll
    for (int from = 0; from < L::kWindow; from += L::kLane) {
        float x[L::kLane];
        read_window<L::kLane>(window + from, x);
#pragma unroll
        for (int e = 0; e < L::kLane; ++e)
#pragma unroll
            for (int s = 0; s < L::kLane; ++s) {
                const int distance = from + e - L::kFirst - s, j = distance / L::kChannels;
                if (distance < 0 || distance % L::kChannels != 0 || j >= L::kSize) continue;
                sums[s] = __fmaf_rn(weights[j], x[e], sums[s]);
            }
    }
}

/// Adds the sums along a row to the outputs that it belongs to. sums[i] is of the output whose next weight of
/// the column is size - 1 - i; all move on by one, and the one that is complete becomes `done`.
template <typename L>
__device__ void add_row_sums(const float (&row)[L::kLane], const float* weights,
                             float (&sums)[L::kSize - 1][L::kLane], float (&done)[L::kLane]) {
#pragma unroll
    for (int i = 0; i < L::kSize; ++i) {
        const float weight = weights[L::kSize - 1 - i];
#pragma unroll
        for (int s = 0; s < L::kLane; ++s) {
            const float sum = i < L::kSize - 1 ? sums[i < L::kSize - 1 ? i : 0][s] : 0.0f;
            (i == 0 ? done : sums[i > 0 ? i - 1 : 0])[s] = __fmaf_rn(weight, row[s], sum);
        }
    }
}

/// Resident blocks per multiprocessor that the registers of a lane allow.
template <typename L>
constexpr int cross_blocks() {
    const int sums = (L::kSize - 1) * L::kLane;
    return sums <= 32 ? 6 : sums <= 48 ? 5 : sums <= 72 ? 4 : sums <= 100 ? 3 : 2;
}

template <typename Sample, int Channels, int Size, int Lane>
__global__ void __launch_bounds__(32 * kStripWarps,
                                  cross_blocks<StripLayout<Sample, Channels, Size, Lane, 1>>())
    march_cross(const __grid_constant__ StageParameters<kFewWeights> p,
                const __grid_constant__ MarchGrid grid) {
    using L = StripLayout<Sample, Channels, Size, Lane, 1>;
    extern __shared__ float4 shared[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const Strip strip(c, grid, L::kOwn);
    if (!strip.exists || c.stop.raised()) return;
    Ring<L> ring(c, item, grid, strip, shared);
    StripOutputs<L> outputs(c, item, grid, strip);
    float sums[Size - 1][Lane] = {};
    const int rows = strip.outputs + Size - 1;
#pragma unroll 1
    for (int t = 0; t < rows; ++t) {
        const auto* window = ring.next();
        float row[Lane] = {}, done[Lane];
        sum_row<L>(window, p.weights + Size, row);
        add_row_sums<L>(row, p.weights, sums, done);
        ring.bring();
        if (t >= Size - 1) outputs.put(done);
    }
    outputs.mend(p.weights, true);
}

} // namespace kg::gpu
