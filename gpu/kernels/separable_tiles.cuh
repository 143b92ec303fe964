#pragma once
// The device code of `separable_tiles` (gpu/algorithms/separable_tiles.cu).

#include "gpu/kernels/separable_sums.hpp"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

/// A thread block's outputs, from (x, y) of the rectangle of outputs on, and its shared memory.
struct SeparableTile {
    int x, y;
    float* sums;   ///< [rows][pitch] of column sums
    float* staged; ///< [kJobRows][kStagedPitch] of outputs, of a warp
    int* rows;     ///< [source_rows]: rows of the source from its first on; negative: zeros

    __device__ SeparableTile(const SeparableGrid& grid, int warp, float* shared)
        : x(static_cast<int>(blockIdx.x) % grid.across * grid.width),
          y(static_cast<int>(blockIdx.x) / grid.across * grid.rows), sums(shared),
          staged(shared + grid.rows * grid.pitch + warp * kJobRows * kStagedPitch),
          rows(reinterpret_cast<int*>(shared + grid.rows * grid.pitch +
                                      grid.warps * kJobRows * kStagedPitch)) {}

    /// Where rows come from. Those that no output needs may lie outside the source and are zeros.
    __device__ void locate_rows(const StageCommon& c, const SeparableGrid& grid) const {
        const int needed = min(grid.rows, c.dst_height - y) + c.reach_height - 1;
#pragma unroll 1
        for (int t = static_cast<int>(threadIdx.x); t < grid.source_rows; t += grid.threads()) {
            const int row = t < needed ? index_at_border(c.border, c.dst_y - c.up + y + t, c.height) : -1;
            assert(row < 0 || has_row(c, row));
            rows[t] = row < 0 ? -1 : row - c.src_y;
        }
    }

    /// Requests all that the tile reads inside the image from the second-level cache at once; warps take rows
    /// in turn.
    __device__ void prefetch(const StageCommon& c, const StageItem& item, const SeparableGrid& grid,
                             int warp) const {
        constexpr int kLine = 32; // floats
        const int first = c.dst_x - c.left + x,
                  end = first + min(grid.width, c.dst_width - x) + c.reach_width - 1;
        const int begin = max(first, 0), samples = (min(end, c.width) - begin) * c.channels;
        const auto* from = reinterpret_cast<const float*>(item.src) +
                           std::int64_t{begin - c.src_x} * c.channels;
#pragma unroll 1
        for (int s = static_cast<int>(threadIdx.x) % kWarp * kLine; s < samples; s += kWarp * kLine)
#pragma unroll 1
            for (int t = warp; t < grid.source_rows; t += grid.warps) {
                if (rows[t] < 0) continue;
                const auto* at = reinterpret_cast<const std::byte*>(from + s) + rows[t] * item.src_pitch;
                assert(is_of_source<float>(c, item, at, sizeof(float)));
                asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
            }
    }
};

/// A column of the source, read row by row. `Edge`: its rows come from the tile's table, and a column beside
/// the image is zeros.
template <bool Edge>
struct ColumnSource {
    const StageCommon& c;
    const StageItem& item;
    const std::byte* at; ///< the next row; at an edge, the source's first
    const int* row;      ///< at an edge, the next in the table
    bool exists;

    __device__ __forceinline__ float next() {
        const auto* from = Edge ? at + *row * item.src_pitch : at;
        const bool reads = !Edge || (exists && *row >= 0);
        if constexpr (Edge) ++row;
        else at += item.src_pitch;
        assert(!reads || is_of_source<float>(c, item, from, sizeof(float)));
        return reads ? __ldg(reinterpret_cast<const float*>(from)) : 0.0f;
    }
    __device__ __forceinline__ void begin(float (&samples)[kRun]) {
#pragma unroll
        for (float& sample : samples) sample = next();
    }
    template <int Next>
    __device__ __forceinline__ void replace(int i, float (&samples)[kRun]) {
        if (i < Next) samples[i] = next();
    }
};

/// A job of a warp: the sums of 32 columns of samples at sixteen rows of the tile.
__device__ __forceinline__ void sum_columns(const StageCommon& c, const StageItem& item, const float* weights,
                                            const SeparableGrid& grid, const SeparableTile& tile, int job,
                                            int lane) {
    const int group = job / grid.column_jobs, column = (job - group * grid.column_jobs) * kWarp + lane,
              row = group * kRun;
    // Columns behind the last one that an output needs may lie outside the source.
    const int pixel = min(column / c.channels, c.dst_width - tile.x + c.reach_width - 2),
              channel = column % c.channels;
    const int x = index_at_border(c.border, c.dst_x - c.left + tile.x + pixel, c.width),
              y = c.dst_y - c.up + tile.y + row;
    const auto* column_at = item.src + (std::int64_t{x - c.src_x} * c.channels + channel) *
                                           static_cast<int>(sizeof(float));
    const bool inside = y >= 0 && y + kRun + c.reach_height - 1 <= c.height &&
                        tile.y + row + kRun <= c.dst_height;
    float sums[kRun];
    if (inside && __all_sync(~0u, x >= 0)) {
        ColumnSource<false> source{c, item, column_at + (y - c.src_y) * item.src_pitch, nullptr, true};
        sum_run(weights, grid.down, source, sums);
    } else {
        ColumnSource<true> source{c, item, column_at, tile.rows + row, x >= 0};
        sum_run(weights, grid.down, source, sums);
    }
    float* to = tile.sums + row * grid.pitch + grid.place(c.channels, column);
#pragma unroll
    for (int i = 0; i < kRun; ++i) to[i * grid.pitch] = sums[i];
}

/// Places sixteen outputs of a channel of a row among those of its pixels.
__device__ __forceinline__ void stage_run(const float (&outputs)[kRun], int channels, float* to) {
    if (channels == 1) {
#pragma unroll
        for (int i = 0; i < kRun; i += 4)
            *reinterpret_cast<float4*>(to + i) = {outputs[i], outputs[i + 1], outputs[i + 2], outputs[i + 3]};
        return;
    }
#pragma unroll
    for (int i = 0; i < kRun; ++i) to[i * channels] = outputs[i];
}

/// Replaces staged outputs of channels that are not computed by the image's samples.
__device__ __forceinline__ void pass_through_staged(const StageCommon& c, const StageItem& item,
                                                    float* staged, int samples, int x, int rows, int y,
                                                    int lane) {
#pragma unroll 1
    for (int r = 0; r < rows; ++r) {
        const auto* line = reinterpret_cast<const float*>(item.src + std::int64_t{c.dst_y + y + r - c.src_y} *
                                                                         item.src_pitch);
        const auto* from = line + std::int64_t{c.dst_x + x - c.src_x} * c.channels;
#pragma unroll 1
        for (int s = lane; s < samples; s += kWarp) {
            if (c.computed >> (s % c.channels) & 1u) continue;
            assert(is_of_source<float>(c, item, from + s, sizeof(float)));
            staged[r * kStagedPitch + s] = from[s];
        }
    }
}

/// Stores a warp's outputs, which begin at pixel (x, y) of the rectangle of outputs.
__device__ __forceinline__ void store_staged(const StageCommon& c, const StageItem& item, const float* staged,
                                             int samples, int x, int rows, int y, int lane) {
    auto* to = item.dst + y * item.dst_pitch + std::int64_t{x} * c.channels * static_cast<int>(sizeof(float));
    if (c.wide_stores && samples % 4 == 0) {
        constexpr int kOfRow = kJobSamples / 4, kRows = kWarp / kOfRow;
        const int s = lane % kOfRow * 4, first = lane / kOfRow;
#pragma unroll
        for (int r = first; r < first + kJobRows; r += kRows) {
            if (r >= rows || s >= samples) continue;
            auto* at = reinterpret_cast<float*>(to + r * item.dst_pitch) + s;
            assert(is_of_result<float>(c, item, at, sizeof(float4)));
            __stcs(reinterpret_cast<float4*>(at),
                   *reinterpret_cast<const float4*>(staged + r * kStagedPitch + s));
        }
        return;
    }
#pragma unroll 1
    for (int r = 0; r < rows; ++r)
#pragma unroll 1
        for (int s = lane; s < samples; s += kWarp) {
            auto* at = reinterpret_cast<float*>(to + r * item.dst_pitch) + s;
            assert(is_of_result<float>(c, item, at, sizeof(float)));
            __stcs(at, staged[r * kStagedPitch + s]);
        }
}

