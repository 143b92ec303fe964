// The definition, one thread per output sample: every tap asks the border where it is and reads global memory.
//
// Here to be compared with, and for what `tiled` has no shared memory for. On an H200 with 4096 x 4096 pixels f32 x 1 takes
// 360 us for 3 x 3 and 5.4 ms for 15 x 15: the caches serve the taps, and what it waits for is each tap's border and address
// arithmetic, some ten instructions for one multiply-add. Four channels of bytes cost four times that.

#include "gpu/cuda/device.hpp"
#include "gpu/cuda/stage.cuh"

namespace kg::gpu {

namespace {

constexpr int kColumns = 32, kRows = 8; // of samples, per block

template <typename In, typename Out, int Capacity>
__global__ void __launch_bounds__(kColumns* kRows, 4)
    filter_naive(const __grid_constant__ StageParameters<Capacity> p) {
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const int samples_per_row = c.dst_width * c.channels;
    const int blocks_per_row = (samples_per_row + kColumns - 1) / kColumns;
    const int sample = static_cast<int>(blockIdx.x) % blocks_per_row * kColumns +
                       static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.x) / blocks_per_row * kRows + static_cast<int>(threadIdx.y);
    if (sample >= samples_per_row || row >= c.dst_height || c.stop.raised()) return;
    const int column = sample / c.channels, channel = sample % c.channels;
    const int x = c.dst_x + column, y = c.dst_y + row;

    const auto read = [&](int at_x, int at_y) { // of the picture, border resolved
        const auto* line = reinterpret_cast<const In*>(item.src + (at_y - c.src_y) * item.src_pitch);
        return static_cast<float>(line[std::int64_t{at_x - c.src_x} * c.channels + channel]);
    };
    float value = 0.0f;
    if (c.computed >> channel & 1u) {
        for (int k = 0; k < c.kernel_count; ++k) {
            const auto& kernel = c.kernels[k];
            float sum = 0.0f;
            for (int i = 0; i < kernel.height; ++i) {
                const int at_y = border_index(c.border, y + kernel.dy + i, c.height);
                float row_sum = 0.0f;
                for (int j = 0; j < kernel.width; ++j) {
                    const float weight = p.weights[kernel.first + i * kernel.width + j];
                    if (weight == 0.0f) continue; // no tap: NaN must not leak through it
                    const int at_x = border_index(c.border, x + kernel.dx + j, c.width);
                    const float tap = at_x < 0 || at_y < 0 ? 0.0f : read(at_x, at_y);
                    row_sum = __fmaf_rn(weight, tap, row_sum);
                }
                sum += row_sum;
            }
            value = combined(c.combine, value, quotient(sum, kernel.divisor));
        }
        value = finished(c.combine, value, offset_of(c, channel));
    } else {
        value = read(x, y);
    }
    auto* line = reinterpret_cast<Out*>(item.dst + std::int64_t{row} * item.dst_pitch);
    line[sample] = SampleTraits<Out>::from(value);
}

class NaivePlan final : public StagePlan {
public:
    explicit NaivePlan(const ImageRequest& step) : StagePlan(step, pack(step, false)) {
        kernel_ = with_samples(step.in, step.out, [&](auto in, auto out) {
            return with_capacity(packed(), [](auto capacity) {
                return reinterpret_cast<const void*>(
                    &filter_naive<decltype(in), decltype(out), decltype(capacity)::value>);
            });
        });
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto& c = parameters.common;
        const auto across = (std::int64_t{c.dst_width} * c.channels + kColumns - 1) / kColumns;
        const auto blocks = static_cast<unsigned>(across * ((c.dst_height + kRows - 1) / kRows));
        void* arguments[] = {&parameters};
        queue.launch(kernel_, {blocks, 1, count}, {kColumns, kRows}, 0, arguments);
    }

    const void* kernel_;
};

std::string why_not(const Request& request, const Engine&) {
    return why_not_packable(std::get<ImageRequest>(request));
}

Cost cost(const Request& request, const Engine&) {
    return {stage_microseconds(std::get<ImageRequest>(request), kNaiveSpeed)};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<NaivePlan>(std::get<ImageRequest>(request));
}

} // namespace

extern const Algorithm kNaive{"naive",
                              "Naive",
                              "Every output reads every tap from global memory",
                              "the definition (docs/semantics.md 1)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu
