#pragma once
// EXIF orientation: the eight ways a camera may have been held.

#include "core/image/image.hpp"

#include <string_view>

namespace kg::io {

/// From an EXIF block (a TIFF structure); 1 where it says nothing or is damaged. EXIF 2.32, section 4.6.4, tag 0x0112.
int orientation_of(std::string_view exif);

/// 5 to 8 exchange width and height.
constexpr bool turns(int orientation) { return orientation >= 5; }
constexpr Extent upright(Extent stored, int orientation) {
    return turns(orientation) ? Extent{stored.height, stored.width} : stored;
}

/// The picture as it was meant to be seen. 1 gives it back unchanged.
Image upright(Image stored, int orientation);

} // namespace kg::io
