// A first launch copies the image with its border around it, so that the second needs no border test per tap.
//
// The border tests of `naive` become one pass over the memory and a copy that is larger than the image. That
// pays from 7 x 7 on, where it takes 0.8 times as long (docs/performance.md); `tiled` does the same in shared
// memory at no cost.

#include "core/request/step.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

/// The outputs of this launch are the bordered copy: every sample that a tap of the filter's outputs may
/// read.
template <typename In>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    copy_with_border(const __grid_constant__ StageCommon c) {
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    store_output<In>(c, item, own, bordered_sample<In>(c, item, own.x, own.y, own.channel));
}

template <typename In, typename Out>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    filter_padded(const __grid_constant__ StageParameters<kMostWeights> p) {
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    const float value = output_value(
        c, own, p.weights, [&](int x, int y) { return image_sample<In>(c, item, x, y, own.channel); });
    store_output<Out>(c, item, own, value);
}

class PaddedPlan final : public StagePlan {
public:
    explicit PaddedPlan(const ImageStep& step) : StagePlan(step, pack(step, false)) {
        copy_ = step.in.depth == Depth::u8 ? reinterpret_cast<const void*>(&copy_with_border<std::uint8_t>)
                                           : reinterpret_cast<const void*>(&copy_with_border<float>);
        kernel_ = with_samples(step.in, step.out, [&](auto in, auto out) {
            return reinterpret_cast<const void*>(&filter_padded<decltype(in), decltype(out)>);
        });
    }

    Needs needs(const Rect& output) const override {
        auto needs = StagePlan::needs(output);
        needs.scratch_bytes = copy_pitch(output.width) *
                              static_cast<std::size_t>(output.height + packed().common.reach_height - 1);
        return needs;
    }

private:
    /// Bytes from one row of the bordered copy to the next.
    std::size_t copy_pitch(std::int64_t width) const {
        return buffer_pitch(width + packed().common.reach_width - 1, step().in);
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        auto& c = parameters.common;
        const auto outputs = c;
        const auto pitch = copy_pitch(c.dst_width);
        c.dst_x -= c.left, c.dst_y -= c.up;
        c.dst_width += c.reach_width - 1, c.dst_height += c.reach_height - 1;
        const auto own = pitch * static_cast<std::size_t>(c.dst_height);
        for (unsigned i = 0; i < count; ++i) {
            c.items[i].dst = scratch + i * own;
            c.items[i].dst_pitch = static_cast<std::int64_t>(pitch);
        }
        void* copy_arguments[] = {&c};
        queue.launch(copy_, output_blocks(c, count), kOutputThreads, 0, copy_arguments);

        const auto copy = c;
        for (unsigned i = 0; i < count; ++i)
            c.items[i] = {c.items[i].dst, outputs.items[i].dst, c.items[i].dst_pitch,
                          outputs.items[i].dst_pitch};
        c.src_x = copy.dst_x, c.src_y = copy.dst_y;
        c.src_width = copy.dst_width, c.src_height = copy.dst_height;
        c.dst_x = outputs.dst_x, c.dst_y = outputs.dst_y;
        c.dst_width = outputs.dst_width, c.dst_height = outputs.dst_height;
        void* arguments[] = {&parameters};
        queue.launch(kernel_, output_blocks(c, count), kOutputThreads, 0, arguments);
    }

    const void *copy_, *kernel_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_plain_stage(step); !why.empty()) return why;
    return why_not_packable(step);
}

constexpr Speed kSpeed{8, 0.05e6, 0.86e6};

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<PaddedPlan>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kPadded{"padded",
                               "Padded",
                               "A copy with the border around it, then taps without tests",
                               "the explicit padding of deep-learning libraries",
                               why_not,
                               cost,
                               plan};

} // namespace kg::gpu
