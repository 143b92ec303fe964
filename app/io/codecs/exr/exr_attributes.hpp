#pragma once
// The attributes of an OpenEXR file beside those that say how its pixels lie: they describe the picture, and go into the
// next OpenEXR file to the byte.

#include "app/io/image_file.hpp"

#include <ImfHeader.h>

namespace kg::io {

/// Those that differ from what every file says. Names of those that would be wrong in a file of one picture, because
/// they speak of channels that are left out, go into `lost`.
std::vector<Metadata::Attribute> read_attributes(const Imf::Header& header, std::vector<std::string>& lost);

/// Into the header of a file to be written, where its own pixels have the say. Throws the library's exceptions.
void write_attributes(const std::vector<Metadata::Attribute>& attributes, Imf::Header& header);

} // namespace kg::io
