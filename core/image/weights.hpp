#pragma once
// Loops over all weights of a kernel. A large kernel has a million weights, and dragging a slider creates new
// ones with every frame, so these loops are compiled with -O3 (core/CMakeLists.txt).

#include <cstdint>
#include <span>

namespace kg {

struct WeightSums {
    double sum = 0, magnitude = 0; ///< sum of the weights, and of their absolute values
};
/// In float64; the order of summation is unspecified.
WeightSums sums_of(std::span<const float> weights);

/// The number of weights other than 0.
std::int64_t count_taps(std::span<const float> weights);

/// True if no weight is infinite or NaN.
bool are_finite(std::span<const float> weights);

/// The largest power of two of which every weight is an integer multiple; infinity if all are 0.
double common_unit(std::span<const float> weights);

/// True if all weights equal `value`.
bool are_all(std::span<const float> weights, float value);

/// True if `weights` (a row of an outer product) equal factor * row exactly.
bool are_multiples(std::span<const float> weights, float factor, std::span<const float> row);

/// out[j] = factor * row[j], multiplied in float64 and rounded once.
void multiples(double factor, std::span<const double> row, std::span<float> out);

/// Relative tolerance between a weight and the product of its computed factors (core/request/separate.hpp).
/// Rounding the weight and both factors moves a product by 1.5 units; a cross of rounded weights triples
/// this.
inline constexpr double kRoundings = 4 * 0x1p-24;

} // namespace kg
