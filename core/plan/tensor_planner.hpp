#pragma once
// What the planner does for requests on tensors, which are one step: signals and filter banks. There is
// nothing to cut or to chain; the choice by cost, the answers and the checks of what is recorded remain.

#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kg {

/// What the views of a run must be.
struct TensorRun {
    std::string_view of; ///< what is computed, for messages: "signals"
    Element element = Element::f32;
    std::int64_t channels = 1, result_channels = 1; ///< of an item and of its result
    Rect outputs;                                   ///< all that the request has
};

/// Plans a valid request with `forced`, which supports it, or with the cheapest of the algorithms if that is
/// nullptr. The plan checks the items that it records: it throws Error for tensors of another type or another
/// number of channels, for outputs that the request does not have, and for sources that lack numbers. Throws
/// NoAlgorithm if none of the algorithms supports the request.
std::shared_ptr<const Plan> tensor_plan(Engine& engine, std::span<const Algorithm* const> algorithms,
                                        const PlanStep& step, const TensorRun& run, const Algorithm* forced,
                                        const PlanContext& context);

std::vector<AlgorithmAnswer>
tensor_answers(const Engine& engine, std::span<const Algorithm* const> algorithms, const PlanStep& step);

/// The one of the algorithms that made the plan, if it states an error; nullptr if not.
const Algorithm* inexact_tensor_algorithm(std::span<const Algorithm* const> algorithms, const Plan& plan);

} // namespace kg
