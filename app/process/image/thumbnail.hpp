#pragma once
// Thumbnails for lists.

#include "core/image/image.hpp"

namespace kg {

struct LoadedImage;

/// At most `most` pixels wide and high, in the same format: each pixel is the mean of a sample of its cell.
/// Not for measuring.
Image shrunken(const ConstImageView& image, std::int64_t most);

/// RGBA u8 with straight alpha for the screen: grey is repeated three times, full scale (1.0 or 65535)
/// becomes 255, linear light is encoded.
Image displayable(const ConstImageView& image);

/// The same in the colours of sRGB: by the profile of the image that `small` was made of, as the view shows
/// it; as stored where nothing is converted, or cannot be.
Image displayable(Image small, const LoadedImage& of);

} // namespace kg
