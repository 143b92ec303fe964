#pragma once
// One item of a batch, read through the border of its request. Strides may be those of any layout.

#include "core/request/bank_request.hpp"
#include "cpu/runtime/signal_line.hpp"

#include <algorithm>

namespace kg::cpu {

struct BankSource {
    const BankRequest& request;
    ConstTensorView view;
    Rect held; ///< what of every channel is in memory

    /// out[i] = the number at column first + i * step of row y of a channel, for i in [0, count). Those that
    /// lie in the tensor must be held.
    void load(std::int64_t channel, std::int64_t y, std::int64_t first, std::int64_t count, std::int64_t step,
              float* out) const {
        const float outside = request.border == Border::constant ? request.outside : 0.0f;
        const auto row = border_index(request.border, y, request.size.height);
        if (row < 0) {
            std::fill_n(out, count, outside);
            return;
        }
        const SignalLine<float> line{view.at(0, row - held.y, channel),
                                     view.format.column_stride,
                                     {held.x, held.right()},
                                     request.size.width,
                                     request.border,
                                     outside};
        line.load(first, count, step, out);
    }
};

/// One output as defined, without its bias: sums along rows of weights, of these sums over a channel, and of
/// those over the channels, so that its error is within c + r + s roundings.
inline float bank_output(const BankSource& source, std::int64_t filter, std::int64_t p, std::int64_t q) {
    const auto& r = source.request;
    const auto channels = group_channels(r), first_channel = filter / group_filters(r) * channels;
    const float* weight = r.weights.data() + static_cast<std::size_t>(filter * term_count(r));
    float sum = 0;
    for (std::int64_t c = 0; c < channels; ++c) {
        float of_channel = 0;
        for (std::int64_t i = 0; i < r.kernel.height; ++i) {
            float of_row = 0;
            for (std::int64_t j = 0; j < r.kernel.width; ++j) {
                float number = 0;
                source.load(first_channel + c, p * r.stride.rows + i * r.dilation.rows - r.padding.top,
                            q * r.stride.columns + j * r.dilation.columns - r.padding.left, 1, 1, &number);
                of_row += *weight++ * number;
            }
            of_channel += of_row;
        }
        sum += of_channel;
    }
    return sum;
}

} // namespace kg::cpu
