#pragma once
// The device code of `box` (gpu/algorithms/box.cu).

#include "gpu/kernels/box_sums.hpp"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

/// The outputs of a thread block, relative to the rectangle of outputs; the first ones may lie before it.
struct BoxTile {
    int x, y;
    int end;   ///< behind its last row
    int steps; ///< kBoxRows rows each

    __device__ BoxTile(const StageCommon& c, const BoxGrid& grid)
        : x(static_cast<int>(blockIdx.x) % grid.across * grid.width - grid.before_x),
          y(static_cast<int>(blockIdx.x) / grid.across * grid.rows - grid.before_y),
          end(min(y + grid.rows, c.dst_height)), steps((end - y + kBoxRows - 1) / kBoxRows) {}
};

/// The memory of a thread block (box_bytes(), box_scratch_bytes()).
struct BoxMemory {
    float* sums;         ///< [buffers][kBoxRows][pitch] of column sums
    float* staged;       ///< [kBoxRowWarps][box_staged()] of outputs
    float* of_runs;      ///< [kBoxRowWarps][box_run_sums()]
    int* sources;        ///< [columns]: where a column lies in a row of the source; negative: zeros
    float *ends, *slots; ///< [2][columns], [groups][columns] of BoxColumn

    __device__ BoxMemory(const BoxWindow& window, const BoxGrid& grid, int channels, float* shared,
                         float* scratch) {
        sums = shared;
        staged = sums + grid.buffers * kBoxRows * grid.pitch;
        of_runs = staged + kBoxRowWarps * box_staged(channels);
        sources = reinterpret_cast<int*>(of_runs + kBoxRowWarps * box_run_sums(channels, window.along));
        auto* rest = reinterpret_cast<float*>(sources + grid.columns);
        const int of_column = grid.groups + (grid.ends_in_scratch() ? 2 : 0);
        auto* own = scratch +
                    (std::int64_t{blockIdx.z} * grid.blocks + blockIdx.x) * of_column * grid.columns;
        ends = grid.ends_in_scratch() ? own + grid.groups * grid.columns : rest;
        slots = grid.in_scratch ? own : rest + 2 * grid.columns;
    }
};

/// Reads eight rows of a column. Those that no output needs may lie outside the source and are zeros.
struct BoxReader {
    const StageCommon& c;
    const StageItem& item;
    int begin, end; ///< rows that outputs need, beside the image too

    __device__ BoxReader(const StageCommon& common, const StageItem& of)
        : c(common), item(of), begin(c.dst_y - c.up), end(begin + c.dst_height + c.reach_height - 1) {}

    /// `row` counts from the image's corner. Call with the whole warp.
    __device__ __forceinline__ void load(int row, int source, float (&rows)[kBoxRows]) const {
        if (row >= max(begin, 0) && row + kBoxRows <= min(end, c.height)) {
            assert(has_row(c, row) && has_row(c, row + kBoxRows - 1));
            const auto* from = at(row - c.src_y, source);
#pragma unroll
            for (int r = 0; r < kBoxRows; ++r) rows[r] = source < 0 ? 0.0f : read(from + r * item.src_pitch);
            return;
        }
        // Each lane finds the place of one row.
        const int own = row + static_cast<int>(threadIdx.x) % kBoxRows;
        const int y = own >= begin && own < end ? index_at_border(c.border, own, c.height) : -1;
        assert(y < 0 || has_row(c, y));
#pragma unroll
        for (int r = 0; r < kBoxRows; ++r) {
            const int from = __shfl_sync(~0u, y, r);
            rows[r] = from < 0 || source < 0 ? 0.0f : read(at(from - c.src_y, source));
        }
    }
    /// Where a column of the tile's samples lies in a row of the source.
    template <int Channels>
    __device__ int source_of(const BoxTile& tile, int column) const {
        const int pixel = tile.x + column / Channels; // before the window's reach to the left
        if (pixel < 0 || pixel >= c.dst_width + c.reach_width - 1) return -1;
        const int x = index_at_border(c.border, c.dst_x - c.left + pixel, c.width);
        return x < 0 ? -1 : (x - c.src_x) * Channels + column % Channels;
    }

private:
    __device__ const std::byte* at(int row, int source) const {
        return item.src + row * item.src_pitch + std::int64_t{source} * static_cast<int>(sizeof(float));
    }
    __device__ float read(const std::byte* from) const {
        assert(is_of_source<float>(c, item, from, sizeof(float)));
        return __ldg(reinterpret_cast<const float*>(from));
    }
};

/// The windows of eight outputs of a column that are at most eight rows high.
__device__ inline void low_windows(const BoxReader& reader, int row, int height, int source,
                                   float (&sums)[kBoxRows]) {
#pragma unroll 1
    for (int i = 0; i < kBoxRows; ++i) {
        float rows[kBoxRows];
        reader.load(row + i + height - kBoxRows, source, rows);
        const float sum = sum_of_last(rows, height);
#pragma unroll
        for (int s = 0; s < kBoxRows; ++s) sums[s] = s == i ? sum : sums[s];
    }
}

