#pragma once

#include "core/image/image.hpp"

namespace kg {

/// Copies the rows of one view to another of the same size and pixels, which does not overlap it.
void copy_pixels(const ConstImageView& from, const ImageView& to);

} // namespace kg
