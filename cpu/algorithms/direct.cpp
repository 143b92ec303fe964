// The sum as defined: every tap of every kernel, in f32 with fused multiply-adds.
//
// Fastest for small kernels and for kernels without structure; supports every kernel, border and anchor. A
// block of four output rows is summed together, 64 samples wide: a sample is read and widened once for the
// taps of four rows. Interleaved channels need no special treatment, because a neighbour is `channels`
// samples away.

#include "cpu/engine.hpp"
#include "cpu/runtime/block_plan.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    auto why = why_not_blocks(r);
    return why.empty() && !has_weights(r.stages.front()) ? kTooManyWeights : why;
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    return block_cost(step, {listed_products(step.stages.front()), 0}, engine);
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    return block_plan(step, work_as_written(step, true));
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every tap as it is written, f32 with fused multiply-adds",
                               "the definition (docs/semantics.md 1)",
                               why_not,
                               cost,
                               plan};

} // namespace kg::cpu
