#pragma once
// A copy in memory of the numbers that an item's outputs read: rows of all channels, which lie next to each
// other.

#include "core/support/parts_of.hpp"
#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"

namespace kg::gpu {

inline constexpr int kCopyThreads = 256, kOutputsPerBlock = 256;

struct NumberCopy {
    float* numbers;
    Rect covers;               ///< rows and columns of the request, also outside the tensor
    std::int64_t pitch, plane; ///< floats of a row and of a channel
    std::int64_t channels;     ///< of all groups
};

/// The rows and columns that these outputs read, those outside the tensor included.
inline Rect numbers_read(const BankRequest& r, const Rect& outputs) {
    return {outputs.x * r.stride.columns - r.padding.left, outputs.y * r.stride.rows - r.padding.top,
            (outputs.width - 1) * r.stride.columns + (r.kernel.width - 1) * r.dilation.columns + 1,
            (outputs.height - 1) * r.stride.rows + (r.kernel.height - 1) * r.dilation.rows + 1};
}

//   blockIdx   x: kCopyThreads columns, y: row, and all that follow at this distance
//
static __global__ void __launch_bounds__(kCopyThreads)
    copy_numbers(const __grid_constant__ BankLaunch b, const __grid_constant__ NumberCopy n, unsigned item) {
    const auto column = std::int64_t{blockIdx.x} * kCopyThreads + threadIdx.x;
    if (column >= n.covers.width || b.stop.raised()) return;
    const auto x = offset_of(b.columns, n.covers.x + column, b.in.column);
    for (std::int64_t row = blockIdx.y; row < n.covers.height; row += gridDim.y) {
        const auto y = offset_of(b.rows, n.covers.y + row, b.in.row);
        for (std::int64_t c = 0; c < n.channels; ++c)
            n.numbers[c * n.plane + row * n.pitch + column] =
                x < 0 || y < 0
                    ? b.outside
                    : *reinterpret_cast<const float*>(b.items[item].src + c * b.in.channel + y + x);
    }
}

/// Copies item after item into the same memory, and calls sum(item, grid) for launches of a thread per
/// output of some filters, kOutputsPerBlock outputs of a channel in rows and the filters from first_block
/// on.
template <typename Sum>
void sum_copies(CudaQueue& queue, BankLaunch& b, NumberCopy& copy, unsigned count, std::int64_t filters,
                Sum sum) {
    constexpr std::int64_t kMostDown = 65535;
    const auto blocks = parts_of(b.outputs.width * b.outputs.height, kOutputsPerBlock);
    for (unsigned item = 0; item < count; ++item) {
        if (queue.stop_requested()) return;
        void* arguments[] = {&b, &copy, &item};
        queue.launch(reinterpret_cast<const void*>(&copy_numbers),
                     bank_grid(parts_of(copy.covers.width, kCopyThreads),
                               static_cast<unsigned>(std::min(copy.covers.height, kMostDown)), 1),
                     {kCopyThreads}, 0, arguments);
        for_each_launch(filters, [&](std::int64_t first, unsigned down) {
            b.first_block = first;
            sum(item, bank_grid(blocks, down, 1));
        });
    }
}

} // namespace kg::gpu
