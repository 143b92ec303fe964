#pragma once
// The launches of `decimated` (gpu/algorithms/decimated.cu), and what they share: where the cells are.

#include "gpu/kernels/decimation.hpp"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

inline constexpr int kDecimatedThreads = 128, kDecimatedWarps = kDecimatedThreads / kWarp;
inline constexpr int kRowsInFlight = 8;      // rows that a lane loads at once
inline constexpr int kMostRowsTogether = 8;  // rows of cells that such rows complete
inline constexpr int kRowsAtEnd = 3;         // rows of cells that a tile shares with the one below it
inline constexpr int kInterpolatedRows = 64; // of outputs of a block
inline constexpr int kInterpolatedSamples = 4 * kDecimatedThreads;
inline constexpr int kCellsOfBlock = 4 * kDecimatedThreads; // in a row, of the second launch
inline constexpr int kColumnBlock = 32, kColumnGroup = 4;   // samples, and rows of a thread, of the third

/// Prefilter of both axes, or interpolation: for the rows by the row of a block, for the columns by tap.
struct SplineTables {
    float down[kMostStride][kSplineTaps], along[kMostStride][kSplineTaps];
};

/// The scratch of an item. Sums of a tile share cells with the tiles beside it: each writes its own share.
struct DecimatedMemory {
    std::byte* base;
    std::int64_t own;                ///< bytes of an item
    std::int64_t rows, cells, flags; ///< bytes from the base: cells after the rows, after both passes; tiles
                                     ///< that hold a sample that is not finite
    __host__ __device__ float* partial_of(int item) const {
        return reinterpret_cast<float*>(base + item * own);
    }
    __host__ __device__ float* rows_of(int item) const {
        return reinterpret_cast<float*>(base + item * own + rows);
    }
    __host__ __device__ float* cells_of(int item) const {
        return reinterpret_cast<float*>(base + item * own + cells);
    }
    __host__ __device__ unsigned* flags_of(int item) const {
        return reinterpret_cast<unsigned*>(base + item * own + flags);
    }
};

struct DecimatedGrid {
    DecimatedSpan down, along;
    DecimatedMemory memory;
    int rows_buffer; ///< rows of cells that a warp keeps before it sums along them
    float scale;     ///< of a result, before the divisor
    float divisor;
    Depth in, out;
    /// Rows and samples of a tile's share.
    __host__ __device__ int share_rows() const { return down.tile_blocks + kSplineTaps - 1; }
    __host__ __device__ int share_samples(int channels) const {
        return (along.tile_blocks + kSplineTaps - 1) * channels;
    }
};

template <int Capacity>
struct CoarseTaps {
    float weights[Capacity + 4]; ///< followed by zeros
};

__device__ inline int quotient_down(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// N neighbouring samples of any row of the image, of a lane. Those outside the source count as 0.
template <typename In, int N>
class LaneSamples {
public:
    struct alignas(N * sizeof(In)) Raw {
        In sample[N];
    };
    /// `sample` counts from the image's left edge. `places`: memory of the lane's warp, N rows of kWarp.
    __device__ LaneSamples(const StageCommon& c, int sample, int* places)
        : places_(places + static_cast<int>(threadIdx.x) % kWarp) {
        const int begin = c.src_x * c.channels, end = begin + c.src_width * c.channels;
        first_ = sample - begin;
        const bool own = c.wide_loads && first_ % N == 0 && first_ >= 0 && sample + N <= end;
        together_ = __all_sync(~0u, own);
        if (together_) return;
#pragma unroll 1
        for (int i = 0; i < N; ++i) {
            const int x = quotient_down(sample + i, c.channels), channel = sample + i - x * c.channels;
            const int pixel = index_at_border(c.border, x, c.width);
            const bool there = pixel >= c.src_x && pixel < c.src_x + c.src_width;
            places_[i * kWarp] = there ? (pixel - c.src_x) * c.channels + channel : -1;
        }
    }
    /// `nullptr` stands for a row of zeros.
    __device__ Raw read(const std::byte* row) const {
        if (!row) return {};
        const auto* line = reinterpret_cast<const In*>(row);
        return together_ ? *reinterpret_cast<const Raw*>(line + first_) : gathered(line, places_);
    }

private:
    /// One by one: a call, as its code is long.
    static __device__ __noinline__ Raw gathered(const In* line, const int* places) {
        Raw raw{};
#pragma unroll
        for (int i = 0; i < N; ++i)
            if (const int place = places[i * kWarp]; place >= 0) raw.sample[i] = line[place];
        return raw;
    }

    int* places_;
    int first_;
    bool together_;
};

/// Puts 0 in the places of samples that are not finite, and tells whether there were any.
template <typename Raw, int Rows>
__device__ bool made_finite(Raw (&raw)[Rows]) {
    constexpr int N = sizeof(Raw) / sizeof(float);
    float test[N] = {}; // NaN if a sample is not finite
#pragma unroll
    for (int j = 0; j < Rows; ++j)
#pragma unroll
        for (int i = 0; i < N; ++i) test[i] = __fmaf_rn(raw[j].sample[i], 0.0f, test[i]);
    float all = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) all += test[i];
    if (all == 0.0f) return false;
#pragma unroll
    for (int j = 0; j < Rows; ++j)
#pragma unroll
        for (int i = 0; i < N; ++i)
            if (!isfinite(raw[j].sample[i])) raw[j].sample[i] = 0.0f;
    return true;
}

