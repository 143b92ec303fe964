#pragma once
// Bounds for the rounding errors of float32 sums, computed before anything is summed. Sums that could violate
// semantics 11 use float64.

#include "core/request/request.hpp"

#include <string>

namespace kg {

/// True for one filter on the stored numbers, which must satisfy the narrow rule of semantics 11.
bool filters_stored_numbers(const ImageRequest& request);

/// True if float32 sums could make an integer result off by one where semantics 11 forbids it: one filter on
/// the stored numbers whose sums are not exact, and whose roundings may add up to more than t. Each rounding
/// is half the last place of the largest sum of samples of up to full scale. True for a 7 x 7 Sobel on u16,
/// for few filters on u8, and for no blur with normalised weights from 3 x 3 on. Close cases visit every
/// weight a few times; mostly the sums of the rows suffice.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 4.
bool needs_float64(const ImageRequest& request);

/// The reason as text, for a stage for which it is true.
std::string why_float64(const Stage& stage);

} // namespace kg
