#pragma once
// Analysis of a kernel's numbers: separability, symmetry, and the effect on a constant image.

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
    int rank = 0;             ///< the weights' rank, to 1e-6 of the largest; kMaxRank + 1 = above kMaxRank
    bool symmetric_x = false; ///< mirror symmetry of left and right
    bool symmetric_y = false;
    bool symmetric_turn = false; ///< symmetric under rotation by 180 degrees: `flip` has no effect
    double gain = 0;             ///< sum / divisor
    long taps = 0, zeros = 0;
    bool integer = false;   ///< all weights and the divisor are integers
    bool exact = false;     ///< and sums of 8-bit samples are the same in any order (semantics 11)
    bool exact_16 = false;  ///< and so are sums of 16-bit samples
    bool flat_rows = false; ///< every row is one run of equal weights, surrounded by zeros
    std::optional<IntegerFactors> factors; ///< integer_factors() of the kernel
    std::optional<GaussianFit> gaussian;   ///< if a Gaussian fits within kGaussianError

    static constexpr int kMaxRank = 64;
    static constexpr double kGaussianError = 0.05;
};

/// The rank is found by cross approximation with full pivoting in double (ACA: Bebendorf 2000): each pivot
/// removes one outer product. The residual is checked over all weights, so a reported rank always reproduces
/// the kernel. Throws Error if no weights are listed.
Analysis analyse(const Kernel& kernel);

/// The same for a stage's kernel `index`, including kernels whose weights only the generator defines.
Analysis analyse(const Stage& stage, std::size_t index = 0);

/// |sum of the weights|, so that a constant image keeps its brightness; 1 if the weights cancel (semantics
/// 9).
float auto_divisor(const Kernel& kernel);

/// Whether the kernel is separable: "Separable: rank 1; 14 products instead of 49."
std::string verdict(const Kernel& kernel, const Analysis& analysis);

/// Further properties, one message each: gain, zeros, symmetry, integer factors, the closest Gaussian.
/// `combine` is that of the stage: a magnitude has no sign, even if the results of its kernels have.
std::vector<std::string> remarks(const Analysis& analysis, Combine combine = Combine::single);

} // namespace kg
