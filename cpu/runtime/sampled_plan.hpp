#pragma once
// Every n-th output of every n-th row of one stage, for a look at a result that takes long: with the bytes that `direct`, or
// `separable` where the whole takes less that way, gives these outputs.

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// Empty for a step that sampled_plan() computes; otherwise a sentence.
std::string why_not_sampled(const ImageRequest& step);

/// How many outputs there are: (u, v) is output (u * every, v * every) of the picture.
inline Extent sampled_size(Extent size, int every) {
    return {(size.width + every - 1) / every, (size.height + every - 1) / every};
}

/// A plan for queues of an engine that computes on host memory. Its items' outputs are places (u, v) of the small picture, its
/// sources those of the whole one.
std::shared_ptr<const Plan> sampled_plan(const ImageRequest& step, int every, const Engine& engine);

} // namespace kg::cpu
