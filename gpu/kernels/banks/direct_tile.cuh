#pragma once
// The tile of a block of `direct`, and of what else sums it: which outputs it has, and copies of the numbers
// under them to shared memory (gpu/kernels/banks/direct_bank.hpp).

#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/direct_launch.hpp"
#include "gpu/kernels/march/async_copy.cuh"

#include <cstdint>

namespace kg::gpu {

/// Copies the first `bytes` of `Floats` floats, one or four, between addresses that are multiples of their
/// size; zeros follow them.
template <int Floats>
__device__ void copy_async_floats(float* to, const std::byte* from, int bytes) {
#if __CUDA_ARCH__ >= 800
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    if constexpr (Floats == 1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes)
                     : "memory");
#else
#pragma unroll
    for (int i = 0; i < Floats; ++i)
        to[i] = i * static_cast<int>(sizeof(float)) < bytes ? reinterpret_cast<const float*>(from)[i] : 0.0f;
#endif
}

/// The outputs of a block: every classes-th of each direction from the first on.
struct DirectTile {
    std::int64_t p, q; ///< the first
    int rows, columns; ///< those that exist; 0 if there is none
    bool inside;       ///< the numbers under them are in the tensor, at equal distances
};

/// The tile and class `block` of one direction: the first output, and how many there are, at most `most`.
struct DirectRange {
    std::int64_t first;
    int count;
    bool inside;
};
__device__ inline DirectRange range_of(const DirectAxis& axis, unsigned block, std::int64_t step, int most) {
    const unsigned tile = axis.classes == 1 ? block : block / axis.classes, own = block - tile * axis.classes;
    const auto begin = std::int64_t{tile} * most, left = axis.of_class - (own > axis.last) - begin;
    return {own + begin * step, left < most ? static_cast<int>(left < 0 ? 0 : left) : most,
            tile - axis.first_inside < axis.inside};
}

__device__ inline DirectTile tile_of_block(const BankLaunch& b, const DirectBank& bank, const DirectAxis& x,
                                           const DirectAxis& y) {
    const unsigned across = x.classes * x.tiles, down = blockIdx.x / across;
    const auto columns = range_of(x, blockIdx.x - down * across, bank.x.classes,
                                  kDirectColumns << bank.across),
               rows = range_of(y, down, bank.y.classes, kDirectThreads >> bank.across);
    return {b.outputs.y + rows.first, b.outputs.x + columns.first, rows.count, columns.count,
            rows.inside && columns.inside};
}

/// Fills the tables of a tile: the offset in bytes of each row, and of each cell of a row.
__device__ inline void fill_tables(const BankLaunch& b, const DirectBank& bank, const DirectTile& tile,
                                   std::int64_t* rows, std::int64_t* cells) {
    const auto y0 = tile.p * b.stride.rows - b.top, x0 = tile.q * b.stride.columns - b.left;
    const int height = static_cast<int>(b.kernel_height), width = static_cast<int>(b.kernel_width),
              phases = bank.x.phases < width ? static_cast<int>(bank.x.phases) : width;
#pragma unroll 1
    for (int row = static_cast<int>(threadIdx.x); row < bank.rows; row += kDirectThreads) {
        const int output = row / bank.row_step;
        const auto index = output * bank.y.phases + (row - output * bank.row_step);
        rows[row] = row < (tile.rows - 1) * bank.row_step + height
                        ? offset_of(b.rows, y0 + index * bank.unit_y, b.in.row)
                        : kNone;
    }
#pragma unroll 1
    for (int cell = static_cast<int>(threadIdx.x); cell < bank.planes * bank.cells; cell += kDirectThreads) {
        const int plane = cell / bank.cells, place = cell - plane * bank.cells;
        const int taps = (width - 1 - plane) / phases + 1;
        const auto index = plane + place * bank.x.phases;
        cells[cell] = place < tile.columns - 1 + taps
                          ? offset_of(b.columns, x0 + index * bank.unit_x, b.in.column)
                          : kNone;
    }
}

/// What a thread copies of a tile.
struct DirectCopy {
    bool inside;
    int row, place;                      ///< the thread's first piece
    int rows, floats;                    ///< inside: those that outputs need, from the first piece's on
    const std::byte* first;              ///< inside: the piece in the first channel of the group
    const std::int64_t *rows_in, *cells; ///< otherwise: the tables
};

