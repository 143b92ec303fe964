#pragma once
// One stage of a recipe: one or more kernels over the same image, their combination, and an offset.

#include "core/request/kernel.hpp"

#include <string>
#include <variant>
#include <vector>

namespace kg {

enum class Combine : std::uint8_t {
    single, ///< the result of one kernel
    l1,     ///< sum of the absolute values of the results
    l2,     ///< root of the sum of their squares
};

/// The function that the weights were sampled from, so that an algorithm may take a shortcut (semantics 9).
/// The generator of a stage always describes its kernel: it has the same width and height, and listed weights
/// are its samples.
///   Box: every weight is 1; the kernel's divisor is usually width * height.
///   Gaussian: weight [i, j] is p[i] * q[j] with p = gaussian_profile(sigma, height),
///     q = gaussian_profile(sigma, width).
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

/// Exact integer factors of an integer kernel: weights[i][j] == column[i] * row[j], without rounding
/// (semantics 11).
struct IntegerFactors {
    std::vector<int> column, row;
    bool operator==(const IntegerFactors&) const = default;
};

/// The largest width and height of a stage that has a generator and lists no weights.
inline constexpr int kMaxGeneratedSize = 65535;

/// A stage larger than kMaxKernelSize lists no weights: its one kernel has size, anchor, divisor and offset
/// like any other, but `weights` is empty and the generator defines them. Code that reads weights must check
/// has_weights() first. reach(), offset(), filters_alpha(), validate(), the planner and the reference support
/// both kinds.
struct Stage {
    std::vector<Kernel> kernels{}; ///< at least one; several only with combine l1 or l2
    Combine combine = Combine::single;
    float offset = 0; ///< offset of a combining stage, in units of full scale
    Generator generator{};
    std::vector<IntegerFactors> factors{}; ///< one per kernel if known, otherwise empty

    bool operator==(const Stage&) const = default;
};

/// A stage defined by a generator alone, with the default anchor, a gain of 1 and no weights. For boxes and
/// Gaussians larger than kMaxKernelSize. Throws Error for an invalid size or sigma.
Stage generated_stage(const Generator& generator);

/// False if only the generator defines the weights.
bool has_weights(const Stage& stage);

/// The answer of an algorithm that sums taps to a stage without weights.
inline constexpr const char* kTooManyWeights =
    "it sums listed weights, and a kernel larger than 1025 x 1025 lists none";

/// A Gaussian sampled at the pixel centres, normalised to sum 1. Even sizes are centred between two pixels
/// (semantics 9).
std::vector<double> gaussian_profile(double sigma, int size);

/// Sum of the weights over the divisor of the stage's kernel `index`, listed or not.
double dc_gain(const Stage& stage, std::size_t index = 0);

/// Upper bound of the absolute terms of the stage's sums relative to full scale: sum |w| over |divisor|, over
/// all kernels.
double absolute_gain(const Stage& stage);

/// sums_exactly() of all kernels, listed or not (semantics 11).
bool sums_exactly(const Stage& stage, double largest_sample);

/// The reach of a stage from an output pixel: columns [-left, right], rows [-up, down].
struct Reach {
    int left = 0, right = 0, up = 0, down = 0;
};
Reach reach(const Stage& stage);

/// The offset added after combining, in units of full scale.
float offset(const Stage& stage);

/// True if the stage preserves the mean of alpha: one kernel whose gain is 1 to within 1e-3. Other stages
/// (Sobel, Laplacian) copy alpha (semantics 7).
bool filters_alpha(const Stage& stage);

/// Throws Error if the stage is invalid.
void validate(const Stage& stage);

} // namespace kg
