#pragma once
// Sobel, Scharr and Prewitt: a difference along one axis, smoothed along the other. They differ only in the
// smoothing.

#include "filters/filter.hpp"

namespace kg {

/// The parameters direction, norm, divisor and offset.
std::vector<Parameter> gradient_parameters();

/// Along x the kernel is smoothing (a column) x difference (a row); along y the reverse; the magnitude
/// combines both.
Stage gradient(const Values& values, const std::vector<int>& smoothing, const std::vector<int>& difference);

} // namespace kg
