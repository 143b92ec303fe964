#pragma once
// The planner's part for signals (core/plan/tensor_planner.hpp).

#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"

#include <memory>
#include <vector>

namespace kg {

/// Plans a valid request with `forced`, which supports it, or with the cheapest algorithm if that is nullptr.
/// The plan checks the items that it records: it throws Error for tensors of another type or another number
/// of channels than one, for outputs that the request does not have, and for sources that lack samples.
/// Throws NoAlgorithm if no algorithm of the engine supports the request.
std::shared_ptr<const Plan> signal_plan(Engine& engine, const SignalRequest& request, const Algorithm* forced,
                                        const PlanContext& context);

std::vector<AlgorithmAnswer> signal_answers(const Engine& engine, const SignalRequest& request);

/// For verification: the algorithm of a signal's plan if it states an error, nullptr if not.
const Algorithm* inexact_signal_algorithm(const Engine& engine, const Plan& plan);

/// The outputs of all signals: what a whole run computes. A row is a signal.
Rect whole_output(const SignalRequest& request);

} // namespace kg
