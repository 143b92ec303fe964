#pragma once
// What several named filters are made of.

#include "filters/filter.hpp"

namespace kg {

/// The kernel column x row with its exact factors.
Stage stage_of_factors(const IntegerFactors& factors, float divisor);

/// Row n - 1 of Pascal's triangle: 1 2 1, 1 4 6 4 1. Sides up to 31 fit an int.
std::vector<int> binomial_row(int side);

/// For filters whose weights cancel: added to the result, 0 unless asked for (semantics 9).
Parameter offset_parameter();
/// The value of offset_parameter().
float offset_value(const Values& values);

/// For filters whose answer is faint: what their weights are multiplied by, 1 unless asked for.
Parameter amount_parameter();

/// Moves what rounding to float has left of the sum into the middle weight, so that a constant picture gives `sum` times
/// itself as exactly as floats can.
void balance(std::vector<float>& weights, double sum);

} // namespace kg