/// A row of cells of a tile: the prefilter along a row of column sums. A lane sums one block's samples by one
/// of the spline's four pieces; four such sums are a cell. `weights` has rows of pitch kMostStride + 1.
__device__ inline void sum_along(const DecimatedGrid& grid, int channels, const float* row,
                                 const float* weights, float* pieces, float* to) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp, stride = grid.along.stride;
    const int samples = grid.along.tile_blocks * channels, pitch = samples + 8; // blocks times channels
#pragma unroll 1
    for (int item = lane; item < samples * kSplineTaps; item += kWarp) {
        const int piece = item % kSplineTaps, own = item / kSplineTaps, block = own / channels;
        const float* from = row + own + block * channels * (stride - 1);
        const float* weight = weights + piece * (kMostStride + 1);
        const int turned = block * stride / kWarp; // lanes of several blocks begin in other banks
        float sum = 0;
#pragma unroll 4
        for (int i = 0; i < stride; ++i) {
            const int j = (i + turned) & (stride - 1);
            sum = __fmaf_rn(weight[j], from[j * channels], sum);
        }
        pieces[piece * pitch + own] = sum;
    }
    __syncwarp();
#pragma unroll 1
    for (int own = lane; own < samples + 3 * channels; own += kWarp) {
        float sum = 0;
#pragma unroll
        for (int piece = 0; piece < kSplineTaps; ++piece)
            if (const int at = own - (3 - piece) * channels; at >= 0 && at < samples)
                sum += pieces[piece * pitch + at];
        to[own] = sum;
    }
    __syncwarp();
}

/// Places in the shared memory of a warp of the first launch, in floats.
struct WarpMemory {
    int rows, pieces, places, all;
};
__host__ __device__ inline WarpMemory warp_memory(const DecimatedGrid& grid, int channels, int samples) {
    WarpMemory m{};
    m.pieces = grid.rows_buffer * kWarp * samples;
    m.places = m.pieces + kSplineTaps * (grid.along.tile_blocks * channels + 8);
    m.all = (m.places + kWarp * samples + 3) / 4 * 4;
    return m;
}

