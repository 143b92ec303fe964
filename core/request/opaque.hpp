#pragma once
// Opaque images: alpha is full everywhere, as in most files that have an alpha channel. Alpha weighting then
// has no effect unless a filter lowers alpha, so multiplying colour by alpha and dividing it again only costs
// time.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <string>

namespace kg {

/// True if the image has alpha and an integer depth, and every alpha is full scale. Reads the whole image, so
/// call it once per image, not once per request.
bool is_opaque(const ConstImageView& image);

/// For an opaque image: an equivalent request without alpha weighting. Its bytes are identical where sums are
/// exact, and otherwise within the bounds of semantics 11 and 12. Returns the request unchanged where no
/// equivalent exists: a border of zeros is not opaque, and weights that do not sum to the divisor leave
/// alpha, or colour divided by alpha, below full.
ImageRequest for_opaque(ImageRequest request);

/// True if for_opaque() changes the request, so that is_opaque() is worth its read.
bool depends_on_opaque(const ImageRequest& request);

/// A plan's reason, with a note if for_opaque() changed the request. Without the note it is unclear why other
/// algorithms fit.
std::string reason_with_alpha(std::string reason, bool opaque);

} // namespace kg
