// Every tap as defined, summed in float64.
//
// For integers whose weights sum to many times the divisor: a 7 x 7 Sobel on 16 bits sums terms of up to 84
// million to a result of 65535. A float32 has 24 bits, so such sums are off by several levels; semantics 11
// allows one, next to a tie. A float64 has 53 bits: the product of a sample and a weight is exact, and the
// sum is practically exact until its single rounding to the output.
//
// Never fastest: vectors hold half as many doubles, so it takes about twice the time of `direct`. The planner
// chooses it where float32 is too coarse (core/request/rounding.hpp); users choose it to measure the error of
// float32. Where every sum is exact in float32 too, the operations after the sum are rounded to float32, so
// that the bytes equal those of all other algorithms. It also reads and writes the float64 between the steps
// of a recipe (semantics 5).

#include "cpu/engine.hpp"
#include "cpu/runtime/block_plan.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    auto why = why_not_blocks(r, Sums::float64_samples);
    return why.empty() && !has_weights(r.stages.front()) ? kTooManyWeights : why;
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    constexpr double kWider = 2; // products take twice the space
    return block_cost(step, {kWider * std::max(listed_products(step.stages.front()), 1.0), 0}, engine);
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    auto work = work_as_written(step, false);
    work.finish.rounds_to_float32 = !step.float64_sums &&
                                    sums_exactly(step.stages.front(), full_scale(step.in));
    return block_plan(step, std::move(work), Sums::float64);
}

} // namespace

extern const Algorithm kFloat64{"float64",
                                "Float64 sums",
                                "Every tap as it is written, in float64, where float32 is too coarse",
                                "the definition (docs/semantics.md 1 and 11)",
                                why_not,
                                cost,
                                plan};

} // namespace kg::cpu
