#pragma once
// Sums over a rectangle of floats by doubling: sums of two rows give those of four, of eight and so on, and a window is
// made of the powers of two in its height; then the same along the row. Only additions of what the window holds, so NaN
// and large samples stay where they belong (semantics 10), and hardly any rounding (semantics 12).

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// True if the rows that the doubling keeps fit the cache; larger boxes are better summed by running sums.
bool pairwise_box_fits(const ImageRequest& step);

/// `weight` is that of every tap.
std::shared_ptr<const Plan> pairwise_box(const ImageRequest& step, float weight);

} // namespace kg::cpu
