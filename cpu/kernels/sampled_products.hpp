#pragma once
// The products per output when every n-th output of every n-th row is computed: tap by tap, or columns and
// then rows.

#include "core/plan/engine.hpp"
#include "core/request/separate.hpp"

#include <optional>
#include <vector>

namespace kg::cpu {

/// Multiply-adds per output sample.
struct SampledProducts {
    double listed = 0;          ///< tap by tap
    double down = 0, along = 0; ///< columns, then rows, if all kernels are such products
    bool is_separable = false, is_listed = true;

    /// The planner's choice for the whole result, so that floats are rounded alike.
    bool separates() const { return is_separable && (!is_listed || down + along < listed); }
    /// Sums down each of `every` columns contribute to one output.
    double of(int every) const { return separates() ? every * down + along : listed; }
};
/// Visits every weight. The result applies to all values of `every`.
SampledProducts sampled_products(const Stage& stage);

/// The time for `count` outputs.
Cost sampled_cost(const ImageStep& step, const SampledProducts& products, int every, Extent count,
                  const Engine& engine);

/// The factors of each kernel, columns and rows in image order. Empty if a kernel has none, or if summing tap
/// by tap needs fewer products.
std::optional<std::vector<Factors>> sampled_factors(const Stage& stage);

} // namespace kg::cpu
