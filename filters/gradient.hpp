#pragma once
// Sobel, Scharr and Prewitt: a difference along one axis, smoothed along the other. They differ only in the
// smoothing.

#include "filters/filter.hpp"

namespace kg {

/// The parameters norm and offset: how two kernels become one result.
std::vector<Parameter> magnitude_parameters();

/// The magnitude of the results of both kernels, by the values norm and offset.
Stage magnitude(const Kernel& x, const Kernel& y, const Values& values);

/// The parameters direction, norm, divisor and offset.
std::vector<Parameter> gradient_parameters();

/// Along x the kernel is smoothing (a column) x difference (a row); along y the reverse; the magnitude
/// combines both.
Stage gradient(const Values& values, const std::vector<int>& smoothing, const std::vector<int>& difference);

} // namespace kg
