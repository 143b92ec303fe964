#pragma once
// What every n-th output of every n-th row takes: tap by tap, or columns and then rows.

#include "core/plan/engine.hpp"
#include "core/request/separate.hpp"

#include <optional>
#include <vector>

namespace kg::cpu {

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

/// The factors of each kernel, columns and rows in the order of the picture. Empty where a kernel has none, or where tap by tap is less
/// work.
std::optional<std::vector<Factors>> sampled_factors(const Stage& stage);

} // namespace kg::cpu
