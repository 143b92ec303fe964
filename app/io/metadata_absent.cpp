// Builds without Exiv2: metadata does not travel.

#include "app/io/metadata.hpp"

namespace kg::io {

bool keeps_metadata() { return false; }
Metadata clean(const Metadata&, Extent) { return {}; }
std::string exif_of_tiff(std::string_view) { return {}; }
std::string embed(std::string file, const Metadata&) { return file; }

} // namespace kg::io
