#pragma once
// The matrix of im2col on the device: the numbers under one tap of many outputs are a row of it.

#include "gpu/kernels/banks/bank_item.cuh"

namespace kg::gpu {

/// The `output`-th of those requested of an item, row by row.
struct BankOutputPlace {
    std::int64_t p, q;
};
__device__ inline BankOutputPlace place_of_output(const BankLaunch& b, std::int64_t output) {
    const auto row = output / b.outputs.width;
    return {b.outputs.y + row, b.outputs.x + (output - row * b.outputs.width)};
}

/// Writes a column, which begins at `matrix`: the numbers under all taps of an output, or zeros. A row of the
/// matrix is `pitch` floats behind the one before. `channel` is the first that the output sums. Blocks whose
/// blockIdx.y differs share the rows of weights of all channels.
__device__ __forceinline__ void unroll_column(const BankLaunch& b, const std::byte* channel, bool is_output,
                                              BankOutputPlace at, float* matrix, std::int64_t pitch) {
#pragma unroll 1
    for (std::int64_t line = blockIdx.y; line < b.channels * b.kernel_height; line += gridDim.y) {
        const auto c = line / b.kernel_height, i = line - c * b.kernel_height;
        const auto* const own = channel + c * b.in.channel;
        const auto y = b.rows.index(at.p * b.stride.rows - b.top + i * b.dilation.rows);
        float* to = matrix + line * b.kernel_width * pitch;
        auto column = at.q * b.stride.columns - b.left;
#pragma unroll 4
        for (std::int64_t j = 0; j < b.kernel_width; ++j, column += b.dilation.columns, to += pitch) {
            const auto x = is_output ? b.columns.index(column) : 0;
            *to = !is_output ? 0.0f : x < 0 || y < 0 ? b.outside : *bank_place(b, own, x, y);
        }
    }
}

} // namespace kg::gpu
