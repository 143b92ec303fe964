#pragma once
// RGBA of bytes weighted by alpha (semantics 7), by the products of `toeplitz` (gpu/algorithms/toeplitz.cu).
//
// The tile has colour times alpha in two planes for each channel, its low and high bytes, and alpha in one.
// Weights are three digits, and the integer sums n of colour times alpha and d of alpha do not round: colour
// is n / d. What is left is the rounding of the weights, by at most `off` in total:
//
//      |n' / d' - n / d| <= off * 255 * 255 / d
//
// This is far below what semantics 11 allows, unless alpha is faint all around an output. Outputs whose sum
// of alpha is below AlphaFinish::faint are therefore computed again from the weights themselves, in float64.

#include "gpu/kernels/tensor/alpha_finish.hpp"
#include "gpu/kernels/tensor/toeplitz_store.cuh"

namespace kg::gpu::toeplitz {

inline constexpr int kAlpha = 3; // channel

/// The weights before they were rounded, row by row.
struct ExactWeights {
    float weights[kMostToeplitzWidth * kMostToeplitzHeight];
};

/// A sum of several powers of 256, the lowest first. Exact below 2^24.
template <int Powers>
__device__ float whole_sum(const int (&sums)[Powers][4], int e) {
    float sum = __int2float_rn(sums[Powers - 1][e]);
#pragma unroll
    for (int p = Powers - 2; p >= 0; --p) sum = __fmaf_rn(sum, 256.0f, __int2float_rn(sums[p][e]));
    return sum;
}

/// Stages a lane's outputs of alpha, and the sums that the other channels are divided by: `divisors`
/// [output][32], 0 where alpha is not positive. Returns a bit for each output whose alpha is faint.
__device__ inline unsigned finish_alpha(const AlphaFinish& finish, const WarpSums<kMostDigits + 1>& sums,
                                        float* divisors, unsigned* staged) {
    unsigned faint = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        int levels[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float sum = whole_sum(sums[r], sum_of_output(i));
            levels[i] = to_saturate(divided(sum, finish.unit, finish.reciprocal));
            divisors[(4 * r + i) * kLanes] = fminf(fmaxf(sum, 0.0f), finish.full);
            faint |= (fabs(sum) < finish.faint ? 1u : 0u) << (4 * r + i);
        }
        staged[r * kLanes] = pack_saturated(levels[0], levels[1], levels[2], levels[3]);
    }
    return faint;
}

/// Stages a lane's outputs of a colour from its sums and those of alpha.
__device__ inline void finish_colour(const WarpSums<kMostDigits + 1>& sums, const float* divisors,
                                     unsigned* staged) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        int levels[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float divisor = divisors[(4 * r + i) * kLanes], sum = whole_sum(sums[r], sum_of_output(i));
            const float reciprocal = __fdividef(1.0f, divisor); // one instruction
            levels[i] = divisor > 0.0f ? to_saturate(divided(sum, divisor, reciprocal)) : 0;
        }
        staged[r * kLanes] = pack_saturated(levels[0], levels[1], levels[2], levels[3]);
    }
}

/// Whether the pixels that two neighbouring columns of a lane's outputs reach have any alpha, or a few pixels
/// beside them. `alpha`: the strip's plane; `first`: the first pixel.
__device__ inline bool has_alpha(const ToeplitzShape& shape, const unsigned* alpha, int first, int rows) {
    const int begin = first / kBlock,
              end = min((first + shape.width) / kBlock + 1, shape.row_pixels / kBlock);
    unsigned any = 0;
#pragma unroll 1
    for (int row = 0; row < rows; ++row)
#pragma unroll 1
        for (int block = begin; block < end; ++block) {
            const auto four = reinterpret_cast<const uint4*>(alpha + row * shape.pitch())[block];
            any |= four.x | four.y | four.z | four.w;
        }
    return any != 0;
}

/// Computes a lane's outputs of faint alpha anew, all channels. `planes`: the strip's. `rows`: of the strip's
/// tile.
__device__ __noinline__ void finish_faint(const ToeplitzShape& shape, const AlphaFinish& finish,
                                          const ExactWeights& exact, const unsigned* planes, int rows,
                                          unsigned faint, unsigned* staged) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    const auto* alpha = planes + kAlphaPlane * shape.plane();
