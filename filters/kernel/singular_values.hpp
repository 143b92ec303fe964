#pragma once
// Singular values of a kernel: how many products of a column and a row it is the sum of, and the strongest of
// them.

#include "core/request/stage.hpp"

#include <optional>
#include <vector>

namespace kg {

struct SingularValues {
    /// Descending, of the weights over the divisor; min(width, height) of them. One value alone if the
    /// weights are known as a column times a row and are too large to decompose.
    std::vector<double> values;
    /// The closest kernel of rank 1 is column[i] * row[j]. Both are vectors of the same length, the root of
    /// values[0], with the sign of integer_factors(): smoothing is positive. Empty for weights that are all
    /// 0.
    std::vector<double> column, row;

    /// The part of the sum of squared weights that the rank-1 kernel has: 1 for a separable kernel, 0 for
    /// weights that are all zero.
    double share() const;

    static constexpr int kMaxSize = 31; ///< limit of a kernel that is decomposed
};

/// By one-sided Jacobi rotations in double (Hestenes 1958) up to kMaxSize x kMaxSize; by separate() above.
/// Empty for larger kernels that are not separable.
std::optional<SingularValues> singular_values(const Stage& stage, std::size_t index = 0);

} // namespace kg
