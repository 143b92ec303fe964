// Stubs for builds without Exiv2.

#include "app/io/metadata/metadata.hpp"

namespace kg::io {

bool keeps_exif() { return false; }
std::string clean_exif(const std::string&, Extent) { return {}; }
bool declares_adobe_rgb(const std::string&) { return false; }
std::string exif_in_srgb(const std::string& block) { return block; } // it will be left out
std::string exif_of_tiff(std::string_view) { return {}; }
std::string add_exif_to_tiff(std::string file, const std::string&, const std::string&) { return file; }

} // namespace kg::io
