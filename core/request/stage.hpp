#pragma once
// One step of a recipe in numbers: one or more kernels over the same picture, combined, plus an offset.

#include "core/request/kernel.hpp"

#include <string>
#include <variant>
#include <vector>

namespace kg {

enum class Combine : std::uint8_t {
    single, ///< one kernel, its result
    l1,     ///< sum of the absolute values of the kernels' results
    l2,     ///< root of the sum of their squares
};

/// What the weights were sampled from, so that an algorithm may know a shorter way than the taps (semantics 9). A stage's
/// generator always describes its kernel: same width and height, and the weights, where they are listed, are its samples.
///   Box: every weight is 1; the kernel's divisor is usually width * height.
///   Gaussian: weight [i, j] is p[i] * q[j] with p = gaussian_profile(sigma, height), q = gaussian_profile(sigma, width).
struct BoxGenerator {
    int width = 1, height = 1;
    bool operator==(const BoxGenerator&) const = default;
};
struct GaussianGenerator {
    double sigma = 1;
    int width = 1, height = 1;
    bool operator==(const GaussianGenerator&) const = default;
};
using Generator = std::variant<std::monostate, BoxGenerator, GaussianGenerator>;

/// Exact integer factors of an integer kernel: weights[i][j] == column[i] * row[j], no rounding (semantics 11).
struct IntegerFactors {
    std::vector<int> column, row;
    bool operator==(const IntegerFactors&) const = default;
};

/// The longest side of a stage that has a generator and lists no weights.
inline constexpr int kMaxGeneratedSide = 65535;

/// A stage whose side is above kMaxKernelSide lists no weights: its one kernel has size, anchor, divisor and offset as any
/// other, but `weights` is empty, and the generator says what they would be. Whoever reads weights asks has_weights() first
/// and refuses otherwise; reach(), offset(), filters_alpha(), validate(), the planner and the reference serve both kinds.
struct Stage {
    std::vector<Kernel> kernels{}; ///< at least one; several only with combine l1 or l2
    Combine combine = Combine::single;
    float offset = 0; ///< of a combining stage, in units of full scale
    Generator generator{};
    std::vector<IntegerFactors> factors{}; ///< one per kernel where known, else empty

    bool operator==(const Stage&) const = default;
};

/// A stage of the generator alone, with the default anchor, the divisor that makes its gain 1, and no weights: the way to
/// make a box or Gaussian of more than kMaxKernelSide a side. Throws Error for a size or sigma that cannot be used.
Stage generated_stage(const Generator& generator);

/// False if the weights are only described by the generator.
bool has_weights(const Stage& stage);

/// What an algorithm that sums taps answers to a stage without weights.
inline constexpr const char* kTooManyWeights =
    "it sums listed weights, and a kernel of more than 1025 a side lists none";

/// A Gaussian sampled at the pixel centres, normalised to sum 1; even sizes are centred between two pixels (semantics 9).
std::vector<double> gaussian_profile(double sigma, int side);

/// Sum of the weights over the divisor of the stage's kernel `index`, listed or not.
double dc_gain(const Stage& stage, std::size_t index = 0);

/// How many times full scale the absolute terms of the stage's sums may come to: sum |w| over |divisor|, of all kernels.
double absolute_gain(const Stage& stage);

/// sums_exactly() of all kernels, listed or not (semantics 11).
bool sums_exactly(const Stage& stage, double largest_sample);

/// How far a stage reaches from an output pixel: columns [-left, right], rows [-up, down].
struct Reach {
    int left = 0, right = 0, up = 0, down = 0;
};
Reach reach(const Stage& stage);

/// The one offset that is added after combining, in units of full scale.
float offset(const Stage& stage);

/// True if the stage passes coverage on unchanged in the mean: one kernel whose gain is 1 to within 1e-3. Other
/// stages (Sobel, Laplacian) copy alpha (semantics 7).
bool filters_alpha(const Stage& stage);

/// Throws Error with a sentence if the stage cannot be carried out.
void validate(const Stage& stage);

} // namespace kg
