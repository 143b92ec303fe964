#pragma once
// From a whole request to steps of one stage or one conversion each, which is what algorithms do.

#include "core/request.hpp"

#include <optional>
#include <vector>

namespace kg {

/// The steps a request is cut into: each is one stage, or a conversion (no stages), with straight alpha. Pure.
std::vector<ImageRequest> cut_into_steps(const ImageRequest& request);

bool is_conversion(const ImageRequest& step);

/// What the filtering part of a step reads and writes, with conversions before and after it where the step does otherwise.
struct FilterFormats {
    PixelFormat in, out;
};
/// Those in which one filtering step may be carried out, the most direct first. Pure.
std::vector<FilterFormats> formats_around(const ImageRequest& step);
/// A step's conversion from one format to another; none where they are the same. Pure.
std::optional<ImageRequest> conversion_between(const ImageRequest& step, const PixelFormat& from,
                                               const PixelFormat& to);
/// The step in these formats: its filtering part, and what converts before and after it. Pure.
std::vector<ImageRequest> way_around(ImageRequest step, const FilterFormats& formats);

} // namespace kg
