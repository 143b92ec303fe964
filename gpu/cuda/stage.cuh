#pragma once
// What the filtering kernels share: the choice of instantiation, and the last operations of an output.

#include "gpu/cuda/stage.hpp"

#include <type_traits>

namespace kg::gpu {

/// The one place where depths become types: body(In{}, Out{}).
template <typename Body>
auto with_samples(const PixelFormat& in, const PixelFormat& out, Body body) {
    if (in.depth == Depth::f32) return body(float{}, float{});
    if (out.depth == Depth::u8) return body(std::uint8_t{}, std::uint8_t{});
    return body(std::uint8_t{}, float{});
}

template <int Value>
using Constant = std::integral_constant<int, Value>;

template <typename Body>
auto with_capacity(const PackedStage& packed, Body body) {
    return packed.few() ? body(Constant<kFewWeights>{}) : body(Constant<kMostWeights>{});
}

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

/// Alpha gets no offset (semantics 7).
__device__ inline float offset_of(const StageCommon& c, int channel) {
    return channel == c.alpha ? 0.0f : c.offset;
}

} // namespace kg::gpu
