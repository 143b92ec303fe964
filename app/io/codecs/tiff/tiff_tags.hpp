#pragma once
// EXIF of TIFF files, whose tags may be anywhere in a file of gigabytes.

#include "app/io/codecs/tiff/tiff_file.hpp"

namespace kg::io {

/// The EXIF of the open page, `page`. Empty if there is none, and for further pages of a BigTIFF.
std::string exif_of_page(const TiffFile& file, const ByteSource& bytes, int page);

} // namespace kg::io
