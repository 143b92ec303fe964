#pragma once
// One step of a recipe in numbers: one or more kernels over the same picture, combined, plus an offset.

#include "core/kernel.hpp"

#include <string>
#include <variant>
#include <vector>

namespace kg {

enum class Combine : std::uint8_t {
    single, ///< one kernel, its result
    l1,     ///< sum of the absolute values of the kernels' results
    l2,     ///< root of the sum of their squares
};

/// What the weights were sampled from, so that an algorithm may know a shorter way than the taps (semantics 9).
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

struct Stage {
    std::vector<Kernel> kernels{}; ///< at least one; several only with combine l1 or l2
    Combine combine = Combine::single;
    float offset = 0; ///< of a combining stage, in units of full scale
    Generator generator{};
    std::vector<IntegerFactors> factors{}; ///< one per kernel where known, else empty

    bool operator==(const Stage&) const = default;
};

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