/// The first launch: shares of cells. A warp marches down its tile, and a lane sums the columns of its
/// samples for the four cells that a row belongs to.
template <typename In>
__global__ void __launch_bounds__(kDecimatedThreads, 4)
    decimate(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
             const __grid_constant__ SplineTables tables) {
    constexpr int N = samples_of_lane(SampleTraits<In>::depth);
    extern __shared__ float4 memory[];
    __shared__ float4 down[kMostStride];
    __shared__ float along[kSplineTaps * (kMostStride + 1)];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
    if (thread < kMostStride) {
        const auto* own = tables.down[thread];
        down[thread] = {own[0], own[1], own[2], own[3]};
#pragma unroll
        for (int i = 0; i < kSplineTaps; ++i) along[i * (kMostStride + 1) + thread] = tables.along[thread][i];
    }
    if (c.stop.raised_for_block()) return;

    const auto places = warp_memory(grid, c.channels, N);
    float* const own = reinterpret_cast<float*>(memory) + warp * places.all;
    const int across = (grid.along.tiles + kDecimatedWarps - 1) / kDecimatedWarps;
    const int tile = static_cast<int>(blockIdx.x) % across * kDecimatedWarps + warp,
              tile_row = static_cast<int>(blockIdx.x) / across;
    if (tile >= grid.along.tiles) return;
    const int stride = grid.down.stride, blocks = grid.down.tile_blocks,
              first_block = (grid.down.first_tile + tile_row) * blocks;
    const int begin = max(first_block, grid.down.first - 2) * stride,
              end = min(first_block + blocks, grid.down.first + grid.down.count + 1) * stride;
    const auto& item = c.items[blockIdx.z];
    const int sample =
        (grid.along.first_tile + tile) * grid.along.tile_blocks * grid.along.stride * c.channels + lane * N;
    const LaneSamples<In, N> samples(c, sample, reinterpret_cast<int*>(own + places.places));
    const int share = grid.share_samples(c.channels);
    float* to = grid.memory.partial_of(static_cast<int>(blockIdx.z)) +
                ((static_cast<std::int64_t>(tile_row) * grid.share_rows() + begin / stride - first_block) *
                     grid.along.tiles +
                 tile) *
                    share;

    const bool inside = begin >= 0 && end <= c.height;
    float sums[kSplineTaps][N] = {}; // of the cells that the rows belong to, the uppermost last
    int complete = 0;                // rows of cells that wait for the sums along them
    bool flagged = false;
    const auto complete_row = [&] {
        auto* row = reinterpret_cast<float4*>(own + complete++ * kWarp * N + lane * N);
#pragma unroll
        for (int i = 0; i < N / 4; ++i)
            row[i] = {sums[3][4 * i], sums[3][4 * i + 1], sums[3][4 * i + 2], sums[3][4 * i + 3]};
#pragma unroll
        for (int i = 0; i < N; ++i) {
            sums[3][i] = sums[2][i], sums[2][i] = sums[1][i], sums[1][i] = sums[0][i];
            sums[0][i] = 0;
        }
    };
    for (int y = begin;; y += kRowsInFlight) {
        if (y < end) {
            typename LaneSamples<In, N>::Raw raw[kRowsInFlight];
#pragma unroll
            for (int j = 0; j < kRowsInFlight; ++j) {
                int row = y + j;
                if (!inside) row = index_at_border(c.border, row, c.height);
                assert(y + j >= end || row < 0 || has_row(c, row));
                const bool there = y + j < end && row >= 0;
                raw[j] = samples.read(there ? item.src + std::int64_t{row - c.src_y} * item.src_pitch
                                            : nullptr);
            }
            if constexpr (std::is_same_v<In, float>) flagged |= made_finite(raw);
#pragma unroll
            for (int j = 0; j < kRowsInFlight; ++j) {
                if (y + j >= end) break;
                const float4 weight = down[(y + j) & (stride - 1)];
#pragma unroll
                for (int i = 0; i < N; ++i) {
                    const auto value = static_cast<float>(raw[j].sample[i]);
                    sums[0][i] = __fmaf_rn(weight.x, value, sums[0][i]);
                    sums[1][i] = __fmaf_rn(weight.y, value, sums[1][i]);
                    sums[2][i] = __fmaf_rn(weight.z, value, sums[2][i]);
                    sums[3][i] = __fmaf_rn(weight.w, value, sums[3][i]);
                }
                if (((y + j + 1) & (stride - 1)) == 0) complete_row();
            }
        } else {
#pragma unroll
            for (int i = 0; i < kRowsAtEnd; ++i) complete_row();
        }
        __syncwarp();
#pragma unroll 1
        for (int row = 0; row < complete; ++row, to += static_cast<std::int64_t>(grid.along.tiles) * share)
            sum_along(grid, c.channels, own + row * kWarp * N, along, own + places.pieces, to);
        complete = 0;
        if (y >= end) break;
    }
    if constexpr (std::is_same_v<In, float>) {
        flagged = __any_sync(~0u, flagged);
        if (lane == 0)
            grid.memory.flags_of(static_cast<int>(blockIdx.z))[tile_row * grid.along.tiles + tile] = flagged;
    }
}

