#pragma once
// What float32 sums round, counted before anything is summed: where it could break semantics 11, sums are float64.

#include "core/request/request.hpp"

#include <string>

namespace kg {

/// True for one filter on the stored numbers, which semantics 11 holds to its narrow rule.
bool filters_stored_numbers(const ImageRequest& request);

/// True if an integer result might be off by one where semantics 11 does not let it, were its sums float32: one filter on
/// the stored numbers whose sums are not exact, and whose roundings, each of half the last place of the largest sum that
/// samples of up to full scale give, may add up to more than t. Sobel of 7 a side on u16; few on u8; no blur of
/// normalised weights from 3 x 3 on. As slow as looking at every weight a few times where it is close; mostly a look at the sums
/// of rows says that it is not.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 4.
bool needs_float64(const ImageRequest& request);

/// In words, for a stage of which it is true.
std::string why_float64(const Stage& stage);

} // namespace kg
