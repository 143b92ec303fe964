#pragma once
// The float64 reference: every pixel, computed directly from the definitions of docs/semantics.md, without
// optimisation. Every engine and algorithm is tested against it.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <stop_token>
#include <string_view>
#include <vector>

namespace kg {

inline constexpr std::string_view kReferenceId = "reference"; ///< the algorithm's id

/// Products of samples and weights that one pixel of the reference takes, all channels together.
double reference_products(const ImageRequest& request);

/// The result of the request before the final clamping and rounding: height x width x channels, interleaved,
/// in units of request.out. Independent of the planner and of every engine. Throws Error for an inconsistent
/// request or an image that is not request.size and request.in, and Cancelled soon after a stop is requested.
std::vector<double> reference_values(const ImageRequest& request, const ConstImageView& image,
                                     const std::stop_token& stop = {});

/// The same, but only the values in `part` of the image are valid. The last stage, which is most of the work,
/// computes no others.
std::vector<double> reference_values(const ImageRequest& request, const ConstImageView& image,
                                     const Rect& part, const std::stop_token& stop = {});

/// Clamps, rounds and stores these values (semantics 6).
Image rounded(const ImageRequest& request, const std::vector<double>& values);
Image reference_image(const ImageRequest& request, const ConstImageView& image,
                      const std::stop_token& stop = {});

/// One sample as a number, for any depth.
double sample(const ConstImageView& image, std::int64_t x, std::int64_t y, int channel);
/// Stores a number in the depth of the image: clamped, ties to even, NaN to 0 for integers (semantics 6).
void store(const ImageView& image, std::int64_t x, std::int64_t y, int channel, double value);

} // namespace kg
