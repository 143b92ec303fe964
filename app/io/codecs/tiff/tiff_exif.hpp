#pragma once
// EXIF in TIFF files that are written by rows. The values, some of which depend on their offsets in the file,
// are at the start of the file, as Exiv2 places them in a file of one pixel. The tags that refer to them are
// merged into the image's own directory at the end.

#include <string>
#include <string_view>

namespace kg::io {

/// Merges into the image's directory the tags that only `start` has. `start` is a TIFF file itself, with
/// which the output begins. Both have the layout of files that are not BigTIFF (TIFF 6.0, section 2), in the
/// machine's byte order.
std::string with_tags_of(std::string_view start, std::string_view directory);

} // namespace kg::io
