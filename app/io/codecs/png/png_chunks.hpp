#pragma once
// The ancillary chunks of a PNG file. PNG specification, third edition.

#include "app/io/files/byte_access.hpp"
#include "app/io/image_file.hpp"

#include <string>
#include <string_view>

namespace kg::io {

/// Keyword of the text chunk that holds the XMP packet, with its zero.
inline constexpr std::string_view kPngXmp{"XML:com.adobe.xmp\0", 18};

struct PngChunks {
    Metadata metadata;    ///< except the colour profile, which libpng decompresses
    std::string not_kept; ///< names chunks that a filtered image will lack; empty = none
    std::string damage;   ///< names chunks that are left out because they are damaged; empty = none
    bool animated = false;
};

/// Reads the complete chunks up to IEND; EXIF and XMP may follow the pixels.
PngChunks read_png_chunks(const ByteSource& file);

/// True if the chunk is a text, compressed or not, with this keyword.
bool is_text_under(const Metadata::Chunk& chunk, std::string_view keyword);

/// The text of such a chunk, at most 16 MiB; empty if it is longer or damaged.
std::string text_of(const Metadata::Chunk& chunk);

} // namespace kg::io
