#pragma once
// Bounds for the rounding errors of float32 sums, computed before anything is summed. Sums that could violate
// semantics 11 use float64.

#include "core/request/request.hpp"
#include "core/request/separate.hpp"

#include <string>
#include <vector>

namespace kg {

/// True for filters on the stored numbers, without alpha weighting or light in between: what must satisfy the
/// narrow rule of semantics 11.
bool filters_stored_numbers(const ImageRequest& request);

/// True if steps follow each other whose roundings the later ones amplify: several filters, or one on colour
/// that was multiplied by alpha and is not divided by it (semantics 7).
bool has_steps_between(const ImageRequest& request);

/// True if float32 could make an integer result off by one where semantics 11 forbids it.
///
/// One filter on the stored numbers: its sums are not exact, and their roundings may add up to more than t.
/// Each rounding is half the last place of the largest sum of samples of up to full scale. True for a 7 x 7
/// Sobel on u16, for few filters on u8, and for no blur with normalised weights from 3 x 3 on.
///
/// Steps that follow each other (has_steps_between()): the roundings of each, amplified by the gains of those
/// after it, may add up to more than t (u16: the sum of their t). True on u16 for a blur before a sharpening
/// filter, for few chains on u8, and for no chain of blurs from 3 x 3 on. False where a filter lists no
/// weights.
///
/// Close cases visit every weight a few times; mostly the sums of the rows suffice.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 4.
bool needs_float64(const ImageRequest& request);

/// t of semantics 11, in levels of an integer output: how close to a half the reference must lie where a
/// result differs from it. For several filters on u16, the sum of their t; for steps that follow each other,
/// the tolerance, where that is more.
double rounding_margin(const ImageRequest& request);

/// The share of t of bytes that the roundings of an algorithm may take. The rest is left to the rounding of a
/// composed filter's weights (core/request/compose.hpp).
inline constexpr double kShareOfMargin = 255.0 / 256;

/// For each stage, by how much the result may be off if its sums are off by 1 for samples of up to 1: the
/// largest sample that enters it, times the gains of the stages after it.
std::vector<double> amplifications(const ImageRequest& request);

/// How far sums with the weights column * row may be from those with the listed weights, for samples of up to
/// 1 in magnitude.
double off_by_factoring(const Kernel& kernel, const Factors& factors);

/// The reason as text, for a step of a request for which it is true.
std::string why_float64(const ImageStep& step);

} // namespace kg
