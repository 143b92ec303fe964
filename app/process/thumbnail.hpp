#pragma once
// Small pictures of pictures, for lists.

#include "core/image/image.hpp"

namespace kg {

/// At most `side` pixels wide and high, same format: each pixel the mean of those it stands for. Not for measuring.
Image shrunken(const ConstImageView& picture, std::int64_t side);

/// RGBA u8 with straight alpha, as a screen shows it: grey three times, 1.0 or 65535 as 255, linear light encoded.
Image displayable(const ConstImageView& picture);

} // namespace kg
