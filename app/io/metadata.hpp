#pragma once
// EXIF, ICC and XMP on their way from a file into another. With Exiv2 (metadata_exiv2.cpp) or, where the program is built
// without it, not at all (metadata_absent.cpp): colour and orientation are understood without it.

#include "app/io/image_file.hpp"

namespace kg::io {

/// As it must be beside an upright picture of this size: orientation 1, no thumbnail. What is damaged is left out.
Metadata clean(const Metadata& metadata, Extent size);

/// The EXIF block of a TIFF file, whose tags are scattered among those of the picture. Empty where there is none.
std::string exif_of_tiff(std::string_view file);

/// The encoded JPEG, TIFF or WebP file with metadata that clean() gave. Throws Error where the library refuses.
std::string embed(std::string file, const Metadata& metadata);

/// False in builds without Exiv2.
bool keeps_metadata();

} // namespace kg::io