/// The warps of columns: column sums of every step into a buffer.
template <int Channels>
__device__ __forceinline__ void sum_columns(const StageCommon& c, const StageItem& item,
                                            const BoxWindow& window, const BoxGrid& grid, const BoxTile& tile,
                                            const BoxMemory& memory) {
    const BoxReader reader(c, item);
    const int own = static_cast<int>(threadIdx.x), threads = grid.column_warps * kWarp;
    const int first_row = c.dst_y + tile.y, first_step = first_row / kBoxRows; // without remainder
    const auto& down = window.down;
    const bool low = down.whole == 0;
    const auto tail_row = [&](int step) { return (step + down.whole) * kBoxRows + down.rest - c.up; };
    const auto column_of = [&](int column) {
        return BoxColumn{memory.slots + column, memory.ends + column, grid.columns, grid.groups};
    };
#pragma unroll 1
    for (int column = own; column < grid.columns; column += threads) {
        const int source = reader.source_of<Channels>(tile, column);
        memory.sources[column] = source; // read by this thread alone, as is all of the column
        if (low) continue;
        begin_column(column_of(column), down, first_step,
                     [&](int step, float(&rows)[kBoxRows]) { reader.load(tail_row(step), source, rows); });
    }
    float head[kBoxRows], tail[kBoxRows];
    const auto load = [&](int step, int column) {
        const int source = memory.sources[column];
        reader.load(step * kBoxRows - c.up, source, head);
        reader.load(tail_row(step), source, tail);
    };
    if (!low) load(first_step, own);
    int slot = grid.groups > 0 ? first_step % grid.groups : 0;
#pragma unroll 1
    for (int i = 0; i < tile.steps; ++i) {
        const int step = first_step + i, buffer = i & (grid.buffers - 1);
#pragma unroll 1
        for (int column = own; column < grid.columns; column += threads) {
            float sums[kBoxRows] = {};
            if (low) {
                low_windows(reader, step * kBoxRows - c.up, down.rest + 1, memory.sources[column], sums);
            } else {
                next_windows(column_of(column), down.rest, slot, head, tail, sums);
                // In flight while this thread waits and stores.
                const bool last = column + threads >= grid.columns;
                if (!last || i + 1 < tile.steps) load(step + last, last ? own : column + threads);
            }
            if (grid.buffers == 1 && i > 0 && column == own) __syncthreads(); // the rows are summed
            auto* to = memory.sums + buffer * kBoxRows * grid.pitch + box_place(Channels, column);
#pragma unroll
            for (int r = 0; r < kBoxRows; ++r) to[r * grid.pitch] = sums[r];
        }
        // The buffers of these steps are full; of several, the rows of the others are summed.
        if ((i + 1) % grid.steps_at_once() == 0 || i + 1 == tile.steps) __syncthreads();
        slot = slot + 1 < grid.groups ? slot + 1 : 0;
    }
}

/// Place of a lane's n-th staged output: box_place() without its division.
template <int Channels>
__device__ __forceinline__ int staged_place(int n, int lane) {
    const int first = n * kWarp, place = box_place(Channels, first);
    int gap = -1; // the first lane behind a gap
#pragma unroll
    for (int i = 1; i < kWarp; ++i)
        if (gap < 0 && box_place(Channels, first + i) > place + i) gap = i;
    if (gap < 0) return place + lane;
    return place + lane + (lane < gap ? 0 : box_place(Channels, first + gap) - place - gap);
}

/// Stores a warp's outputs, which begin at pixel (column, row) of the rectangle of outputs.
template <int Channels>
__device__ __forceinline__ void store_runs(const StageCommon& c, const StageItem& item, float* staged,
                                           int pixels, int column, int row, int lane) {
    constexpr int kSamples = box_runs(Channels) * kBoxRun * Channels;
    static_assert(kSamples % kWarp == 0);
    const int begin = max(-column, 0) * Channels, end = min(pixels, c.dst_width - column) * Channels;
    if (c.computed != (1u << Channels) - 1u) {
        const auto* line = reinterpret_cast<const float*>(item.src + std::int64_t{c.dst_y + row - c.src_y} *
                                                                         item.src_pitch);
        const auto* from = line + std::int64_t{c.dst_x + column - c.src_x} * Channels;
#pragma unroll 1
        for (int s = lane; s < end; s += kWarp) // staged by other lanes, stored below by this one
            if (s >= begin && !(c.computed >> (s % Channels) & 1u)) {
                assert(is_of_source<float>(c, item, from + s, sizeof(float)));
                staged[box_place(Channels, s)] = from[s];
            }
    }
    auto* to = reinterpret_cast<float*>(item.dst + row * item.dst_pitch) + std::int64_t{column} * Channels +
               lane;
#pragma unroll
    for (int n = 0; n < kSamples / kWarp; ++n) {
        const int s = n * kWarp + lane;
        if (s < begin || s >= end) continue;
        assert(is_of_result<float>(c, item, to + n * kWarp, sizeof(float)));
        __stcs(to + n * kWarp, staged[staged_place<Channels>(n, lane)]);
    }
}

