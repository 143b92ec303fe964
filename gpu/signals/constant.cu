// `naive` with the taps in constant memory, where all threads of a warp read the same tap at no cost.
//
// The text that it comes from has one `__constant__` array of 1025 taps, which two convolutions in flight
// would share, and does not check their number. Parameters of a launch lie in the same memory behind the same
// cache, and each launch has its own. The number is checked.

#include "gpu/kernels/signals/one_output.cuh"
#include "gpu/kernels/signals/signal_plan.hpp"

namespace kg::gpu::signals {

namespace {

constexpr std::int64_t kMostTaps = 1025;

struct ConstantLaunch {
    SignalLaunch common;
    float taps[kMostTaps];
};
static_assert(sizeof(ConstantLaunch) <= 32764, "the most a launch can carry");

__global__ void __launch_bounds__(kOutputsPerBlock) sum_constant(const __grid_constant__ ConstantLaunch s) {
    sum_one_output(s.common, s.taps);
}

class ConstantPlan final : public SignalPlan {
public:
    explicit ConstantPlan(const SignalRequest& request)
        : SignalPlan(request), taps_(ordered_taps<float>(request)) {}

private:
    void launch(CudaQueue& queue, SignalLaunch& s, unsigned rows) const override {
        ConstantLaunch all;
        all.common = s;
        std::ranges::copy(taps_, all.taps);
        void* arguments[] = {&all};
        const auto blocks = (s.outputs.end - s.outputs.begin - 1) / kOutputsPerBlock + 1;
        queue.launch(reinterpret_cast<const void*>(&sum_constant), signal_blocks(blocks, rows),
                     {kOutputsPerBlock}, 0, arguments);
    }

    std::vector<float> taps_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    if (element(request) != Element::f32) return kOtherType;
    return tap_count(request) > kMostTaps ? "its taps travel with the launch: at most 1025" : "";
}

Cost cost(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    constexpr std::int64_t kCached = 64; // more taps are 2.5 times slower by measurement
    return {signal_microseconds(request, tap_count(request) > kCached ? 0.3e6 : 0.75e6, 0.15)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<ConstantPlan>(std::get<SignalRequest>(step));
}

} // namespace

extern const Algorithm kConstant{"constant",
                                 "Constant memory",
                                 "As naive; the taps are broadcast from constant memory",
                                 "Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, ch. 7",
                                 why_not,
                                 cost,
                                 plan};

} // namespace kg::gpu::signals
