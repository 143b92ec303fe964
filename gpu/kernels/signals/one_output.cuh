#pragma once
// One thread per output, every tap through the border: the body of `naive` and `constant`, which differ in
// where the taps lie.

#include "gpu/kernels/signals/line.cuh"

namespace kg::gpu {

inline constexpr int kOutputsPerBlock = 256;

//   thread      0   1   2  ...          taps  w0 w1 w2
//   samples   x0 x1 x2 x3 x4 ...        y0 = w0 x0 + w1 x1 + w2 x2, and so on
//
template <typename T>
__device__ void sum_one_output(const SignalLaunch& s, const T* taps) {
    const auto i = s.outputs.begin + std::int64_t{blockIdx.x} * kOutputsPerBlock + threadIdx.x;
    if (i >= s.outputs.end || s.stop.raised()) return;
    const SignalLine<T> line(s);
    auto index = s.first + i * s.stride;
    T sum = 0;
#pragma unroll 1
    for (std::int64_t j = 0; j < s.taps; ++j, index += s.dilation)
        if (const T weight = taps[j]; weight != 0) // a zero is no tap: NaN must not leak through it
            sum = added(sum, weight, line.at(index));
    write_output(s, i, sum);
}

} // namespace kg::gpu
