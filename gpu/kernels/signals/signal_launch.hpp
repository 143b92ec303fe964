#pragma once
// The parameters of a launch over signals: what host and device share.

#include "core/request/signal_request.hpp"
#include "gpu/kernels/sample_border.hpp"
#include "gpu/runtime/stop.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

/// A launch for a batch of signals, of which blockIdx.y is a block's. A step leads from a column to the next,
/// in bytes.
struct SignalLaunch {
    const std::byte* src; ///< sample `held.begin` of the first signal
    std::byte* dst;       ///< output `outputs.begin`
    std::int64_t src_pitch, src_step, dst_pitch, dst_step;
    StopFlag stop;
    Span held;          ///< the samples in memory
    Span outputs;       ///< those requested
    std::int64_t all;   ///< outputs of a whole signal
    std::int64_t first; ///< the sample under the first tap at output 0
    std::int64_t stride, dilation, taps, span;
    double outside; ///< the sample outside under Border::constant
    SampleBorder border;
};

} // namespace kg::gpu