#pragma unroll 1
    for (int pair = 0; pair < 2; ++pair) {
        const int first = shape.lead + output_of_lane(lane, 2 * pair);
        unsigned left = faint & 0x33333333u << 2 * pair;
        if (left != 0 && !has_alpha(shape, alpha, first, rows)) left = 0; // they are 0 already
#pragma unroll 1
        for (int i = 0; i < 16 && __any_sync(~0u, left != 0); ++i) {
            const int output = i / 2 * 4 + 2 * pair + i % 2, row = i / 2;
            if (!(left >> output & 1u)) continue;
            left &= ~(1u << output);
            double colours[3] = {}, sum = 0;
#pragma unroll 1
            for (int y = 0; y < shape.height; ++y) {
                const auto* line = reinterpret_cast<const std::uint8_t*>(planes + (row + y) * shape.pitch());
#pragma unroll 1
                for (int x = 0; x < shape.width; ++x) {
                    const auto* at = line + byte_of_pixel(first + i % 2 + x);
                    const double weight = exact.weights[y * shape.width + x];
                    const auto plane = [&](int k) { return static_cast<int>(at[4 * k * shape.plane()]); };
                    sum = __fma_rn(weight, static_cast<double>(plane(kAlphaPlane)), sum);
#pragma unroll
                    for (int k = 0; k < 3; ++k)
                        colours[k] = __fma_rn(
                            weight, static_cast<double>(plane(2 * k + 1) << 8 | plane(2 * k)), colours[k]);
                }
            }
            const auto put = [&](int channel, double level) {
                auto* word = staged + (channel * kRows + row) * kLanes;
                reinterpret_cast<std::uint8_t*>(word)[output % 4] = static_cast<std::uint8_t>(
                    min(max(__double2int_rn(level), 0), 255));
            };
            const double level = fmin(fmax(sum / finish.divisor, 0.0), 255.0);
            put(kAlpha, level);
#pragma unroll
            for (int k = 0; k < 3; ++k) put(k, level > 0 ? colours[k] / finish.divisor / level : 0.0);
        }
    }
}

/// `shape.split`: 1, or 4 with one strip. Two blocks of four warps fill a multiprocessor's registers, and up
/// to 32 x 40 weights fit its shared memory, too.
__global__ void __launch_bounds__(kLanes* kMostStrips, 2)
    filter_toeplitz_alpha(const __grid_constant__ StageCommon c, const __grid_constant__ ToeplitzShape shape,
                          const __grid_constant__ AlphaFinish finish,
                          const __grid_constant__ ExactWeights exact) {
    if constexpr (!kMultipliesBytes) return;
    constexpr int kOfChannel = kRows * kLanes;
    extern __shared__ uint4 memory[]; // table of taps, planes, staged bytes, sums of alpha
    auto* const table = reinterpret_cast<unsigned*>(memory);
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    const auto place = place_of(c, shape, table);
    const bool stopped = threadIdx.x == 0 && c.stop.raised();
    lay_out_table(shape, table);
    fill<std::uint8_t, true>(c, item, shape, place);
    if (__syncthreads_or(stopped)) return;

    const auto [strip, first] = part_of_warp(shape);
    const int row = place.row + strip * kRows;
    if (row >= c.dst_height) return; // whole strips: the only one of a block has outputs
    const auto* planes = place.planes + strip * kRows * shape.pitch();
    auto* const behind = place.planes + kWeightedPlanes * shape.plane();
    auto* const staged = behind + strip * 4 * kOfChannel + lane;
    auto* const divisors = reinterpret_cast<float*>(behind + (shape.strips + strip) * 4 * kOfChannel) + lane;
    unsigned faint = 0;
#pragma unroll 1
    for (int channel = kAlpha - first; channel >= 0; channel -= shape.split) { // alpha first
        const auto* plane = planes + 2 * channel * shape.plane();
        WarpSums<kMostDigits + 1> sums = {};
        if (shape.sets == 1) sum_planes<1>(shape, plane, table, channel == kAlpha ? 1 : 2, sums);
        else sum_planes<2>(shape, plane, table, channel == kAlpha ? 1 : 2, sums);
        if (channel == kAlpha) faint = finish_alpha(finish, sums, divisors, staged + kAlpha * kOfChannel);
        if (shape.split > 1) __syncthreads();
        if (channel < kAlpha) finish_colour(sums, divisors, staged + channel * kOfChannel);
    }
    if (shape.split > 1) __syncthreads();
    const int rows = min(kRows, c.dst_height - row);
    faint &= ~0u >> 4 * (kRows - rows);
    if (__any_sync(~0u, faint != 0))
        finish_faint(shape, finish, exact, planes, rows + shape.height - 1, faint, staged);
    if (shape.split > 1) __syncthreads();
    store_strip<std::uint8_t>(c, item, first, shape.split, {place.column, row, 0, staged});
}

} // namespace kg::gpu::toeplitz
