// The definition: a thread per output, every tap through the border, taps and samples from global memory.
//
// Serves as the baseline of the text that it comes from. Each sample is read once per tap, from the caches.

#include "gpu/kernels/signals/one_output.cuh"
#include "gpu/kernels/signals/signal_plan.hpp"

namespace kg::gpu::signals {

namespace {

template <typename T>
__global__ void __launch_bounds__(kOutputsPerBlock)
    sum_naive(const __grid_constant__ SignalLaunch s, const T* taps) {
    sum_one_output(s, taps);
}

class NaivePlan final : public SignalPlan {
public:
    NaivePlan(const SignalRequest& request, Engine& engine)
        : SignalPlan(request), taps_(device_taps(request, engine)),
          kernel_(with_signal_type(
              request, []<typename T>(T) { return reinterpret_cast<const void*>(&sum_naive<T>); })) {}

private:
    void launch(CudaQueue& queue, SignalLaunch& s, unsigned rows) const override {
        const auto* taps = taps_->device_address();
        void* arguments[] = {&s, &taps};
        const auto blocks = (s.outputs.end - s.outputs.begin - 1) / kOutputsPerBlock + 1;
        queue.launch(kernel_, signal_blocks(blocks, rows), {kOutputsPerBlock}, 0, arguments);
    }

    std::shared_ptr<CudaBuffer> taps_;
    const void* kernel_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto type = element(std::get<SignalRequest>(step));
    return type == Element::f32 || type == Element::i32 ? "" : kOtherType;
}

Cost cost(const PlanStep& step, const Engine&) {
    return {signal_microseconds(std::get<SignalRequest>(step), 0.7e6, 0.18)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<NaivePlan>(std::get<SignalRequest>(step), engine);
}

} // namespace

extern const Algorithm kNaive{"naive",
                              "Naive",
                              "A thread per output, every tap through the border",
                              "the definition (docs/semantics.md 15)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu::signals
