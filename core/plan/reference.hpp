#pragma once
// What every pixel is, computed slowly and in float64, straight from the sentences of docs/semantics.md. Every engine
// and algorithm is tested against it.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <stop_token>
#include <vector>

namespace kg {

/// The request's result before the last clamping and rounding: height x width x channels, interleaved, in units of
/// request.out. Independent of the planner and of every engine. Throws Error for a request that contradicts itself
/// or a picture that is not request.size and request.in.
/// Throws Cancelled soon after a stop is requested.
std::vector<double> reference_values(const ImageRequest& request, const ConstImageView& picture,
                                     const std::stop_token& stop = {});

/// The same, but only the values in `part` of the picture are the result's: the last stage, where most of the work is, computes
/// no others.
std::vector<double> reference_values(const ImageRequest& request, const ConstImageView& picture,
                                     const Rect& part, const std::stop_token& stop = {});

/// Clamps, rounds and stores such values (semantics 6).
Image rounded(const ImageRequest& request, const std::vector<double>& values);
Image reference_image(const ImageRequest& request, const ConstImageView& picture,
                      const std::stop_token& stop = {});

/// One sample as a number, whatever the depth.
double sample(const ConstImageView& picture, std::int64_t x, std::int64_t y, int channel);
/// Stores a number as the depth demands: clamp, ties to even, NaN to 0 for integers (semantics 6).
void store(const ImageView& picture, std::int64_t x, std::int64_t y, int channel, double value);

} // namespace kg
