// `naive` with the weights among the launch's parameters, where all threads of a warp read the same weight at
// no cost.
//
// The textbook place for weights is `__constant__` memory. It is one variable per program, so two filters in
// flight would overwrite each other's weights. Parameters lie in the same memory behind the same cache, and
// each launch has its own. Everything else is left to the caches, which serve weights as well as samples: on
// an H200 it takes the same time as `naive` (docs/performance.md).

#include "core/request/step.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

template <typename In, typename Out>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    filter_constant(const __grid_constant__ StageParameters<kMostWeights> p) {
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    const float value = output_value(
        c, own, p.weights, [&](int x, int y) { return bordered_sample<In>(c, item, x, y, own.channel); });
    store_output<Out>(c, item, own, value);
}

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_plain_stage(step); !why.empty()) return why;
    return why_not_packable(step);
}

constexpr Speed kSpeed{4, 0.12e6, 0.58e6};

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    auto packed = pack(step, false);
    const auto* kernel = with_samples(step.in, step.out, [&](auto in, auto out) {
        return reinterpret_cast<const void*>(&filter_constant<decltype(in), decltype(out)>);
    });
    return std::make_shared<OneOutputPlan>(step, std::move(packed), kernel);
}

} // namespace

extern const Algorithm kConstant{
    "constant",
    "Constant memory",
    "Every output reads every tap; the weights are broadcast from constant memory",
    "Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, chapter 7.3",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
