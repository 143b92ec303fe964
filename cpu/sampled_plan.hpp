#pragma once
// Every n-th output of every n-th row of one stage, for a look at a result that takes long: with the bytes that `direct`, or
// `separable` where the whole takes less that way, gives these outputs.

#include "core/engine.hpp"

namespace kg::cpu {

/// Empty for a step that sampled_plan() computes; otherwise a sentence.
std::string why_not_sampled(const ImageRequest& step);

/// How many outputs there are: (u, v) is output (u * every, v * every) of the picture.
inline Extent sampled_size(Extent size, int every) {
    return {(size.width + every - 1) / every, (size.height + every - 1) / every};
}

/// Multiply-adds for an output sample.
struct SampledProducts {
    double listed = 0;          ///< tap by tap
    double down = 0, along = 0; ///< columns, then rows, where all kernels are such products
    bool is_separable = false, is_listed = true;

    /// As the planner chooses for the whole result, so that floats are rounded alike.
    bool separates() const { return is_separable && (!is_listed || down + along < listed); }
    /// Sums down each of `every` columns serve one output.
    double of(int every) const { return separates() ? every * down + along : listed; }
};
/// Looks at every weight: for all numbers of `every` at once.
SampledProducts sampled_products(const Stage& stage);

/// The time for `count` outputs.
Cost sampled_cost(const ImageRequest& step, const SampledProducts& products, int every, Extent count,
                  const Engine& engine);

/// A plan for queues of an engine that computes on host memory. Its items' outputs are places (u, v) of the small picture, its
/// sources those of the whole one.
std::shared_ptr<const Plan> sampled_plan(const ImageRequest& step, int every, const Engine& engine);

} // namespace kg::cpu
