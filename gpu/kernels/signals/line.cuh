#pragma once
// Signals on the device: reading a sample through its border, the product, and writing an output.

#include "gpu/kernels/signals/signal_launch.hpp"

#include <cassert>
#include <type_traits>

#include <cuda_runtime.h>

namespace kg::gpu {

/// sum + a * b: fused for floats; integers wrap (core/request/signal_sum.hpp).
template <typename T>
__device__ T added(T sum, T a, T b) {
    if constexpr (std::is_same_v<T, float>) return __fmaf_rn(a, b, sum);
    else if constexpr (std::is_same_v<T, double>) return __fma_rn(a, b, sum);
    else {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(sum) +
                              static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    }
}

/// A call: inlined for each of many reads it would be most of a kernel's code.
static __device__ __noinline__ std::int64_t sample_outside(const SampleBorder& border, std::int64_t index) {
    return border.inside(index);
}

/// One signal of an item.
template <typename T>
struct SignalLine {
    const std::byte* data; ///< sample `held.begin`
    std::int64_t step;     ///< bytes from a sample to the next
    Span held;
    const SampleBorder& border;
    T outside;

    /// That of the block.
    __device__ explicit SignalLine(const SignalLaunch& s)
        : data(s.src + blockIdx.y * s.src_pitch), step(s.src_step), held(s.held), border(s.border),
          outside(static_cast<T>(s.outside)) {}

    __device__ bool has(std::int64_t index) const { return index >= 0 && index < border.samples; }

    /// Where a sample of the signal is.
    __device__ const T* place(std::int64_t index) const {
        return reinterpret_cast<const T*>(data + (index - held.begin) * step);
    }
    __device__ T stored(std::int64_t index) const {
        assert(index >= held.begin && index < held.end);
        return *place(index);
    }
    /// Any sample; those outside are resolved by the border.
    __device__ T at(std::int64_t index) const {
        if (!has(index)) index = sample_outside(border, index);
        return index < 0 ? outside : stored(index);
    }
};

/// Writes output `index` of the block's whole signal, which is one of those requested.
template <typename T>
__device__ void write_output(const SignalLaunch& s, std::int64_t index, T value) {
    assert(index >= s.outputs.begin && index < s.outputs.end);
    auto* const at = s.dst + blockIdx.y * s.dst_pitch + (index - s.outputs.begin) * s.dst_step;
    *reinterpret_cast<T*>(at) = value;
}

} // namespace kg::gpu
