#pragma once
// The launches of `decimated` (gpu/algorithms/decimated.cu) between the first and the last: the coarse
// Gaussian over the cells, along their rows, then down their columns.

#include "gpu/kernels/decimation/decimation.cuh"

namespace kg::gpu {

/// The samples of a row of cells: the sums of the shares of all tiles that reach them, in their order.
struct CellRow {
    const DecimatedGrid& grid;
    int channels, row, first_tile, last_tile; ///< tiles down the columns

    __device__ CellRow(const DecimatedGrid& all, int channel_count, int row_of_cells)
        : grid(all), channels(channel_count), row(row_of_cells),
          first_tile(quotient_down(row - 2, all.down.tile_blocks)),
          last_tile(quotient_down(row + 1, all.down.tile_blocks)) {}
    __device__ float operator()(const float* partial, int column, int channel) const {
        const auto &down = grid.down, &along = grid.along;
        const int share = grid.share_samples(channels);
        // Counted from the first block of the first tile; at least 3, as the first tile begins two cells
        // before the first cell.
        const int block = column + 1 - along.first_tile * along.tile_blocks;
        const int tile = along.tile_blocks == 1
                             ? block
                             : static_cast<int>(__umulhi(static_cast<unsigned>(block), grid.inverse));
        int first = tile;
        while (first * along.tile_blocks > block - 3) --first;
        float sum = 0;
#pragma unroll 1
        for (int y = first_tile; y <= last_tile; ++y) {
            const auto line = std::int64_t{y - down.first_tile} * grid.share_rows() + row + 1 -
                              y * down.tile_blocks;
#pragma unroll 1
            for (int x = first; x <= tile; ++x)
                sum += partial[(line * along.tiles + x) * share + (block - x * along.tile_blocks) * channels +
                               channel];
        }
        return sum;
    }
};

/// The second launch: the coarse filter along the rows. A block sums cells of one row and channel.
static __global__ void __launch_bounds__(kDecimatedThreads)
    filter_cell_rows(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
                     const __grid_constant__ CoarseTaps taps) {
    extern __shared__ float4 line[];
    auto* cells = reinterpret_cast<float*>(line);
    const auto& along = grid.along;
    const int across = (along.out_count + kCellsOfBlock - 1) / kCellsOfBlock;
    const int first = static_cast<int>(blockIdx.x) % across * kCellsOfBlock,
              row = static_cast<int>(blockIdx.x) / across, channel = static_cast<int>(blockIdx.y);
    if (c.stop.raised_for_block()) return;
    const int own = static_cast<int>(threadIdx.x) * 4, outputs = min(kCellsOfBlock, along.out_count - first);
    const int needed = outputs + along.taps - 1, read = (outputs + 3) / 4 * 4 + (along.taps + 3) / 4 * 4 + 4;
    const CellRow samples(grid, c.channels, grid.down.first + row);
    const float* partial = grid.memory.partial_of(static_cast<int>(blockIdx.z));
    for (int i = static_cast<int>(threadIdx.x); i < read; i += kDecimatedThreads) {
        const int column = min(max(along.out_first + first + along.shift + i, along.first),
                               along.first + along.count - 1);
        cells[i] = i < needed ? samples(partial, column, channel) : 0.0f;
    }
    __syncthreads();
    if (own >= outputs) return;
    const float4* at = line + threadIdx.x;
    float4 now = *at;
    float sums[4] = {};
#pragma unroll 2
    for (int k = 0; k < along.taps; k += 4) {
        const float4 next = *++at;
        const float window[8] = {now.x, now.y, now.z, now.w, next.x, next.y, next.z, next.w};
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int i = 0; i < 4; ++i) sums[i] = __fmaf_rn(taps.weights[k + j], window[i + j], sums[i]);
        now = next;
    }
    float* to = grid.memory.rows_of(static_cast<int>(blockIdx.z)) +
                (std::int64_t{row} * along.out_count + first + own) * c.channels + channel;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (own + i < outputs) to[i * c.channels] = sums[i];
}

/// The third launch: the coarse filter down the columns. A thread sums a few cells below each other.
static __global__ void __launch_bounds__(kDecimatedThreads)
    filter_cell_columns(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
                        const __grid_constant__ CoarseTaps taps) {
    const auto& down = grid.down;
    const int samples = grid.along.out_count * c.channels,
              across = (samples + kColumnBlock - 1) / kColumnBlock;
    const int sample = static_cast<int>(blockIdx.x) % across * kColumnBlock + static_cast<int>(threadIdx.x),
              row = (static_cast<int>(blockIdx.x) / across * static_cast<int>(blockDim.y) +
                     static_cast<int>(threadIdx.y)) *
                    kColumnGroup;
    if (c.stop.raised_for_block()) return;
    if (sample >= samples || row >= down.out_count) return;
    const auto* rows = reinterpret_cast<const std::byte*>(grid.memory.rows_of(static_cast<int>(blockIdx.z)) +
                                                          sample);
    const auto pitch = static_cast<std::uint64_t>(samples) * sizeof(float);
    // From the cells that are summed to the first one in memory.
    const int offset = down.out_first + row + down.shift - down.first;
    const auto read = [&](int i) {
        const auto place = static_cast<unsigned>(min(max(offset + i, 0), down.count - 1));
        return *reinterpret_cast<const float*>(rows + place * pitch);
    };
    float window[2 * kColumnGroup], sums[kColumnGroup] = {};
#pragma unroll
    for (int i = 0; i < kColumnGroup; ++i) window[i] = read(i);
#pragma unroll 2
    for (int k = 0; k < down.taps; k += kColumnGroup) {
#pragma unroll
        for (int i = 0; i < kColumnGroup; ++i) window[kColumnGroup + i] = read(k + kColumnGroup + i);
#pragma unroll
        for (int j = 0; j < kColumnGroup; ++j)
#pragma unroll
            for (int i = 0; i < kColumnGroup; ++i)
                sums[i] = __fmaf_rn(taps.weights[k + j], window[i + j], sums[i]);
#pragma unroll
        for (int i = 0; i < kColumnGroup; ++i) window[i] = window[kColumnGroup + i];
    }
    float* to = grid.memory.cells_of(static_cast<int>(blockIdx.z)) + std::int64_t{row} * samples + sample;
#pragma unroll
    for (int i = 0; i < kColumnGroup; ++i)
        if (row + i < down.out_count) to[i * std::int64_t{samples}] = sums[i];
}

} // namespace kg::gpu
