#pragma once
// The planner's part for volumes (core/plan/tensor_planner.hpp).

#include "core/plan/engine.hpp"
#include "core/plan/planner.hpp"

#include <memory>
#include <vector>

namespace kg {

/// Plans a valid request with `forced`, which supports it, or with the cheapest algorithm if that is nullptr.
/// Source and result of an item are whole: their channels are the slices of the request (tensor_slices()),
/// their rows are float32 next to each other. The plan checks them as tensor_plan() does. Throws NoAlgorithm
/// if no algorithm of the engine supports the request.
std::shared_ptr<const Plan> volume_plan(Engine& engine, const VolumeRequest& request, const Algorithm* forced,
                                        const PlanContext& context);

std::vector<AlgorithmAnswer> volume_answers(const Engine& engine, const VolumeRequest& request);

} // namespace kg