/// A warp's outputs of a row, from run `first` of the tile on. `line`: the row's column sums.
template <int Channels>
__device__ __forceinline__ void filter_runs(const StageCommon& c, const StageItem& item,
                                            const BoxWindow& window, const float* line, float* of_runs,
                                            float* staged, int runs, int column, int row) {
    constexpr int kRuns = box_runs(Channels);
    const int lane = static_cast<int>(threadIdx.x) % kWarp, run = lane / Channels, channel = lane % Channels;
    const auto& along = window.along;
    float sums[kBoxRun];
    if (along.whole > 0) {
        const int last = runs + along.whole - 2; // the last whole run in a window
        if (run < kRuns && run <= last) {
            load_run<Channels>(line, run, channel, sums);
            to_suffix_sums(sums);
            of_runs[lane] = sums[0];
#pragma unroll 1
            for (int r = run + kRuns; r <= last; r += kRuns) {
                float v[kBoxRun];
                load_run<Channels>(line, r, channel, v);
                sum_pairs(v);
                of_runs[r * Channels + channel] = v[0];
            }
        }
        __syncwarp();
    }
    if (run < runs) {
        if (along.whole > 0) run_windows<Channels>(line, of_runs, run, channel, along, sums);
        else narrow_windows<Channels>(line, run, channel, along.rest + 1, sums);
#pragma unroll
        for (float& sum : sums) sum = divided_float(window.weight * sum, window.divisor, window.reciprocal);
        const float offset = offset_of(c, channel);
        auto* to = staged + box_place(Channels, run * kBoxRun * Channels) + channel;
#pragma unroll
        for (int i = 0; i < kBoxRun; ++i) to[i * Channels] = sums[i] + offset;
    }
    __syncwarp();
    store_runs<Channels>(c, item, staged, runs * kBoxRun, column, row, lane);
    __syncwarp(); // the next outputs overwrite the warp's memory
}

/// The warps of rows: each sums one row of every step.
template <int Channels>
__device__ __forceinline__ void sum_rows(const StageCommon& c, const StageItem& item, const BoxWindow& window,
                                         const BoxGrid& grid, const BoxTile& tile, const BoxMemory& memory) {
    constexpr int kRuns = box_runs(Channels);
    const int warp = static_cast<int>(threadIdx.x) / kWarp - grid.column_warps;
    auto* staged = memory.staged + warp * box_staged(Channels);
    auto* of_runs = memory.of_runs + warp * box_run_sums(Channels, window.along);
    const int tile_runs = grid.width / kBoxRun;
#pragma unroll 1
    for (int i = 0; i < tile.steps; ++i) {
        const int buffer = i & (grid.buffers - 1), row = tile.y + i * kBoxRows + warp;
        const float* line = memory.sums + (buffer * kBoxRows + warp) * grid.pitch;
        if (i % grid.steps_at_once() == 0) __syncthreads();
        if (row >= 0 && row < tile.end)
#pragma unroll 1
            for (int first = 0; first < tile_runs && tile.x + first * kBoxRun < c.dst_width; first += kRuns)
                filter_runs<Channels>(c, item, window, line + box_place(Channels, first * kBoxRun * Channels),
                                      of_runs, staged, min(kRuns, tile_runs - first),
                                      tile.x + first * kBoxRun, row);
        if (grid.buffers == 1 && i + 1 < tile.steps) __syncthreads();
    }
}

/// At most 64 registers a thread, so that the largest thread block fits.
template <int Channels>
__global__ void __launch_bounds__((kMostColumnWarps + kBoxRowWarps) * kWarp, 1)
    filter_box(const __grid_constant__ StageCommon c, const __grid_constant__ BoxWindow window,
               const __grid_constant__ BoxGrid grid, float* scratch) {
    static_assert(kBoxRowWarps == kBoxRows);
    extern __shared__ float4 shared[];
    if (c.stop.raised_for_block()) return;
    const auto& item = c.items[blockIdx.z];
    const BoxTile tile(c, grid);
    const BoxMemory memory(window, grid, Channels, reinterpret_cast<float*>(shared), scratch);
    if (static_cast<int>(threadIdx.x) < grid.column_warps * kWarp)
        sum_columns<Channels>(c, item, window, grid, tile, memory);
    else sum_rows<Channels>(c, item, window, grid, tile, memory);
}

} // namespace kg::gpu
