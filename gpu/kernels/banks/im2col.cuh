#pragma once
// The matrix of im2col on the device: the numbers under one tap of many outputs are a row of it.

#include "core/support/parts_of.hpp"
#include "gpu/kernels/banks/bank_item.cuh"

#include <algorithm>

namespace kg::gpu {

/// The `output`-th of those requested of an item, row by row.
struct BankOutputPlace {
    std::int64_t p, q;
};
__device__ inline BankOutputPlace place_of_output(const BankLaunch& b, std::int64_t output) {
    const auto row = output / b.outputs.width;
    return {b.outputs.y + row, b.outputs.x + (output - row * b.outputs.width)};
}

/// Blocks that share the rows of weights, or filters, of `across` blocks of columns: so many that they fill a
/// GPU, but no more, as a thread first looks for its output, which takes as long as several rows.
inline unsigned blocks_down(std::int64_t across, std::int64_t rows) {
    constexpr std::int64_t kBlocks = 2048;
    return static_cast<unsigned>(std::min(rows, parts_of(kBlocks, across)));
}

/// Writes a column, which begins at `matrix`: the numbers under all taps of an output, or zeros. A row of the
/// matrix is `pitch` floats behind the one before. `channel` is the first that the output sums. Blocks whose
/// blockIdx.y differs share the rows of weights of all channels.
__device__ __forceinline__ void unroll_column(const BankLaunch& b, const std::byte* channel, bool is_output,
                                              BankOutputPlace at, float* matrix, std::int64_t pitch) {
    const auto width = static_cast<int>(b.kernel_width); // all counts of a matrix have 31 bits
    const auto height = static_cast<unsigned>(b.kernel_height),
               lines = static_cast<unsigned>(b.channels) * height, each = (lines - 1) / gridDim.y + 1,
               first = blockIdx.y * each, end = min(lines, first + each);
    if (first >= end) return;
    unsigned c = first / height, i = first - c * height;
    const auto row = at.p * b.stride.rows - b.top, column = at.q * b.stride.columns - b.left,
               last_row = row + (b.kernel_height - 1) * b.dilation.rows,
               last_column = column + (b.kernel_width - 1) * b.dilation.columns;
    const bool is_inside = is_output && b.rows.has(row) && b.rows.has(last_row) && b.columns.has(column) &&
                           b.columns.has(last_column);
    channel += c * b.in.channel;
    float* to = matrix + std::int64_t{first} * width * pitch;
#pragma unroll 1
    for (auto line = first; line < end; ++line) {
        if (is_inside) {
            const auto* from = reinterpret_cast<const std::byte*>(
                bank_place(b, channel, column, row + i * b.dilation.rows));
#pragma unroll 4
            for (int j = 0; j < width; ++j, to += pitch, from += b.dilation.columns * b.in.column)
                *to = __ldg(reinterpret_cast<const float*>(from));
        } else {
            const auto y = b.rows.index(row + i * b.dilation.rows);
            auto own = column;
#pragma unroll 1
            for (int j = 0; j < width; ++j, own += b.dilation.columns, to += pitch) {
                const auto x = is_output ? b.columns.index(own) : 0;
                *to = !is_output ? 0.0f : x < 0 || y < 0 ? b.outside : *bank_place(b, channel, x, y);
            }
        }
        if (++i == height) i = 0, channel += b.in.channel;
    }
}

} // namespace kg::gpu
