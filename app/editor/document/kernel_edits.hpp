#pragma once
// What the buttons of the kernel grid do to a kernel. Pure; every result is a kernel one can run.

#include "core/request/kernel.hpp"

namespace kg {

Kernel with_weight(Kernel kernel, int row, int column, float weight);

/// Another size around the same anchor: what falls outside is lost, what is new is 0.
Kernel resized(const Kernel& kernel, int width, int height);

/// Sum of the weights, in double.
double weight_sum(const Kernel& kernel);

/// Divisor = |sum|, so that the mean brightness stays. Returns the kernel unchanged where the sum is 0: the result is
/// signed then, and an offset of 0.5 is what helps.
Kernel with_sum_divisor(Kernel kernel);

} // namespace kg
