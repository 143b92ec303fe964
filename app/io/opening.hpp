#pragma once
// The parts of image_file.cpp that images read by rows share: from a file's header to a LoadedImage without
// pixels.

#include "app/io/codecs/codec.hpp"
#include "app/io/formats.hpp"

#include <string>
#include <string_view>

namespace kg::io {

/// The format of a file that begins with `start`. Throws Error if there is none, or if the page is invalid.
const FileFormat& format_of_file(std::string_view start, int page);

/// Completes the header with what is common to all formats, such as colours that only EXIF declares. Throws
/// Error if there is no such page.
void complete(Header& header, int page);

/// Empty for the usual depth.
std::string_view depth_note(Depth stored);
std::vector<std::string> notes_of(const Header& header, int page);
std::string damage_note(const std::string& damage);

/// A LoadedImage without pixels.
LoadedImage image_of(Header header, const FileFormat& format, int page);

} // namespace kg::io
