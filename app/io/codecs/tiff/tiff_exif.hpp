#pragma once
// EXIF in TIFF files that are written row by row. Its values, of which some know where in the file they lie, are at the file's
// start, as Exiv2 puts them into a file of one pixel; the tags that lead to them are added to the picture's own at the end.

#include <string>
#include <string_view>

namespace kg::io {

/// The picture's directory, in a file that begins with `start`, itself a file; with the tags that only `start` has. Both as they lie
/// in files that are not big (TIFF 6.0, section 2), in this machine's order of bytes.
std::string with_tags_of(std::string_view start, std::string_view directory);

} // namespace kg::io
