#pragma once
// The planner's part for filter banks (core/plan/tensor_planner.hpp).

#include "core/plan/bank_tiling.hpp"
#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace kg {

/// Plans a valid request with `forced`, which supports it, or with the cheapest algorithm if that is nullptr.
/// The items of a run are those of the batch: the source has the request's channels, the result its filters.
/// The plan checks them as tensor_plan() does. Throws NoAlgorithm if no algorithm of the engine supports the
/// request.
std::shared_ptr<const Plan> bank_plan(Engine& engine, const BankRequest& request, const Algorithm* forced,
                                      const PlanContext& context);

std::vector<AlgorithmAnswer> bank_answers(const Engine& engine, const BankRequest& request);

/// For verification: the algorithm of a bank's plan if it states an error, nullptr if not.
const Algorithm* inexact_bank_algorithm(const Engine& engine, const Plan& plan);

/// How the algorithm of a bank's plan divides the outputs; empty if it does not state that.
std::optional<BankTiling> bank_tiling(Engine& engine, const BankRequest& request, const Plan& plan);

} // namespace kg
