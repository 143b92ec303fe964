// Columns and rows of a kernel that is their product, in one launch: the sums down the columns never leave the chip.
//
// width + height multiply-adds for an output instead of width * height, and the picture's bytes move once: for all but the
// largest kernels it is reads under way that decide, not the arithmetic. On an H200 with 4096 x 4096 pixels f32 x 1 it takes
// 57 us for 3 x 3 (a copy takes 39), 103 for 15 x 15 and 163 for 31 x 31 (docs/performance.md). It wins over `tiled` and over
// `separable` to 31 a side; kernels whose factors do not fit into a launch are left to the latter.

#include "core/request/step.hpp"
#include "gpu/kernels/factored.cuh"

namespace kg::gpu {

namespace {

std::string why_not(const Request& request, const Engine&) {
    const auto& step = std::get<ImageRequest>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.stages.front().kernels.size() != 1) return "it sums one kernel at a time";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (auto why = why_not_fused(step, 1); !why.empty()) return why;
    return why_not_factored(step);
}

constexpr Speeds kSpeeds{{12.6, 0.631e6, 6.16e6}, {12.6, 0.737e6, 6.74e6}};

Cost cost(const Request& request, const Engine&) {
    const auto& step = std::get<ImageRequest>(request);
    return {stage_microseconds(step, kSpeeds, factor_taps(step))};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<FactoredPlan<1>>(std::get<ImageRequest>(request));
}

} // namespace

extern const Algorithm kSeparableFused{"separable_fused",
                                       "Separable, fused",
                                       "A column and a row in one launch, the sums between them on the chip",
                                       "Every kernel of rank 1 (core/request/separate.hpp)",
                                       why_not,
                                       cost,
                                       plan};

} // namespace kg::gpu
