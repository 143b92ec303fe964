#pragma once
// Filter banks on the device: reading a number through its border, an output by its definition, and writing
// one.

#include "gpu/kernels/banks/bank_launch.hpp"

#include <cassert>

#include <cuda_runtime.h>

namespace kg::gpu {

/// Offsets of no number: no output reads it; it is outside the tensor.
inline constexpr std::int64_t kNone = -1, kOutside = -2;

/// In bytes, or kOutside. A call: inlined where it is used it would be most of a kernel's code.
static __device__ __noinline__ std::int64_t offset_of(const SampleBorder& border, std::int64_t index,
                                                      std::int64_t step) {
    const auto inside = border.index(index);
    return inside < 0 ? kOutside : inside * step;
}

/// Where a number of a channel is that lies in the tensor.
__device__ inline const float* bank_place(const BankLaunch& b, const std::byte* channel, std::int64_t x,
                                          std::int64_t y) {
    assert(x >= b.held.x && x < b.held.x + b.held.width && y >= b.held.y && y < b.held.y + b.held.height);
    return reinterpret_cast<const float*>(channel + y * b.in.row + x * b.in.column);
}

/// The first channel of an item that a filter of the request sums.
__device__ inline const std::byte* first_channel(const BankLaunch& b, unsigned item, std::int64_t filter) {
    return b.items[item].src + filter / b.filters * b.channels * b.in.channel;
}

__device__ inline float bias_of(const BankLaunch& b, std::int64_t filter) {
    return b.bias ? b.bias[filter] : 0.0f;
}

/// An output by its definition, without its bias: sums along rows of weights, of these over a channel, and
/// of those over the channels, so that its error is within c + r + s roundings. `weights` are those of all
/// filters in the order of the request. numbers_of(c, y)(x): number of channel c of the group, wherever that
/// lies.
template <typename NumbersOf>
__device__ __forceinline__ float sum_terms(const BankLaunch& b, const float* weights, std::int64_t k,
                                           std::int64_t p, std::int64_t q, NumbersOf numbers_of) {
    const float* weight = weights + k * b.channels * b.kernel_height * b.kernel_width;
    float sum = 0;
#pragma unroll 1
    for (std::int64_t c = 0; c < b.channels; ++c) {
        float of_channel = 0;
        auto row = p * b.stride.rows - b.top;
#pragma unroll 1
        for (std::int64_t i = 0; i < b.kernel_height; ++i, row += b.dilation.rows) {
            const auto numbers = numbers_of(c, row);
            float of_row = 0;
            auto column = q * b.stride.columns - b.left;
#pragma unroll 1
            for (std::int64_t j = 0; j < b.kernel_width; ++j, column += b.dilation.columns)
                of_row = __fmaf_rn(*weight++, numbers(column), of_row);
            of_channel += of_row;
        }
        sum += of_channel;
    }
    return sum;
}

/// The same for an item, every number through the border.
static __device__ float sum_of_output(const BankLaunch& b, unsigned item, const float* weights,
                                      std::int64_t k, std::int64_t p, std::int64_t q) {
    const auto* const first = first_channel(b, item, k);
    return sum_terms(b, weights, k, p, q, [&](std::int64_t c, std::int64_t row) {
        const auto y = b.rows.index(row);
        const auto* const channel = first + c * b.in.channel;
        return [&b, y, channel](std::int64_t column) {
            const auto x = b.columns.index(column);
            return x < 0 || y < 0 ? b.outside : *bank_place(b, channel, x, y);
        };
    });
}

/// Whether output (p, q) is one of those requested.
__device__ inline bool is_requested(const BankLaunch& b, std::int64_t p, std::int64_t q) {
    return p >= b.outputs.y && p < b.outputs.y + b.outputs.height && q >= b.outputs.x &&
           q < b.outputs.x + b.outputs.width;
}

/// Where output (p, q) of an item is, which is one of those requested.
__device__ inline float* output_place(const BankLaunch& b, unsigned item, std::int64_t filter, std::int64_t p,
                                      std::int64_t q) {
    assert(q >= b.outputs.x && q < b.outputs.x + b.outputs.width);
    assert(p >= b.outputs.y && p < b.outputs.y + b.outputs.height);
    return reinterpret_cast<float*>(b.items[item].dst + filter * b.out.channel + p * b.out.row +
                                    q * b.out.column);
}

/// Writes output (p, q) of the block's item, which is one of those requested.
__device__ inline void write_output(const BankLaunch& b, std::int64_t filter, std::int64_t p, std::int64_t q,
                                    float value) {
    *output_place(b, blockIdx.z, filter, p, q) = value;
}

} // namespace kg::gpu
