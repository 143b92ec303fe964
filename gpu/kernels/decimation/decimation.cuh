#pragma once
// The first launch of `decimated` (gpu/algorithms/decimated.cu), and what all its launches share: where the
// cells are.

#include "gpu/kernels/decimation/decimation.hpp"
#include "gpu/kernels/tile.cuh"

namespace kg::gpu {

inline constexpr int kDecimatedThreads = 128, kDecimatedWarps = kDecimatedThreads / kWarp;
inline constexpr int kRowsInFlight = 8;                   // rows that a lane loads at once
inline constexpr int kLaneSamples = kTileSamples / kWarp; // neighbours in a row that a lane takes
inline constexpr int kRowsHeld = 4;                       // rows of cells that are summed along together
inline constexpr int kRowsAtEnd = 3;         // rows of cells that a tile shares with the one below it
inline constexpr int kInterpolatedRows = 64; // output rows of a block
inline constexpr int kInterpolatedSamples = 4 * kDecimatedThreads;
inline constexpr int kCellsOfBlock = 4 *
                                     kDecimatedThreads; // second launch: cells of a row that a block takes
inline constexpr int kColumnBlock = 32,
                     kColumnGroup = 4; // third launch: samples of a block, rows of a thread

/// Prefilter of both axes, or interpolation: for the rows by the row of a block, for the columns by tap.
struct SplineTables {
    float down[kMostStride][kSplineTaps], along[kMostStride][kSplineTaps];
};

/// The scratch of an item. A block is the `stride` rows or columns between two cells, a tile some blocks. A
/// spline has four pieces: a row of block b adds piece 0 to cell b + 2, piece 1 to b + 1, piece 2 to b
/// and piece 3 to b - 1. Sums of a tile therefore share cells with the tiles beside it: each writes its own
/// share, whose row r is that of cell r - 1, counted from the tile's first block.
struct DecimatedMemory {
    std::byte* base;
    std::int64_t own; ///< bytes of an item
    /// Bytes from the base to the cells after the pass along the rows, to the cells after both passes, and to
    /// the flags of tiles that hold a sample that is not finite.
    std::int64_t rows, cells, flags;
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
    float scale; ///< factor of a result, before the divisor
    float divisor;
    unsigned inverse; ///< 2^32 over the blocks of a tile along the rows, rounded up
    Depth in, out;
    /// Rows and samples of a tile's share.
    __host__ __device__ int share_rows() const { return down.tile_blocks + kSplineTaps - 1; }
    __host__ __device__ int share_samples(int channels) const {
        return (along.tile_blocks + kSplineTaps - 1) * channels;
    }
};

struct CoarseTaps {
    float weights[kMostCoarseTaps + 4]; ///< followed by zeros
};

/// Rounded down. A call, as divisions would be most of these kernels' code.
static __device__ __noinline__ int quotient_down(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// Whether the rows from y on that have a bit in `valid` are in memory.
__device__ inline bool has_rows(const StageCommon& c, int y, unsigned valid) {
    for (int j = 0; valid >> j; ++j)
        if (valid >> j & 1u && !has_row(c, index_at_border(c.border, y + j, c.height))) return false;
    return true;
}

/// A row that may lie outside the image; nullptr if it is zero.
static __device__ __noinline__ const std::byte* row_at_border(const StageCommon& c, const StageItem& item,
                                                              int y) {
    const int row = device_border_index(c.border, y, c.height);
    return row < 0 ? nullptr : item.src + std::int64_t{row - c.src_y} * item.src_pitch;
}

/// The samples that a lane owns of every row: kLaneSamples neighbours. Those outside the source count as 0.
struct LaneSamples {
    int first;     ///< in a row of the source
    bool together; ///< true in all lanes of the warp: the samples are read at once
    int* places;   ///< otherwise the place of each sample in a row of the source; negative outside

    /// `sample` counts from the image's left edge; `memory` is the warp's, for kTileSamples numbers.
    __device__ LaneSamples(const StageCommon& c, int sample, int* memory)
        : places(memory + threadIdx.x % kWarp * kLaneSamples) {
        const int begin = c.src_x * c.channels, end = begin + c.src_width * c.channels;
        first = sample - begin;
        together = __all_sync(~0u, c.wide_loads && first % kLaneSamples == 0 && first >= 0 &&
                                       sample + kLaneSamples <= end);
        if (together) return;
#pragma unroll 1
        for (int i = 0; i < kLaneSamples; ++i) {
            const int x = quotient_down(sample + i, c.channels), channel = sample + i - x * c.channels;
            const int pixel = index_at_border(c.border, x, c.width);
            const bool there = pixel >= c.src_x && pixel < c.src_x + c.src_width;
            places[i] = there ? (pixel - c.src_x) * c.channels + channel : -1;
        }
    }
};

/// The samples of several rows, where they are read at once; rows without a bit in `valid` are zero. No
/// branch separates the reads, so that all are in flight together.
template <typename In>
__device__ void read_rows(const LaneSamples& samples, const std::byte* const (&rows)[kRowsInFlight],
                          unsigned valid, float (&values)[kRowsInFlight][kLaneSamples]) {
    constexpr int kInWord = 4 / sizeof(In);
    struct alignas(kLaneSamples * sizeof(In)) Words { // as an array of bytes, each would take a register
        unsigned word[kLaneSamples / kInWord];
    };
    Words raw[kRowsInFlight];
#pragma unroll
    for (int j = 0; j < kRowsInFlight; ++j) {
        raw[j] = {};
        if (valid >> j & 1u)
            raw[j] = *reinterpret_cast<const Words*>(reinterpret_cast<const In*>(rows[j]) + samples.first);
    }
#pragma unroll
    for (int j = 0; j < kRowsInFlight; ++j)
#pragma unroll
        for (int i = 0; i < kLaneSamples; ++i) {
            const unsigned word = raw[j].word[i / kInWord];
            if constexpr (kInWord == 1) values[j][i] = __uint_as_float(word);
            else if constexpr (kInWord == 2)
                values[j][i] = static_cast<float>(i % 2 == 0 ? word & 0xffff : word >> 16);
            else values[j][i] = static_cast<float>(word >> 8 * i & 0xff);
        }
}

/// The same one by one, through the warp's memory for as many rows of kTileSamples.
__device__ inline void gather_rows(Depth in, const LaneSamples& samples,
                                   const std::byte* const (&rows)[kRowsInFlight], unsigned valid,
                                   float* memory, float (&values)[kRowsInFlight][kLaneSamples]) {
    memory += threadIdx.x % kWarp * kLaneSamples;
#pragma unroll 1
    for (int i = 0; i < kLaneSamples; ++i) {
        const int place = samples.places[i];
        float column[kRowsInFlight] = {};
        const auto read = [&]<typename In>(In) {
#pragma unroll
            for (int j = 0; j < kRowsInFlight; ++j)
                if ((valid >> j & 1u) && place >= 0)
                    column[j] = static_cast<float>(reinterpret_cast<const In*>(rows[j])[place]);
        };
        if (in == Depth::f32) read(float{});
        else if (in == Depth::u16) read(std::uint16_t{});
        else read(std::uint8_t{});
#pragma unroll
        for (int j = 0; j < kRowsInFlight; ++j) memory[j * kTileSamples + i] = column[j];
    }
#pragma unroll
    for (int j = 0; j < kRowsInFlight; ++j) {
        const float4 four = *reinterpret_cast<const float4*>(memory + j * kTileSamples);
        values[j][0] = four.x, values[j][1] = four.y, values[j][2] = four.z, values[j][3] = four.w;
    }
}

/// Puts 0 in the places of samples that are not finite, and returns whether there were any.
__device__ inline bool made_finite(float (&values)[kRowsInFlight][kLaneSamples]) {
    float test[kLaneSamples] = {}; // NaN if a sample is not finite
#pragma unroll
    for (int j = 0; j < kRowsInFlight; ++j)
#pragma unroll
        for (int i = 0; i < kLaneSamples; ++i) test[i] = __fmaf_rn(values[j][i], 0.0f, test[i]);
    if ((test[0] + test[1]) + (test[2] + test[3]) == 0.0f) return false;
#pragma unroll
    for (int j = 0; j < kRowsInFlight; ++j)
#pragma unroll
        for (int i = 0; i < kLaneSamples; ++i)
            if (!isfinite(values[j][i])) values[j][i] = 0.0f;
    return true;
}

/// Rows y to y + count - 1. `inside`: all of them lie in the image; otherwise each is resolved by the border.
struct TileRows {
    int y, count;
    bool inside;
};

/// The samples of rows of a tile, 0 in place of those that are not finite; returns whether there were any.
__device__ inline bool read_tile_rows(const StageCommon& c, const StageItem& item, Depth in,
                                      const LaneSamples& samples, const TileRows& own, float* memory,
                                      float (&values)[kRowsInFlight][kLaneSamples]) {
    const std::byte* rows[kRowsInFlight];
    unsigned valid = (1u << own.count) - 1;
    if (own.inside) {
        rows[0] = item.src + std::int64_t{own.y - c.src_y} * item.src_pitch;
#pragma unroll
        for (int j = 1; j < kRowsInFlight; ++j) rows[j] = rows[j - 1] + item.src_pitch;
    } else {
#pragma unroll
        for (int j = 0; j < kRowsInFlight; ++j) {
            rows[j] = row_at_border(c, item, own.y + j);
            if (!rows[j]) valid &= ~(1u << j);
        }
    }
    assert(has_rows(c, own.y, valid));
    if (!samples.together) gather_rows(in, samples, rows, valid, memory, values);
    else if (in == Depth::f32) read_rows<float>(samples, rows, valid, values);
    else if (in == Depth::u16) read_rows<std::uint16_t>(samples, rows, valid, values);
    else read_rows<std::uint8_t>(samples, rows, valid, values);
    return in == Depth::f32 && made_finite(values);
}

/// Places in the shared memory of a warp of the first launch, in floats: some rows of column sums, the blocks
/// of each `gap` floats apart where that keeps lanes from meeting in a bank, and behind them the sums by
/// pieces; those share their place with samples that are gathered.
struct WarpMemory {
    int gap, row, pieces, pitch, places, all;
    unsigned inverse; ///< 2^16 over the channels, rounded up
};
__host__ __device__ inline WarpMemory warp_memory(const DecimatedSpan& along, int channels) {
    const int samples = along.tile_blocks * channels; // blocks times channels
    WarpMemory m{};
    m.gap = along.stride > 1 && along.stride * channels % 4 == 0 ? 4 : 0;
    m.row = kTileSamples + m.gap * (along.tile_blocks + 1);
    m.pieces = kRowsHeld * m.row;
    m.pitch = samples + 8;
    m.inverse = 65536u / static_cast<unsigned>(channels) + 1;
    const int gathered = kRowsInFlight * kTileSamples, pieces = kRowsHeld * kSplineTaps * m.pitch;
    m.places = m.pieces + (gathered > pieces ? gathered : pieces + 3) / 4 * 4;
    m.all = m.places + kTileSamples;
    return m;
}

/// Rows of cells of a tile: the prefilter along `count` rows of column sums. A lane sums one block's samples
/// by one of the spline's four pieces, in all rows, so that it finds their places once; four such sums are a
/// cell. `weights` has rows of pitch kMostStride + 1; the results are `to_pitch` floats apart.
__device__ inline void sum_along(const DecimatedSpan& along, int channels, const WarpMemory& places,
                                 float* rows, const float* weights, int count, float* to,
                                 std::int64_t to_pitch) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp, stride = along.stride,
              samples = along.tile_blocks * channels, all_pieces = kSplineTaps * places.pitch;
    float* const pieces = rows + places.pieces;
#pragma unroll 1
    for (int item = lane; item < samples * kSplineTaps; item += kWarp) {
        const int piece = item % kSplineTaps, own = item / kSplineTaps,
                  block = static_cast<int>(static_cast<unsigned>(own) * places.inverse >> 16);
        const float *from = rows + own + block * (channels * (stride - 1) + places.gap),
                    *weight = weights + piece * (kMostStride + 1);
        float sums[kRowsHeld] = {};
#pragma unroll 2
        for (int j = 0; j < stride; ++j, from += channels)
#pragma unroll
            for (int r = 0; r < kRowsHeld; ++r) sums[r] = __fmaf_rn(weight[j], from[r * places.row], sums[r]);
#pragma unroll
        for (int r = 0; r < kRowsHeld; ++r) pieces[r * all_pieces + piece * places.pitch + own] = sums[r];
    }
    __syncwarp();
#pragma unroll 1
    for (int own = lane; own < samples + kRowsAtEnd * channels; own += kWarp) {
        float sums[kRowsHeld] = {};
#pragma unroll
        for (int piece = 0; piece < kSplineTaps; ++piece)
            if (const int at = own - (3 - piece) * channels; at >= 0 && at < samples)
#pragma unroll
                for (int r = 0; r < kRowsHeld; ++r)
                    sums[r] += pieces[r * all_pieces + piece * places.pitch + at];
#pragma unroll
        for (int r = 0; r < kRowsHeld; ++r)
            if (r < count) to[r * to_pitch + own] = sums[r];
    }
    __syncwarp();
}

/// The first launch: shares of cells. A warp marches down its tile, and a lane sums the columns of its
/// samples for the four cells that a row belongs to.
static __global__ void __launch_bounds__(kDecimatedThreads, 5)
    decimate(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
             const __grid_constant__ SplineTables tables) {
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

    const int across = (grid.along.tiles + kDecimatedWarps - 1) / kDecimatedWarps;
    const int tile = static_cast<int>(blockIdx.x) % across * kDecimatedWarps + warp,
              tile_row = static_cast<int>(blockIdx.x) / across;
    if (tile >= grid.along.tiles) return;
    const int stride = grid.down.stride, blocks = grid.down.tile_blocks,
              first_block = (grid.down.first_tile + tile_row) * blocks;
    const int begin = max(first_block, grid.down.first - 2) * stride,
              end = min(first_block + blocks, grid.down.first + grid.down.count + 1) * stride;
    const auto& item = c.items[blockIdx.z];
    const int block_samples = grid.along.stride * c.channels;
    const auto places = warp_memory(grid.along, c.channels);
    float* const row_sums = reinterpret_cast<float*>(memory) + warp * places.all;
    const LaneSamples samples(
        c, (grid.along.first_tile + tile) * grid.along.tile_blocks * block_samples + lane * kLaneSamples,
        reinterpret_cast<int*>(row_sums + places.places));
    auto* const own_sums = reinterpret_cast<float4*>(row_sums + lane * kLaneSamples +
                                                     lane * kLaneSamples / block_samples * places.gap);
    const int share = grid.share_samples(c.channels);
    float* to = grid.memory.partial_of(static_cast<int>(blockIdx.z)) +
                ((static_cast<std::int64_t>(tile_row) * grid.share_rows() + begin / stride - first_block) *
                     grid.along.tiles +
                 tile) *
                    share;

    const bool inside = begin >= 0 && end <= c.height;
    // Rows, which complete kRowsHeld rows of cells at most.
    const int together = min(kRowsHeld * stride, kRowsInFlight);
    const auto to_pitch = static_cast<std::int64_t>(grid.along.tiles) * share;
    // Sums of the cells that the rows belong to, the uppermost last.
    float sums[kSplineTaps][kLaneSamples] = {};
    int held = 0; // rows of cells
    bool flagged = false;
    const auto hold = [&] { // the uppermost row of cells, which is complete
        own_sums[held++ * places.row / kLaneSamples] = {sums[3][0], sums[3][1], sums[3][2], sums[3][3]};
#pragma unroll
        for (int i = 0; i < kLaneSamples; ++i) {
            sums[3][i] = sums[2][i], sums[2][i] = sums[1][i], sums[1][i] = sums[0][i];
            sums[0][i] = 0;
        }
    };
    int beyond = 0; // rows of cells that the tile shares with the one below it
#pragma unroll 1
    for (int y = begin; beyond < kRowsAtEnd; y += together) {
        if (y < end) {
            const int count = min(together, end - y);
            float values[kRowsInFlight][kLaneSamples];
            flagged |= read_tile_rows(c, item, grid.in, samples, {y, count, inside}, row_sums + places.pieces,
                                      values);
#pragma unroll
            for (int j = 0; j < kRowsInFlight; ++j) {
                if (j >= count) break;
                const float4 weight = down[(y + j) & (stride - 1)];
#pragma unroll
                for (int i = 0; i < kLaneSamples; ++i) {
                    sums[0][i] = __fmaf_rn(weight.x, values[j][i], sums[0][i]);
                    sums[1][i] = __fmaf_rn(weight.y, values[j][i], sums[1][i]);
                    sums[2][i] = __fmaf_rn(weight.z, values[j][i], sums[2][i]);
                    sums[3][i] = __fmaf_rn(weight.w, values[j][i], sums[3][i]);
                }
                if (((y + j + 1) & (stride - 1)) == 0) hold(); // the block is complete
            }
        } else {
            ++beyond;
            hold();
        }
        const bool room = held + max(together / stride, 1) <= kRowsHeld;
        if (room && beyond < kRowsAtEnd) continue;
        __syncwarp();
        sum_along(grid.along, c.channels, places, row_sums, along, held, to, to_pitch);
        to += held * to_pitch;
        held = 0;
    }
    flagged = __any_sync(~0u, flagged);
    if (lane == 0)
        grid.memory.flags_of(static_cast<int>(blockIdx.z))[tile_row * grid.along.tiles + tile] = flagged;
}

} // namespace kg::gpu
