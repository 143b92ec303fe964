#pragma once
// The chunks of a PNG file that say something about its pixels rather than being them. PNG specification, third edition.

#include "app/io/files/byte_access.hpp"
#include "app/io/image_file.hpp"

#include <string>
#include <string_view>

namespace kg::io {

/// The keyword of the text that is an XMP packet, with its zero.
inline constexpr std::string_view kPngXmp{"XML:com.adobe.xmp\0", 18};

struct PngChunks {
    Metadata metadata;    ///< all but the colour profile, which libpng unpacks
    std::string not_kept; ///< those that a filtered picture will lack, in words; empty = none
    std::string damage;   ///< those that are left out because they are damaged, in words; empty = none
    bool animated = false;
};

/// Reads those that are whole, up to IEND; EXIF and XMP may come after the pixels.
PngChunks read_png_chunks(const ByteSource& file);

/// Whether the chunk is a text (packed or not) under this keyword.
bool is_text_under(const Metadata::Chunk& chunk, std::string_view keyword);

/// What such a chunk says, at most 16 MiB; empty where it is longer or damaged.
std::string text_of(const Metadata::Chunk& chunk);

} // namespace kg::io
