#pragma once
// Opaque pictures: alpha is full everywhere, as in most files that have an alpha channel at all. There coverage comes to 1
// wherever nothing falls short of it, so multiplying colour by it and dividing again only costs time.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <string>

namespace kg {

/// True if the picture has alpha, whole numbers, and every alpha is full scale. Reads all of it: once a picture, not once a request.
bool is_opaque(const ConstImageView& picture);

/// For an opaque picture: a request that needs no coverage and, where sums are exact, gives the same bytes, else the same within
/// what semantics 11 and 12 allow either of them. The request itself where there is none: a border of zeros is not opaque, and
/// weights that do not come to the divisor leave alpha less than full, or colour divided by it.
ImageRequest for_opaque(ImageRequest request);

/// A plan's reason, and where such a request took another's place that it did: else nobody sees why other ways fit.
std::string reason_with_alpha(std::string reason, bool opaque);

} // namespace kg