/// The copies from the channels of a group, of which `channel` is the first. The tables begin at `tables`; a
/// barrier must follow.
__device__ inline DirectCopy begin_copies(const BankLaunch& b, const DirectBank& bank,
                                          const DirectPieces& pieces, const DirectTile& tile,
                                          const std::byte* channel, std::int64_t* tables) {
    if (!tile.inside) fill_tables(b, bank, tile, tables, tables + bank.rows);
    const int row = static_cast<int>(__umulhi(threadIdx.x, pieces.reciprocal)),
              place = static_cast<int>(threadIdx.x) - row * pieces.in_row;
    const auto* const first = channel + (tile.p * b.stride.rows - b.top) * b.in.row +
                              (tile.q * b.stride.columns - b.left) * b.in.column + row * pieces.row +
                              place * pieces.piece;
    return {tile.inside,
            row,
            place,
            tile.rows - 1 + static_cast<int>(b.kernel_height),
            tile.columns - 1 + static_cast<int>(b.kernel_width),
            first,
            tables,
            tables + bank.rows};
}

/// Copies the tile of `count` channels from the group's channel `begin` on. Threads take pieces next to each
/// other, row by row.
__device__ __forceinline__ void copy_channels(const BankLaunch& b, const DirectBank& bank,
                                              const DirectPieces& pieces, const DirectCopy& copy,
                                              const std::byte* group, std::int64_t begin, int count,
                                              float* to) {
    const int tile = bank.tile();
    const auto to_channel = b.in.channel, first = begin * to_channel;
    if (!copy.inside) {
        const unsigned cells = pieces.cells, all = static_cast<unsigned>(bank.rows) * cells;
        const auto* channel = group + first;
#pragma unroll 1
        for (int c = 0; c < count; ++c, channel += to_channel, to += tile)
#pragma unroll 1
            for (unsigned i = threadIdx.x; i < all; i += kDirectThreads) {
                const unsigned row = __umulhi(i, pieces.cell_reciprocal), cell = i - row * cells;
                const auto y = copy.rows_in[row], x = copy.cells[cell];
                auto* const own_to = to + row * bank.pitch + cell;
                if (y >= 0 && x >= 0) copy_async_floats<1>(own_to, channel + y + x, sizeof(float));
                else *own_to = y == kNone || x == kNone ? 0.0f : b.outside;
            }
        return;
    }
    const auto* from = copy.first + first;
    to += copy.row * bank.pitch + copy.place * pieces.floats;
#pragma unroll 1
    for (int row = copy.row, place = copy.place; row < copy.rows;) {
        constexpr int kFloat = sizeof(float); // zeros follow the floats that are needed
        const int bytes = max(0, min(copy.floats - place * pieces.floats, pieces.floats)) * kFloat;
        const auto* own = from;
        auto* own_to = to;
        if (pieces.floats == kVector) {
#pragma unroll 1
            for (int c = 0; c < count; ++c, own += to_channel, own_to += tile)
                copy_async_floats<kVector>(own_to, own, bytes);
        } else {
#pragma unroll 1
            for (int c = 0; c < count; ++c, own += to_channel, own_to += tile)
                copy_async_floats<1>(own_to, own, bytes);
        }
        row += pieces.down, place += pieces.along, from += pieces.next, to += pieces.to_next;
        if (place >= pieces.in_row) place -= pieces.in_row, ++row, from += pieces.wrap, to += pieces.to_wrap;
    }
}

/// Copies `count` floats of weights, a multiple of four.
__device__ inline void copy_weights(const float* from, int count, float* to) {
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x) * kVector; i < count; i += kDirectThreads * kVector)
        copy_async_floats<kVector>(to + i, reinterpret_cast<const std::byte*>(from + i),
                                   kVector * sizeof(float));
}

/// Waits until at most so many groups of copies are incomplete, or fewer.
__device__ __forceinline__ void wait_but_for(int groups) {
    if (groups >= 4) wait_for_copies<4>();
    else if (groups == 3) wait_for_copies<3>();
    else if (groups == 2) wait_for_copies<2>();
    else if (groups == 1) wait_for_copies<1>();
    else wait_for_copies<0>();
}

/// Stages of channels in a ring of shared memory, copied as far ahead as there is room. `copy`(stage, to)
/// copies one of them.
template <typename Copy>
class DirectStages {
public:
    __device__ DirectStages(float* ring, const DirectRing& sizes, Copy copy)
        : ring_(ring), floats_(sizes.stage), slots_(sizes.slots), count_(sizes.stages), copy_(copy) {}

