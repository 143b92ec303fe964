#pragma once
// Parts of the float64 reference, for images of which the whole would take too much time or memory at once.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <cstdint>
#include <stop_token>

namespace kg {

/// The pixels of reference_image() in `part`, byte for byte, computed from the pixels around it alone. Throws
/// what reference_values() throws, and Error for a part that is empty or not within the image.
Image reference_part(const ImageRequest& request, const ConstImageView& image, const Rect& part,
                     const std::stop_token& stop = {});

/// The rows of the image that a part depends on above it, and as many below it.
std::int64_t rows_around_part(const ImageRequest& request);

/// The height from which on a part takes little more time than its share of the whole: where steps depend on
/// further rows, these are computed for every part.
std::int64_t efficient_part_height(const ImageRequest& request);

/// Products of samples and weights that one pixel takes, all channels together, where boxes and Gaussians
/// that list no weights are summed along rows and columns.
double reference_part_products(const ImageRequest& request);

} // namespace kg
