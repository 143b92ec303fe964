#pragma once
// What a kernel is, found by looking at its numbers: separable? symmetric? what does it do to a constant picture?

#include "core/request/separate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kg {

struct GaussianFit {
    double sigma = 0;
    double error = 0; ///< largest difference of a weight, relative to the largest weight
};

struct Analysis {
    int rank = 0;             ///< of the weights, to 1e-6 of the largest; kMaxRank + 1 = "more than that"
    bool symmetric_x = false; ///< left and right mirror each other
    bool symmetric_y = false;
    bool symmetric_turn = false; ///< the same after half a turn: `flip` changes nothing
    double gain = 0;             ///< sum / divisor
    long taps = 0, zeros = 0;
    bool integer = false;   ///< all weights and the divisor are whole numbers
    bool exact = false;     ///< and sums of 8-bit samples are the same in any order (semantics 11)
    bool exact_16 = false;  ///< ... and those of 16-bit samples
    bool flat_rows = false; ///< every row is one run of equal weights and zeros around it
    std::optional<IntegerFactors> factors; ///< integer_factors() of the kernel
    std::optional<GaussianFit> gaussian;   ///< where a Gaussian is as close as kGaussianError

    static constexpr int kMaxRank = 64;
    static constexpr double kGaussianError = 0.05;
};

/// Rank by full-pivot cross approximation in double (ACA: Bebendorf 2000): each pivot removes one outer product; the
/// residual is checked over all weights, so a rank is never claimed that does not reproduce the kernel. Throws Error if no
/// weights are listed.
Analysis analyse(const Kernel& kernel);

/// The same of a stage's kernel `index`, also where the generator alone knows its weights.
Analysis analyse(const Stage& stage, std::size_t index = 0);

/// |sum of the weights|, so that a constant picture keeps its brightness; 1 where the weights cancel (semantics 9).
float auto_divisor(const Kernel& kernel);

/// The verdict first: "Separable: rank 1; 14 products instead of 49."
std::string verdict(const Kernel& kernel, const Analysis& analysis);

/// What else is worth knowing, a sentence each: gain, zeros, symmetry, whole factors, the Gaussian it resembles. `combine`
/// is the stage's: a magnitude has no sign, whatever its kernels' results have.
std::vector<std::string> remarks(const Analysis& analysis, Combine combine = Combine::single);

} // namespace kg
