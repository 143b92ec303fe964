#pragma once
// Edits made by the buttons of the kernel grid. Pure functions; every result is a valid kernel.

#include "core/request/kernel.hpp"

namespace kg {

Kernel with_weight(Kernel kernel, int row, int column, float weight);

/// Resizes around the same anchor: weights outside are dropped, new weights are 0.
Kernel resized(const Kernel& kernel, int width, int height);

/// Sum of the weights, in double.
double weight_sum(const Kernel& kernel);

/// Divisor = |sum|: keeps the mean brightness. Returns the kernel unchanged where the sum is 0; the result is
/// signed then and needs an offset of 0.5.
Kernel with_sum_divisor(Kernel kernel);

} // namespace kg
