#pragma once
// Loops over all weights of a kernel, of which a large one has a million, and a drag makes new ones with every frame. They are
// compiled for speed (core/CMakeLists.txt).

#include <cstdint>
#include <span>

namespace kg {

struct WeightSums {
    double sum = 0, magnitude = 0; ///< of the weights, of their absolute values
};
/// In float64; the order of the sums is not that of the weights.
WeightSums sums_of(std::span<const float> weights);

/// Weights other than 0.
std::int64_t count_taps(std::span<const float> weights);

/// True if none is infinite or NaN.
bool are_finite(std::span<const float> weights);

/// The largest power of two of which every weight is a whole multiple; infinite if all are 0.
double common_unit(std::span<const float> weights);

/// True if all are this.
bool are_all(std::span<const float> weights, float value);

/// True if `weights`, a row of a product of two vectors, are exactly factor * row.
bool are_multiples(std::span<const float> weights, float factor, std::span<const float> row);

/// out[j] = factor * row[j], multiplied in float64 and rounded once.
void multiples(double factor, std::span<const double> row, std::span<float> out);

/// How far a product of factors that were found may be from its weight, relative to that (core/request/separate.hpp). Rounding the weight and
/// both factors moves a product by 1.5 units; a cross is made of rounded weights, thrice.
inline constexpr double kRoundings = 4 * 0x1p-24;

} // namespace kg
