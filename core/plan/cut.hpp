#pragma once
// Cuts a request into steps of one stage or one conversion each, the unit that algorithms implement.

#include "core/request/request.hpp"

#include <optional>
#include <vector>

namespace kg {

/// The steps of a request: each is one stage, or a conversion (no stages), with straight alpha. Pure.
std::vector<ImageStep> cut_into_steps(const ImageRequest& request);

bool is_conversion(const ImageRequest& step);

/// Joins the three steps of an alpha-weighted filter (multiply colour by alpha, filter, divide by alpha) to
/// one step of AlphaMode::premultiplied between formats with straight alpha, because some algorithms compute
/// all three at once. Returns other steps unchanged. Pure.
std::vector<ImageStep> join_alpha_weighting(std::vector<ImageStep> steps);

/// The formats in which the filter of a step runs. Conversions before and after it adapt them to the step's
/// own formats.
struct FilterFormats {
    PixelFormat in, out;
    AlphaMode alpha; ///< mode of the filter: straight where a conversion has premultiplied the colour
};
/// The formats in which a filtering step can run, the most direct first. Pure.
std::vector<FilterFormats> formats_around(const ImageRequest& step);
/// A step's conversion from one format to another; none where they are the same. Pure.
std::optional<ImageStep> conversion_between(const ImageRequest& step, const PixelFormat& from,
                                            const PixelFormat& to);
/// The step in these formats: its filtering part, and what converts before and after it. Pure.
std::vector<ImageStep> with_conversions(ImageStep step, const FilterFormats& formats);

} // namespace kg
