#pragma once
// Transfers EXIF, ICC and XMP from one file to another. XMP and profiles are copied; EXIF is cleaned by Exiv2
// (exif_exiv2.cpp) or, in builds without it, left out (exif_absent.cpp). The orientation is read without
// Exiv2.

#include "app/io/image_file.hpp"

namespace kg::io {

/// The metadata for an upright image of this size. Damaged data is left out and named in `notes`.
Metadata clean(const Metadata& metadata, Extent size, std::vector<std::string>& notes);

/// Only metadata that defines the samples: the profile, PNG's colour chunks, OpenEXR's attributes for colour
/// and position, and the density, which also defines the aspect ratio of a pixel.
Metadata stripped(const Metadata& metadata);

/// False in builds without Exiv2.
bool keeps_exif();

/// The EXIF block with orientation 1, this size, and no thumbnail; empty if it is damaged.
std::string clean_exif(const std::string& block, Extent size);

/// True if the block declares Adobe RGB by DCF's option file "R03" (CIPA DC-009, 5.3), as cameras do. They
/// rarely embed a profile.
bool declares_adobe_rgb(const std::string& block);

/// The block for colours that were converted to sRGB.
std::string exif_in_srgb(const std::string& block);

/// The EXIF block of a TIFF file, whose tags are mixed with those of the image. Empty if there is none.
std::string exif_of_tiff(std::string_view file);

/// Adds the tags of an EXIF block to a TIFF file; `xmp` is the file's packet, which is not changed. Throws
/// Error if Exiv2 fails.
std::string add_exif_to_tiff(std::string file, const std::string& block, const std::string& xmp);

} // namespace kg::io
