#pragma once
// EXIF orientation: the eight flips and rotations of a camera's image.

#include "core/image/image.hpp"

#include <string_view>

namespace kg::io {

/// Reads an EXIF block (a TIFF structure); 1 if it has no orientation or is damaged. EXIF 2.32, section
/// 4.6.4, tag 0x0112.
int orientation_of(std::string_view exif);

/// 5 to 8 exchange width and height.
constexpr bool exchanges_axes(int orientation) { return orientation >= 5; }
constexpr Extent upright(Extent stored, int orientation) {
    return exchanges_axes(orientation) ? Extent{stored.height, stored.width} : stored;
}

/// The image as it was meant to be seen. 1 gives it back unchanged.
Image upright(Image stored, int orientation, ImageMemorySource* memory = nullptr);

} // namespace kg::io
