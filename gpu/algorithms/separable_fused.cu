// Columns and rows of a separable kernel in one launch: the sums down the columns never leave the chip.
//
// width + height multiply-adds per output instead of width * height, and the image's bytes move once: for all
// but the largest kernels the bottleneck is the number of reads in flight, not the arithmetic. For bytes it
// stands in where `separable_bytes`, on tensor cores, does not take the weights; it weights colour by alpha,
// of 16 bits too; and it sums floats of two channels, as which grey with alpha is filtered. Other floats and
// 16 bits are left to `march`, `separable_march` and `separable_tiles`, which were faster at every size that
// was measured (docs/optimisations.md), but take one, three or four channels; kernels whose factors do not
// fit into a launch are left to `separable`.

#include "core/request/step.hpp"
#include "gpu/kernels/factored.cuh"

namespace kg::gpu {

namespace {

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float32, AlphaWeighting::itself); !why.empty())
        return why;
    if (auto why = why_not_alpha_in_sums(step); !why.empty()) return why;
    const bool two = step.in.channels == 2;
    if (step.in.depth != (two ? Depth::f32 : Depth::u8) &&
        !(step.in.depth == Depth::u16 && is_alpha_weighted(step)))
        return two ? "of two channels it reads f32" : "it reads u8, and u16 that is weighted by alpha";
    if (step.stages.front().kernels.size() != 1) return "it sums one kernel at a time";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (auto why = why_not_fused(step, 1); !why.empty()) return why;
    return why_not_factored(step);
}

constexpr Speeds kSpeeds{{12.6, 0.631e6, 6.16e6}, {12.6, 0.737e6, 6.74e6}};
constexpr double kAlphaWeightedSamplesPerMicrosecond = 0.8e6; // additional cost of alpha weighting

Cost cost(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    const double us = stage_microseconds(step, kSpeeds, factor_taps(step));
    if (!is_alpha_weighted(step)) return {us};
    return {us + static_cast<double>(step.size.width * step.size.height * step.in.channels) /
                     kAlphaWeightedSamplesPerMicrosecond};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<FactoredPlan<1>>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kSeparableFused{
    "separable_fused",
    "Separable, fused",
    "Bytes, and colour weighted by alpha: a column and a row in one launch",
    "Every kernel of rank 1 (core/request/separate.hpp)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
