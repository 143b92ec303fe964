#pragma once
// The attributes of an OpenEXR file other than those that describe the layout of its pixels. They are copied
// to the next OpenEXR file byte for byte.

#include "app/io/image_file.hpp"

#include <ImfHeader.h>

namespace kg::io {

/// The attributes that differ from those of every file. The names of attributes that would be wrong in a file
/// of one image, because they refer to channels that are left out, are added to `lost`.
std::vector<Metadata::Attribute> read_attributes(const Imf::Header& header, std::vector<std::string>& lost);

/// Adds the attributes to the header of a new file, except those that its own pixels determine. Throws the
/// library's exceptions.
void write_attributes(const std::vector<Metadata::Attribute>& attributes, Imf::Header& header);

} // namespace kg::io
