#pragma once
// The tile of a block of `direct`, and of what else sums it: which outputs it has, and copies of the numbers
// under them to shared memory (gpu/kernels/banks/direct_bank.hpp).

#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/direct_bank.hpp"
#include "gpu/kernels/march/async_copy.cuh"

#include <cstdint>

namespace kg::gpu {

inline constexpr int kVector = 4; ///< floats of a read
/// Of the tables: no output reads this row or cell; it is outside the tensor.
inline constexpr std::int64_t kNone = -1, kOutside = -2;

/// Copies `count` floats, up to four, between addresses that are multiples of 16; zeros follow them. Floats
/// behind them may be read, too.
__device__ inline void copy_async_floats(float* to, const void* from, int count) {
#if __CUDA_ARCH__ >= 800
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(count * 4)
                 : "memory");
#else
#pragma unroll
    for (int i = 0; i < kVector; ++i) to[i] = i < count ? static_cast<const float*>(from)[i] : 0.0f;
#endif
}

/// The outputs of a block: every classes-th of each direction from the first on.
struct DirectTile {
    std::int64_t p, q; ///< the first
    int rows, columns; ///< those that exist; 0 if there is none
};

/// The tile and class `block` of one direction: the first output, and how many there are, at most `most`.
struct DirectRange {
    std::int64_t first;
    int count;
};
__device__ inline DirectRange range_of(const DirectAxis& axis, unsigned block, std::int64_t step, int most) {
    const unsigned tile = block / axis.classes, own = block - tile * axis.classes;
    const auto begin = std::int64_t{tile} * most, left = axis.of_class - (own > axis.last) - begin;
    return {own + begin * step, left < most ? static_cast<int>(left < 0 ? 0 : left) : most};
}

__device__ inline DirectTile tile_of_block(const BankLaunch& b, const DirectBank& bank, const DirectAxis& x,
                                           const DirectAxis& y) {
    const unsigned across = x.classes * x.tiles, down = blockIdx.x / across;
    const auto columns = range_of(x, blockIdx.x - down * across, bank.x.classes,
                                  kDirectColumns << bank.across),
               rows = range_of(y, down, bank.y.classes, kDirectThreads >> bank.across);
    return {b.outputs.y + rows.first, b.outputs.x + columns.first, rows.count, columns.count};
}

/// In bytes, or kOutside. A call: inlined where it is used it would be most of a kernel's code.
static __device__ __noinline__ std::int64_t offset_of(const SampleBorder& border, std::int64_t index,
                                                      std::int64_t step) {
    const auto inside = bank_index(border, index);
    return inside < 0 ? kOutside : inside * step;
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

/// How a block copies its tile: in pieces of a float, or of four where `wide` is not 0.
struct DirectCopy {
    const std::int64_t *rows, *cells;
    unsigned in_row, reciprocal; ///< pieces of a row, and 2^32 divided by them, rounded up
    int wide;           ///< floats of a row that are needed and next to each other, aligned to 16 bytes
    int in_tensor;      ///< floats from the first of a wide row to the end of the tensor's
    std::int64_t first; ///< of a wide row: the offset of its first cell in bytes
    float outside;
};

/// Floats of a row that a tile needs if four may be copied at once from the first cell on, else 0.
__device__ inline int wide_floats(const BankLaunch& b, const DirectBank& bank, const DirectTile& tile,
                                  const std::byte* first) {
    const auto x0 = tile.q * b.stride.columns - b.left;
    const int needed = tile.columns - 1 + static_cast<int>(b.kernel_width);
    const bool dense = bank.planes == 1 && bank.x.phases == 1 && bank.x.classes == 1 && bank.unit_x == 1 &&
                       b.in.column == sizeof(float) && x0 >= 0 && x0 + needed <= b.columns.samples;
    const auto bits = reinterpret_cast<std::uintptr_t>(first + x0 * b.in.column) |
                      static_cast<std::uintptr_t>(b.in.row) | static_cast<std::uintptr_t>(b.in.channel);
    return dense && bits % (kVector * sizeof(float)) == 0 ? needed : 0;
}

/// The four floats from `cell` on of a row at `offset`. Zeros stand where no output needs one.
__device__ inline void copy_four(const DirectCopy& copy, const std::byte* channel, std::int64_t offset,
                                 int cell, float* to) {
    const int left = offset == kNone ? 0 : copy.wide - cell, count = left < 0         ? 0
                                                                     : left < kVector ? left
                                                                                      : kVector;
    const auto* const from = reinterpret_cast<const float*>(channel + offset + copy.first) + cell;
    if (count == 0 || (offset >= 0 && cell + kVector <= copy.in_tensor))
        return copy_async_floats(to, from, count); // of none the address is not read
#pragma unroll 1
    for (int i = 0; i < kVector; ++i) to[i] = i >= count ? 0.0f : offset >= 0 ? from[i] : copy.outside;
}

/// Threads take pieces next to each other, row by row.
__device__ inline void copy_channel(const DirectBank& bank, const DirectCopy& copy, const std::byte* channel,
                                    float* to) {
    const unsigned pieces = static_cast<unsigned>(bank.rows) * copy.in_row;
#pragma unroll 1
    for (unsigned piece = threadIdx.x; piece < pieces; piece += kDirectThreads) {
        const unsigned row = __umulhi(piece, copy.reciprocal);
        const int place = static_cast<int>(piece - row * copy.in_row);
        const auto offset = copy.rows[row];
        float* const to_row = to + row * bank.pitch;
        if (copy.wide > 0) {
            copy_four(copy, channel, offset, place * kVector, to_row + place * kVector);
            continue;
        }
        const auto column = copy.cells[place];
        if (offset >= 0 && column >= 0)
            copy_async<sizeof(float)>(to_row + place, channel + offset + column, true);
        else to_row[place] = offset == kNone || column == kNone ? 0.0f : copy.outside;
    }
}

/// Fills the tables, which begin at `rows`, for copies from the channels of a group; a barrier must follow.
__device__ inline DirectCopy begin_copies(const BankLaunch& b, const DirectBank& bank, const DirectTile& tile,
                                          const std::byte* first, std::int64_t* rows) {
    fill_tables(b, bank, tile, rows, rows + bank.rows);
    const int wide = wide_floats(b, bank, tile, first);
    const auto cells = static_cast<unsigned>(bank.planes * bank.cells),
               in_row = wide > 0 ? cells / kVector : cells;
    const auto x0 = tile.q * b.stride.columns - b.left, beyond = b.columns.samples - x0;
    // Rounded up the reciprocal is exact: pieces times pieces of a row are less than 2^32. A row has two.
    const int in_tensor = beyond < bank.cells ? static_cast<int>(beyond) : bank.cells;
    return {rows, rows + bank.rows, in_row,           0xffffffffu / in_row + 1,
            wide, in_tensor,        x0 * b.in.column, b.outside};
}

/// Copies `count` floats of weights, a multiple of four.
__device__ inline void copy_weights(const float* from, int count, float* to) {
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x) * kVector; i < count; i += kDirectThreads * kVector)
        copy_async<kVector * sizeof(float)>(to + i, from + i, true);
}