/// A job of a warp: up to 64 samples of eight rows of outputs. A lane sums a run of one row and channel.
__device__ __forceinline__ void sum_rows(const StageCommon& c, const StageItem& item, const float* weights,
                                         const SeparableGrid& grid, const SeparableTile& tile, int job,
                                         int lane) {
    const int pixels = job_pixels(c.channels), across = grid.width / pixels;
    const int row = job / across * kJobRows, column = job % across * pixels;
    const int x = tile.x + column, y = tile.y + row;
    if (x >= c.dst_width || y >= c.dst_height) return; // the whole warp
    // With three channels, the lanes of a fourth do the work of the third again.
    const int unit = min(lane / kJobRows, pixels / kRun * c.channels - 1), own_row = lane % kJobRows;
    const int run = unit / c.channels, channel = unit - run * c.channels;
    RowSource source{tile.sums + (row + own_row) * grid.pitch + channel * grid.plane + column + run * kRun};
    float sums[kRun];
    sum_run(weights, grid.along, source, sums);
    if (const float divisor = c.kernels[0].divisor; divisor != 1.0f) {
        const float reciprocal = 1.0f / divisor;
#pragma unroll
        for (float& sum : sums) sum = divided_float(sum, divisor, reciprocal);
    }
    const float offset = offset_of(c, channel);
#pragma unroll
    for (float& sum : sums) sum += offset;
    stage_run(sums, c.channels, tile.staged + own_row * kStagedPitch + run * kRun * c.channels + channel);
    __syncwarp();
    const int samples = min(pixels, c.dst_width - x) * c.channels, rows = min(kJobRows, c.dst_height - y);
    if (c.computed != (1u << c.channels) - 1u) {
        pass_through_staged(c, item, tile.staged, samples, x, rows, y, lane);
        __syncwarp();
    }
    store_staged(c, item, tile.staged, samples, x, rows, y, lane);
    __syncwarp(); // the next outputs overwrite the warp's memory
}

/// At most 64 registers a thread. Weights: the column's, and from half on the row's.
static __global__ void __launch_bounds__(kMostTileWarps* kWarp, 2)
    filter_separable_tiles(const __grid_constant__ StageParameters<kFewWeights> p,
                           const __grid_constant__ SeparableGrid grid) {
    static_assert(2 * kFactorWeights == kFewWeights);
    extern __shared__ float4 shared[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    // Known to the compiler as uniform, so that weights are operands in uniform registers.
    const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / kWarp, 0);
    const SeparableTile tile(grid, warp, reinterpret_cast<float*>(shared));
    tile.locate_rows(c, grid);
    if (c.stop.raised_for_block()) return; // a barrier: the table of rows is complete
    tile.prefetch(c, item, grid, warp);
    const int row_groups = min(grid.rows, c.dst_height - tile.y + kRun - 1) / kRun;
#pragma unroll 1
    for (int job = warp; job < row_groups * grid.column_jobs; job += grid.warps)
        sum_columns(c, item, p.weights, grid, tile, job, lane);
    __syncthreads();
    const int jobs = grid.rows / kJobRows * (grid.width / job_pixels(c.channels));
#pragma unroll 1
    for (int job = warp; job < jobs; job += grid.warps)
        sum_rows(c, item, p.weights + kFactorWeights, grid, tile, job, lane);
}

} // namespace kg::gpu
