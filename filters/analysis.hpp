#pragma once
// What a kernel is, found by looking at its numbers: separable? symmetric? what does it do to a constant picture?

#include "core/stage.hpp"

#include <optional>
#include <string>

namespace kg {

struct Analysis {
    int rank = 0;             ///< of the weights, to 1e-6 of the largest; kMaxRank + 1 = "more than that"
    bool symmetric_x = false; ///< left and right mirror each other
    bool symmetric_y = false;
    double gain = 0; ///< sum / divisor
    long taps = 0, zeros = 0;
    bool integer = false; ///< all weights and the divisor are whole numbers

    static constexpr int kMaxRank = 64;
};

/// Rank by full-pivot cross approximation in double (ACA: Bebendorf 2000): each pivot removes one outer product; the
/// residual is checked over all weights, so a rank is never claimed that does not reproduce the kernel.
Analysis analyse(const Kernel& kernel);

/// Whole numbers whose outer product is exactly the weights, both without a common factor but for one sign and the
/// kernel's own; nothing where there are none (a rank above 1, fractions, all zeros).
std::optional<IntegerFactors> integer_factors(const Kernel& kernel);

/// |sum of the weights|, so that a constant picture keeps its brightness; 1 where the weights cancel (semantics 9).
float auto_divisor(const Kernel& kernel);

/// The verdict first: "Separable: rank 1; 14 products instead of 49."
std::string verdict(const Kernel& kernel, const Analysis& analysis);

} // namespace kg
