// The definition, one thread per output sample: every tap resolves the border and reads both its weight and
// its sample from global memory.
//
// Serves as a baseline, and for kernels too large for the launches of other algorithms. On an H200 with 4096
// x 4096 pixels f32 x 1 it takes 400 us for 3 x 3 and 6.7 ms for 15 x 15 (docs/performance.md). The caches
// serve the taps; the bottleneck is each tap's border and address arithmetic, some ten instructions for one
// multiply-add. Four channels of bytes take four times as long.

#include "core/request/step.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

template <typename In, typename Out>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    filter_naive(const __grid_constant__ StageCommon c, const float* weights) {
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    const float value = output_value(
        c, own, weights, [&](int x, int y) { return bordered_sample<In>(c, item, x, y, own.channel); });
    store_output<Out>(c, item, own, value);
}

class NaivePlan final : public StagePlan {
public:
    NaivePlan(const ImageStep& step, Engine& engine)
        : StagePlan(step, pack(step, false)), weights_(device_copy(packed().weights, engine)) {
        kernel_ = with_samples(step.in, step.out, [&](auto in, auto out) {
            return reinterpret_cast<const void*>(&filter_naive<decltype(in), decltype(out)>);
        });
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        const auto* weights = weights_->device_address();
        void* arguments[] = {&parameters.common, &weights};
        queue.launch(kernel_, output_blocks(parameters.common, count), kOutputThreads, 0, arguments);
    }

    std::shared_ptr<CudaBuffer> weights_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_plain_stage(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    return why_not_launch(step);
}

constexpr Speed kSpeed{4, 0.12e6, 0.58e6};

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<NaivePlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kNaive{"naive",
                              "Naive",
                              "Every output reads every tap and its weight from global memory",
                              "the definition (docs/semantics.md 1)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu
