#pragma once
// From a whole request to steps of one stage or one conversion each, which is what algorithms do.

#include "core/request.hpp"

#include <vector>

namespace kg {

/// The steps a request is cut into: each is one stage, or a conversion (no stages), with straight alpha. Pure.
std::vector<ImageRequest> cut_into_steps(const ImageRequest& request);

bool is_conversion(const ImageRequest& step);

/// The ways of carrying out one filtering step with conversions around it, the most direct first. Each has one filtering
/// part. Pure.
std::vector<std::vector<ImageRequest>> ways_around(const ImageRequest& step);

} // namespace kg
