#pragma once
// One thread per output sample, with the taps in the kernel's order: the body shared by the plain summing
// algorithms. They differ in where a tap and its weight are read, and in who resolves the border.

#include "gpu/kernels/stage.cuh"

namespace kg::gpu {

inline constexpr int kOutputColumns = 32, kOutputRows = 8; // samples per block

/// The output sample of a thread. Blocks are ordered row by row.
struct OutputSample {
    int column, row, channel; ///< in the rectangle of outputs
    int x, y;                 ///< in the image
    bool exists;
};

__device__ inline OutputSample own_output(const StageCommon& c) {
    const int samples = c.dst_width * c.channels,
              blocks_across = (samples + kOutputColumns - 1) / kOutputColumns;
    const int sample = static_cast<int>(blockIdx.x) % blocks_across * kOutputColumns +
                       static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.x) / blocks_across * kOutputRows +
                    static_cast<int>(threadIdx.y);
    const int column = sample / c.channels;
    return {column,           row,           sample % c.channels,
            c.dst_x + column, c.dst_y + row, sample < samples && row < c.dst_height};
}

inline dim3 output_blocks(const StageCommon& c, unsigned count) {
    const auto across = (std::int64_t{c.dst_width} * c.channels + kOutputColumns - 1) / kOutputColumns;
    return {static_cast<unsigned>(across * ((c.dst_height + kOutputRows - 1) / kOutputRows)), 1, count};
}

inline constexpr dim3 kOutputThreads{kOutputColumns, kOutputRows};

/// The output's value before rounding. tap(x, y) returns the sample of the output's channel at an image
/// position that may lie outside.
template <typename Tap>
__device__ float output_value(const StageCommon& c, const OutputSample& own, const float* weights, Tap tap) {
    if (!(c.computed >> own.channel & 1u)) return tap(own.x, own.y);
    float value = 0.0f;
    for (int k = 0; k < c.kernel_count; ++k) {
        const auto& kernel = c.kernels[k];
        const float* weight = weights + kernel.first;
        float sum = 0.0f;
        for (int i = 0; i < kernel.height; ++i) {
            float row_sum = kernel.width == 1 ? sum : 0.0f; // a column is one chain
            for (int j = 0; j < kernel.width; ++j, ++weight) {
                if (*weight == 0.0f) continue; // not a tap: NaN must not leak through it
                row_sum = __fmaf_rn(*weight, tap(own.x + kernel.dx + j, own.y + kernel.dy + i), row_sum);
            }
            sum = kernel.width == 1 ? row_sum : sum + row_sum;
        }
        value = combined(c.combine, value, quotient(sum, kernel.divisor));
    }
    return finished(c.combine, value, offset_of(c, own.channel));
}

template <typename Out>
__device__ void store_output(const StageCommon& c, const StageItem& item, const OutputSample& own,
                             float value) {
    assert(own.column >= 0 && own.column < c.dst_width && own.row >= 0 && own.row < c.dst_height);
    auto* line = reinterpret_cast<Out*>(item.dst + std::int64_t{own.row} * item.dst_pitch);
    line[std::int64_t{own.column} * c.channels + own.channel] = SampleTraits<Out>::from(value);
}

/// A sample inside the image.
template <typename In, typename Number = float>
__device__ Number image_sample(const StageCommon& c, const StageItem& item, int x, int y, int channel) {
    assert(has_pixel(c, x, y));
    const auto* line = reinterpret_cast<const In*>(item.src + std::int64_t{y - c.src_y} * item.src_pitch);
    return static_cast<Number>(line[std::int64_t{x - c.src_x} * c.channels + channel]);
}

/// A sample that may lie outside the image: resolves the border for every tap.
template <typename In>
__device__ float bordered_sample(const StageCommon& c, const StageItem& item, int x, int y, int channel) {
    const int at_x = device_border_index(c.border, x, c.width),
              at_y = device_border_index(c.border, y, c.height);
    return at_x < 0 || at_y < 0 ? 0.0f : image_sample<In>(c, item, at_x, at_y, channel);
}

/// Plan of algorithms whose weights travel with the launch and which differ only in the kernel.
class OneOutputPlan final : public StagePlan {
public:
    /// `kernel` takes StageParameters<kMostWeights>.
    OneOutputPlan(const ImageStep& step, PackedStage packed, const void* kernel, std::size_t shared_bytes = 0)
        : StagePlan(step, std::move(packed)), kernel_(kernel), shared_bytes_(shared_bytes) {}

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        void* arguments[] = {&parameters};
        queue.launch(kernel_, output_blocks(parameters.common, count), kOutputThreads, shared_bytes_,
                     arguments);
    }

    const void* kernel_;
    std::size_t shared_bytes_;
};

} // namespace kg::gpu
