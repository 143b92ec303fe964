#pragma once
// Quantiles of samples.

#include <vector>

namespace kg {

/// The value below which the fraction `q`, 0 to 1, of the values lies: 0.5 gives the median. Interpolates
/// linearly between order statistics (Hyndman and Fan 1996, type 7). The values are in any order and no NaN;
/// without values the result is 0.
double quantile(std::vector<double> values, double q);

} // namespace kg
