#pragma once
// Sobel, Scharr and Prewitt: a difference along one axis, smoothed along the other. They differ in the smoothing alone.

#include "filters/filter.hpp"

namespace kg {

/// direction, norm, divisor, offset.
std::vector<Parameter> gradient_parameters();

/// Along x the kernel is smoothing (a column) x difference (a row), along y the other way round, for the magnitude both.
Stage gradient(const Values& values, const std::vector<int>& smoothing, const std::vector<int>& difference);

} // namespace kg