/// A sample of a cell: the sum of the shares of all tiles that reach it, in their order.
__device__ inline float cell_sample(const DecimatedGrid& grid, int channels, const float* partial, int row,
                                    int column, int channel) {
    const auto &down = grid.down, &along = grid.along;
    const int share = grid.share_samples(channels);
    float sum = 0;
    const int last_row = quotient_down(row + 1, down.tile_blocks),
              last_column = quotient_down(column + 1, along.tile_blocks);
#pragma unroll 1
    for (int y = quotient_down(row - 2, down.tile_blocks); y <= last_row; ++y)
#pragma unroll 1
        for (int x = quotient_down(column - 2, along.tile_blocks); x <= last_column; ++x) {
            const auto line = std::int64_t{y - down.first_tile} * grid.share_rows() + row + 1 -
                              y * down.tile_blocks;
            sum += partial[(line * along.tiles + x - along.first_tile) * share +
                           (column + 1 - x * along.tile_blocks) * channels + channel];
        }
    return sum;
}

/// The second launch: the coarse filter along the rows. A block sums cells of one row and channel.
template <int Capacity>
__global__ void __launch_bounds__(kDecimatedThreads)
    filter_cell_rows(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
                     const __grid_constant__ CoarseTaps<Capacity> taps) {
    extern __shared__ float4 line[];
    auto* cells = reinterpret_cast<float*>(line);
    const auto& along = grid.along;
    const int across = (along.out_count + kCellsOfBlock - 1) / kCellsOfBlock;
    const int first = static_cast<int>(blockIdx.x) % across * kCellsOfBlock,
              row = static_cast<int>(blockIdx.x) / across, channel = static_cast<int>(blockIdx.y);
    if (c.stop.raised_for_block()) return;
    const int own = static_cast<int>(threadIdx.x) * 4, outputs = min(kCellsOfBlock, along.out_count - first);
    const int needed = outputs + along.taps - 1, read = (outputs + 3) / 4 * 4 + (along.taps + 3) / 4 * 4 + 4;
    const float* partial = grid.memory.partial_of(static_cast<int>(blockIdx.z));
    for (int i = static_cast<int>(threadIdx.x); i < read; i += kDecimatedThreads) {
        const int column = min(max(along.out_first + first + along.shift + i, along.first),
                               along.first + along.count - 1);
        cells[i] = i < needed ? cell_sample(grid, c.channels, partial, grid.down.first + row, column, channel)
                              : 0.0f;
    }
    __syncthreads();
    if (own >= outputs) return;
    const float4* at = line + threadIdx.x;
    float4 now = *at;
    float sums[4] = {};
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
template <int Capacity>
__global__ void __launch_bounds__(kDecimatedThreads)
    filter_cell_columns(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
                        const __grid_constant__ CoarseTaps<Capacity> taps) {
    const auto& down = grid.down;
    const int samples = grid.along.out_count * c.channels,
              across = (samples + kColumnBlock - 1) / kColumnBlock;
    const int sample = static_cast<int>(blockIdx.x) % across * kColumnBlock + static_cast<int>(threadIdx.x),
              row = (static_cast<int>(blockIdx.x) / across * static_cast<int>(blockDim.y) +
                     static_cast<int>(threadIdx.y)) *
                    kColumnGroup;
    if (c.stop.raised_for_block()) return;
    if (sample >= samples || row >= down.out_count) return;
    const float* rows = grid.memory.rows_of(static_cast<int>(blockIdx.z)) + sample;
    // From the cells that are summed to the first one in memory.
    const int offset = down.out_first + row + down.shift - down.first;
    const auto read = [&](int i) {
        return rows[std::int64_t{min(max(offset + i, 0), down.count - 1)} * samples];
    };
    float window[2 * kColumnGroup], sums[kColumnGroup] = {};
#pragma unroll
    for (int i = 0; i < kColumnGroup; ++i) window[i] = read(i);
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
