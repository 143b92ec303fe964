#pragma once
// One run of a plan on tensors in host memory: in place where the engine computes there, and otherwise by
// transfers. What jobs of signals, filter banks and volumes share.

#include "core/plan/engine.hpp"

#include <memory>
#include <span>
#include <stop_token>

namespace kg {

/// An item of a batch and where its outputs go.
struct TensorItem {
    ConstTensorView from;
    TensorView to;
};

/// Throws Error if outputs of so many bytes exceed the engine's memory: memory may be promised that is not
/// there, and is refused before it is touched.
void expect_tensor_room(const Engine& engine, double outputs, double bytes_per_output);

/// Runs the plan on all items and waits. Returns the microseconds that it took by the engine's clock. Throws
/// the errors of the engine, and Cancelled.
double run_tensors(Engine& engine, const std::shared_ptr<const Plan>& plan, std::span<const TensorItem> items,
                   const std::stop_token& stop);

} // namespace kg
