#pragma once
// Sums over a rectangle of floats, without subtraction: only samples of the window are added, so NaN and
// large samples do not propagate (semantics 10), and there is little rounding (semantics 12). Down the
// columns a window is the end of one block of rows and the beginning of the next; along the row, sums of two
// pixels give those of four, of eight and so on.

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// True if a block has few rows, and its sums fit the cache in strips that are wide enough for the kernel.
bool float_box_fits(const ImageStep& step);

/// `weight` is the weight of every tap.
std::shared_ptr<const Plan> float_box(const ImageStep& step, float weight);

} // namespace kg::cpu
