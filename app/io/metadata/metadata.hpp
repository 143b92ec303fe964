#pragma once
// EXIF, ICC and XMP on their way from a file into another. XMP and profiles travel as they are; EXIF is cleaned by Exiv2
// (exif_exiv2.cpp) or, in builds without it, left out (exif_absent.cpp). Orientation is understood without it.

#include "app/io/image_file.hpp"

namespace kg::io {

/// As it must be beside an upright picture of this size. What is damaged is left out, said in `notes`.
Metadata clean(const Metadata& metadata, Extent size, std::vector<std::string>& notes);

/// Only what says what the samples look like: the profile, PNG's colour chunks, OpenEXR's attributes about colour and
/// place, and density, which also is the shape of a pixel.
Metadata stripped(const Metadata& metadata);

/// False in builds without Exiv2.
bool keeps_exif();

/// An EXIF block with orientation 1, the size, and without its thumbnail; empty where it is damaged.
std::string clean_exif(const std::string& block, Extent size);

/// True of a block that says Adobe RGB as cameras do, by DCF's option file "R03" (CIPA DC-009, 5.3). They seldom add a
/// profile.
bool says_adobe_rgb(const std::string& block);

/// The block once the colours have become sRGB.
std::string exif_in_srgb(const std::string& block);

/// The EXIF block of a TIFF file, whose tags are scattered among those of the picture. Empty where there is none.
std::string exif_of_tiff(std::string_view file);

/// A TIFF file with the tags of an EXIF block added to its own; `xmp` is the packet that it has, which stays as it is.
/// Throws Error where Exiv2 refuses.
std::string add_exif_to_tiff(std::string file, const std::string& block, const std::string& xmp);

} // namespace kg::io
