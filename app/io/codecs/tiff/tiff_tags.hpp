#pragma once
// EXIF of TIFF files, whose tags may stand anywhere in a file of gigabytes.

#include "app/io/codecs/tiff/tiff_file.hpp"

namespace kg::io {

/// Of the page that is open, `page`. Empty where there is none, and of further pages of a BigTIFF.
std::string exif_of_page(const TiffFile& file, const ByteSource& bytes, int page);

} // namespace kg::io
