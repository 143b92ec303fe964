#pragma once
// Shared by the filtering kernels: the choice of instantiation, and the last operations of an output.

#include "gpu/kernels/stage.hpp"

#include <cassert>
#include <type_traits>

namespace kg::gpu {

/// The one place that maps depths to types: body(In{}, Out{}).
template <typename Body>
auto with_samples(const PixelFormat& in, const PixelFormat& out, Body body) {
    if (in.depth == Depth::f32) return body(float{}, float{});
    if (out.depth == Depth::u8) return body(std::uint8_t{}, std::uint8_t{});
    return body(std::uint8_t{}, float{});
}

/// The same for algorithms that read and write all stored depths but half floats, which are converted.
template <typename Body>
auto with_all_samples(const PixelFormat& in, const PixelFormat& out, Body body) {
    if (in.depth == Depth::u16 && out.depth == Depth::u16) return body(std::uint16_t{}, std::uint16_t{});
    if (in.depth == Depth::u16) return body(std::uint16_t{}, float{});
    return with_samples(in, out, body);
}

/// The same for algorithms whose kernels choose the result's type themselves (StageCommon::floats):
/// body(In{}).
template <typename Body>
auto with_inputs(Depth in, Body body) {
    if (in == Depth::f32) return body(float{});
    if (in == Depth::u16) return body(std::uint16_t{});
    return body(std::uint8_t{});
}

/// border_index() for kernels, which never have border `constant` (core/plan/frame.hpp): the comparison with
/// it would be in all of them.
__device__ inline int device_border_index(Border border, int i, int n) {
    __builtin_assume(border != Border::constant);
    return border_index(border, i, n);
}

/// The same as a call: its division, inlined for each of many reads, would be most of a kernel's code.
static __device__ __noinline__ int index_outside(Border border, int i, int n) {
    return device_border_index(border, i, n);
}
__device__ inline int index_at_border(Border border, int i, int n) {
    return i >= 0 && i < n ? i : index_outside(border, i, n);
}

// The conditions of assert() in the guard build, whose kernels are compiled without NDEBUG: whether an access
// stays within the rectangle of an image that is in memory. Red zones detect only accesses beyond the whole
// buffer.

__device__ inline bool has_row(const StageCommon& c, int y) {
    return y >= c.src_y && y < c.src_y + c.src_height;
}
__device__ inline bool has_pixel(const StageCommon& c, int x, int y) {
    return has_row(c, y) && x >= c.src_x && x < c.src_x + c.src_width;
}
__device__ inline bool is_within(const std::byte* begin, std::int64_t pitch, std::int64_t row_bytes, int rows,
                                 const void* at, std::size_t bytes) {
    const auto offset = static_cast<const std::byte*>(at) - begin;
    return offset >= 0 && offset / pitch < rows &&
           offset % pitch + static_cast<std::int64_t>(bytes) <= row_bytes;
}
/// Whether `bytes` bytes from `at` on belong to one row of the item's source; of its result.
template <typename In>
__device__ bool is_of_source(const StageCommon& c, const StageItem& item, const void* at, std::size_t bytes) {
    const auto row_bytes = std::int64_t{c.src_width} * c.channels * static_cast<int>(sizeof(In));
    return is_within(item.src, item.src_pitch, row_bytes, c.src_height, at, bytes);
}
template <typename Out>
__device__ bool is_of_result(const StageCommon& c, const StageItem& item, const void* at, std::size_t bytes) {
    const auto row_bytes = std::int64_t{c.dst_width} * c.channels * static_cast<int>(sizeof(Out));
    return is_within(item.dst, item.dst_pitch, row_bytes, c.dst_height, at, bytes);
}

template <int Value>
using Constant = std::integral_constant<int, Value>;

template <typename Body>
auto with_channels(int channels, Body body) {
    if (channels == 1) return body(Constant<1>{});
    if (channels == 2) return body(Constant<2>{});
    if (channels == 3) return body(Constant<3>{});
    return body(Constant<4>{});
}

/// A kernel's sum over its divisor: one correctly rounded division (semantics 4).
__device__ inline float quotient(float sum, float divisor) {
    return divisor == 1.0f ? sum : __fdiv_rn(sum, divisor);
}

/// v over a divisor, correctly rounded, through the divisor's correctly rounded reciprocal with two
/// corrections (Markstein 1990), for operands that neither overflow nor underflow: avoids the branch of the
/// general division.
__device__ inline float divided(float v, float divisor, float reciprocal) {
    const float rough = v * reciprocal;
    const float near = __fmaf_rn(__fmaf_rn(-divisor, rough, v), reciprocal, rough);
    return __fmaf_rn(__fmaf_rn(-divisor, near, v), reciprocal, near);
}

/// The same for any v and divisors from 2^-100 to 2^100. Where v or the quotient is below 2^-100 or the
/// quotient above 2^127, the last place and the sign of zero may differ, and overflow may be a place early.
__device__ inline float divided_float(float v, float divisor, float reciprocal) {
    const float rough = v * reciprocal;
    return fabsf(rough) < 0x1p127f ? divided(v, divisor, reciprocal) : rough;
}

/// Sums over the divisor, correctly rounded.
template <int Count>
__device__ void divide(float (&sums)[Count], const KernelShape& kernel) {
    if (kernel.divisor == 1.0f) return;
    if (kernel.reciprocal != 0.0f) {
#pragma unroll
        for (int s = 0; s < Count; ++s) sums[s] = divided(sums[s], kernel.divisor, kernel.reciprocal);
    } else {
#pragma unroll
        for (int s = 0; s < Count; ++s) sums[s] = __fdiv_rn(sums[s], kernel.divisor);
    }
}

template <int Count>
__device__ __noinline__ void divide_elsewhere(float* sums, float divisor) {
#pragma unroll 1
    for (int s = 0; s < Count; ++s) sums[s] = __fdiv_rn(sums[s], divisor);
}

/// The same for sums of samples of type `In`. Integers hardly ever need the general division, which is most
/// of a large kernel's code: for them it is a function of its own, at the cost of a stack.
template <typename In, int Count>
__device__ void divide_in_less_code(float (&sums)[Count], const KernelShape& kernel) {
    if constexpr (!std::is_integral_v<In>) return divide(sums, kernel);
    if (kernel.divisor == 1.0f) return;
    if (kernel.reciprocal != 0.0f) {
#pragma unroll
        for (int s = 0; s < Count; ++s) sums[s] = divided(sums[s], kernel.divisor, kernel.reciprocal);
        return;
    }
    float copy[Count]; // in local memory
#pragma unroll
    for (int s = 0; s < Count; ++s) copy[s] = sums[s];
    divide_elsewhere<Count>(copy, kernel.divisor);
#pragma unroll
    for (int s = 0; s < Count; ++s) sums[s] = copy[s];
}

/// Combines `values` of the kernels so far with one more kernel. The switch is outside the loops: it is
/// uniform in a launch.
template <int Count>
__device__ void combine(Combine how, float (&values)[Count], const float (&quotients)[Count]) {
    switch (how) {
    case Combine::single:
#pragma unroll
        for (int s = 0; s < Count; ++s) values[s] = combined(Combine::single, values[s], quotients[s]);
        return;
    case Combine::l1:
#pragma unroll
        for (int s = 0; s < Count; ++s) values[s] = combined(Combine::l1, values[s], quotients[s]);
        return;
    case Combine::l2:
#pragma unroll
        for (int s = 0; s < Count; ++s) values[s] = combined(Combine::l2, values[s], quotients[s]);
        return;
    }
}

/// The offset of a channel; alpha gets none (semantics 7).
__device__ inline float offset_of(const StageCommon& c, int channel) {
    return channel == c.alpha ? 0.0f : c.offset;
}

/// The roots of sums of squares: root_of_squares() with one square root, whose code is long, instead of one
/// for each sign.
template <int Count>
__device__ void take_roots(float (&values)[Count]) {
#pragma unroll
    for (float& value : values) {
        const float root = sqrtf(fabsf(value));
        value = value < 0 ? root * kLargerRoot : root;
    }
}

/// Whole pixels after their last kernel.
template <int Channels, int Count>
__device__ void finish(const StageCommon& c, float (&values)[Count]) {
    if (c.combine == Combine::l2) take_roots(values);
#pragma unroll
    for (int s = 0; s < Count; ++s) values[s] += offset_of(c, s % Channels);
}

} // namespace kg::gpu