/// Floats from a row of results in shared memory to the next, of one filter.
__device__ inline int result_pitch(const DirectBank& bank) { return (kDirectColumns << bank.across) + 4; }

/// Writes the outputs of a block, which are in shared memory filter by filter, so that threads write next to
/// each other. with_care(f, p, q) is output (p, q) of the block's filter f, for sums that are not finite.
template <typename Care>
__device__ __forceinline__ void write_results(const BankLaunch& b, const DirectBank& bank,
                                              const DirectTile& tile, float* results,
                                              std::int64_t first_filter, int filters, Care with_care) {
    constexpr int kRows = 8; // of a thread
    static_assert(kDirectColumns == kRows);
    const int thread = static_cast<int>(threadIdx.x), log_columns = bank.across + 3,
              column = thread & ((1 << log_columns) - 1), pitch = result_pitch(bank),
              rows_out = kDirectThreads >> bank.across, first_row = thread >> log_columns,
              step = kDirectThreads >> log_columns;
    if (column >= tile.columns) return;
    const auto q = tile.q + column * bank.x.classes, p = tile.p + first_row * bank.y.classes,
               to_next = step * bank.y.classes * b.out.row;
    const int from_next = step * pitch, rows_left = (tile.rows - first_row + step - 1) / step;
    auto* to_filter = b.items[blockIdx.z].dst + first_filter * b.out.channel + p * b.out.row +
                      q * b.out.column;
    float* from = results + first_row * pitch + column;
#pragma unroll 1
    for (int f = 0; f < filters; ++f, to_filter += b.out.channel, from += rows_out * pitch) {
        const float bias = bias_of(b, first_filter + f);
        float sums[kRows], zero = 0;
        const float* own = from;
#pragma unroll
        for (int i = 0; i < kRows; ++i, own += from_next) sums[i] = *own, zero = fmaf(sums[i], 0.0f, zero);
        if (zero != 0) { // it is NaN: some sum is not finite
#pragma unroll 1
            for (int i = 0; i < rows_left; ++i)
                if (const float sum = from[i * from_next]; !(sum - sum == 0))
                    from[i * from_next] = with_care(f, p + i * step * bank.y.classes, q);
#pragma unroll
            for (int i = 0; i < kRows; ++i) sums[i] = from[i * from_next];
        }
        auto* to = to_filter;
#pragma unroll
        for (int i = 0; i < kRows; ++i, to += to_next)
            if (i < rows_left) *reinterpret_cast<float*>(to) = sums[i] + bias;
    }
}

/// The filters of a block: of one group.
struct DirectFilters {
    std::int64_t block, first; ///< of all blocks, and of the request
    int count;
    const std::byte* channel; ///< the first that they sum
};
__device__ inline DirectFilters filters_of_block(const BankLaunch& b, unsigned blocks_of_group, int most) {
    const auto block = static_cast<unsigned>(b.first_block) + blockIdx.y, group = block / blocks_of_group;
    const auto of_group = std::int64_t{block - group * blocks_of_group} * most, left = b.filters - of_group;
    return {block, group * b.filters + of_group, left < most ? static_cast<int>(left) : most,
            b.items[blockIdx.z].src + group * b.channels * b.in.channel};
}

} // namespace kg::gpu
