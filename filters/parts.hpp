#pragma once
// Building blocks shared by several named filters.

#include "filters/filter.hpp"

namespace kg {

/// The kernel column x row with its exact factors.
Stage stage_of_factors(const IntegerFactors& factors, float divisor);

/// Row `size` - 1 of Pascal's triangle: 1 2 1, 1 4 6 4 1. Sizes up to 31 fit an int.
std::vector<int> binomial_row(int size);

/// For filters whose weights cancel: added to the result, 0 by default (semantics 9).
Parameter offset_parameter();
/// The value of offset_parameter().
float offset_value(const Values& values);

/// For filters with a faint response: the factor for their weights, 1 by default.
Parameter amount_parameter();

/// Moves the rounding error of the sum into the centre weight, so that the gain of a constant image is `sum`
/// as exactly as floats allow.
void balance(std::vector<float>& weights, double sum);

} // namespace kg