    /// Waits for the next stage. The one before must not be read any more.
    __device__ __forceinline__ const float* next() {
        if (copied_ < count_) {
            if (stage_ > 0) __syncthreads(); // the slot of the stage before is free
            for (; copied_ < count_ && copied_ < stage_ + slots_; ++copied_) {
                copy_(copied_, ring_ + to_ * floats_);
                end_copies();
                if (++to_ == slots_) to_ = 0;
            }
        }
        wait_but_for(static_cast<int>(copied_ - ++stage_));
        __syncthreads();
        const float* const own = ring_ + from_ * floats_;
        if (++from_ == slots_) from_ = 0;
        return own;
    }

private:
    float* ring_;
    int floats_, slots_;
    std::int64_t count_, stage_ = 0, copied_ = 0; ///< stages; those waited for, and those begun to copy
    int from_ = 0, to_ = 0;                       ///< slots of the next stage to read, and to copy
    Copy copy_;
};

/// Writes the outputs of a block, which are in shared memory filter by filter, so that threads write next to
/// each other. with_care(f, p, q) is output (p, q) of the block's filter f, for sums that are not finite.
template <typename Care>
__device__ __forceinline__ void write_results(const BankLaunch& b, const DirectBank& bank,
                                              const DirectTile& tile, const float* results,
                                              std::int64_t first_filter, int filters, Care with_care) {
    constexpr int kRows = 8; // of a thread
    static_assert(kDirectColumns == kRows);
    const int thread = static_cast<int>(threadIdx.x), log_columns = bank.across + 3,
              column = thread & ((1 << log_columns) - 1), pitch = bank.result_pitch(),
              first_row = thread >> log_columns, step = kDirectThreads >> log_columns;
    if (column >= tile.columns) return;
    const auto q = tile.q + column * bank.x.classes, p = tile.p + first_row * bank.y.classes,
               to_next = step * bank.y.classes * b.out.row;
    const int from_next = step * pitch, // step is a power of two
        rows_left = (tile.rows - first_row + step - 1) >> (kLogDirectThreads - log_columns);
    auto* to_filter = b.items[blockIdx.z].dst + first_filter * b.out.channel + p * b.out.row +
                      q * b.out.column;
    const float* from = results + first_row * pitch + column;
    float zero = 0;
#pragma unroll 1
    for (int f = 0; f < filters; ++f, to_filter += b.out.channel, from += bank.result_plane()) {
        const float bias = bias_of(b, first_filter + f);
        float sums[kRows];
#pragma unroll
        for (int i = 0; i < kRows; ++i) sums[i] = from[i * from_next], zero = fmaf(sums[i], 0.0f, zero);
        auto* to = to_filter;
        if (rows_left >= kRows) {
#pragma unroll
            for (int i = 0; i < kRows; ++i, to += to_next) *reinterpret_cast<float*>(to) = sums[i] + bias;
        } else {
#pragma unroll
            for (int i = 0; i < kRows - 1; ++i, to += to_next)
                if (i < rows_left) *reinterpret_cast<float*>(to) = sums[i] + bias;
        }
    }
    if (zero == 0) return; // otherwise it is NaN: some sum is not finite
#pragma unroll 1
    for (int f = filters - 1; f >= 0; --f) {
        to_filter -= b.out.channel, from -= bank.result_plane();
#pragma unroll 1
        for (int i = 0; i < rows_left; ++i)
            if (const float sum = from[i * from_next]; !(sum - sum == 0))
                *reinterpret_cast<float*>(to_filter + i * to_next) =
                    with_care(f, p + i * step * bank.y.classes, q) + bias_of(b, first_filter + f);
    }
}

/// The filters of a block: of one group.
struct DirectFilters {
    std::int64_t block, first; ///< of all blocks, and of the request
    unsigned group;
    int count;
    const std::byte* channel; ///< the first that they sum
};
__device__ inline DirectFilters filters_of_block(const BankLaunch& b, unsigned blocks_of_group, int most) {
    const auto block = static_cast<unsigned>(b.first_block) + blockIdx.y,
               group = block < blocks_of_group ? 0 : block / blocks_of_group;
    const auto of_group = std::int64_t{block - group * blocks_of_group} * most, left = b.filters - of_group;
    return {block, group * b.filters + of_group, group, left < most ? static_cast<int>(left) : most,
            b.items[blockIdx.z].src + group * b.channels * b.in.channel};
}

} // namespace kg::gpu
