#pragma once
// From a whole request to steps of one stage or one conversion each, which is what algorithms do.

#include "core/request/request.hpp"

#include <optional>
#include <vector>

namespace kg {

/// The steps a request is cut into: each is one stage, or a conversion (no stages), with straight alpha. Pure.
std::vector<ImageRequest> cut_into_steps(const ImageRequest& request);

bool is_conversion(const ImageRequest& step);

/// The steps as an engine is asked for them: one filter that weighs colour by coverage, which is three, is joined to one again,
/// whose alpha is premultiplied and whose formats are straight, because a way may do all of it by itself. Pure.
std::vector<ImageRequest> join_coverage(std::vector<ImageRequest> steps);

/// What the filtering part of a step reads and writes, with conversions before and after it where the step does otherwise.
struct FilterFormats {
    PixelFormat in, out;
    AlphaMode alpha; ///< of the filtering part: straight where conversions have multiplied colour by it
};
/// Those in which one filtering step may be carried out, the most direct first. Pure.
std::vector<FilterFormats> formats_around(const ImageRequest& step);
/// A step's conversion from one format to another; none where they are the same. Pure.
std::optional<ImageRequest> conversion_between(const ImageRequest& step, const PixelFormat& from,
                                               const PixelFormat& to);
/// The step in these formats: its filtering part, and what converts before and after it. Pure.
std::vector<ImageRequest> way_around(ImageRequest step, const FilterFormats& formats);

} // namespace kg
