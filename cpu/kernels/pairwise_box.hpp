#pragma once
// Sums over a rectangle of floats by doubling: sums of two rows give those of four, of eight and so on, and a
// window is composed of the powers of two in its height; then the same along the row. Only samples of the
// window are added, so NaN and large samples do not propagate (semantics 10), and there is little rounding
// (semantics 12).

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// True if the rows kept for the doubling fit the cache. Running sums are faster for larger boxes.
bool pairwise_box_fits(const ImageStep& step);

/// `weight` is the weight of every tap.
std::shared_ptr<const Plan> pairwise_box(const ImageStep& step, float weight);

} // namespace kg::cpu
