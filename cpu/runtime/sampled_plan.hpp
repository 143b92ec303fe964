#pragma once
// Every n-th output of every n-th row of one stage, for a preview of a slow result. The bytes equal those of
// `direct` for these outputs, or those of `separable` if the planner would choose it for the whole.

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// Empty if sampled_plan() supports the step; otherwise a message.
std::string why_not_sampled(const ImageStep& step);

/// The number of outputs: (u, v) is output (u * every, v * every) of the image.
inline Extent sampled_size(Extent size, int every) {
    return {(size.width + every - 1) / every, (size.height + every - 1) / every};
}

/// A plan for queues of an engine that computes on host memory. The outputs of its items are positions (u, v)
/// of the small image; the sources are positions of the whole image.
std::shared_ptr<const Plan> sampled_plan(const ImageStep& step, int every, const Engine& engine);

} // namespace kg::cpu
