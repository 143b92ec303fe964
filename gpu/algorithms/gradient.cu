// Gradient magnitude in one launch: kernels with integer factors (Sobel, Scharr, Prewitt) over the same
// image, combined to a length.
//
// Every sample is read once for both slopes, and both are combined in registers, whereas `tiled` sums all
// taps of one kernel and then all of the other. Integer factors keep sums of integers exact, so that the
// bytes are those of any algorithm (semantics 11). On an H200 with 4096 x 4096 pixels it takes 263 us for
// bytes of four channels, `tiled` 370; with one channel of f32 `tiled` is faster at 3 x 3 (104 to 116) and
// slower from 5 x 5 on (docs/performance.md).

#include "core/request/step.hpp"
#include "gpu/kernels/factored.cuh"

namespace kg::gpu {

namespace {

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    const auto& stage = step.stages.front();
    if (stage.combine == Combine::single || stage.kernels.size() != 2) return "it combines two kernels";
    if (stage.factors.size() != 2) return "its kernels must have exact integer factors";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    return why_not_fused(step, 2);
}

constexpr Speeds kSpeeds{{8, 0.233e6, 8.04e6}, {10, 0.364e6, 9.18e6}};

Cost cost(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    return {stage_microseconds(step, kSpeeds, factor_taps(step))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<FactoredPlan<2>>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kGradient{"gradient",
                                 "Gradient",
                                 "Both slopes in one pass, from integer factors",
                                 "docs/semantics.md 4 and 11",
                                 why_not,
                                 cost,
                                 plan};

} // namespace kg::gpu
