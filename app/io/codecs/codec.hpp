#pragma once
// What app/io asks of each file format, behind image_file.hpp. A codec reads bytes in memory and throws Error with the bare
// reason ("it ends early"); image_file.cpp adds the file's name, checks sizes between header() and decode(), turns pictures
// upright and cleans metadata.

#include "app/io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kg::io {

struct Source {
    std::string_view bytes;
    int page = 1; ///< from 1
};

/// What a file declares; nothing of the size of the picture has been allocated for it.
struct Header {
    Extent size;        ///< as the file stores it, not yet upright
    PixelFormat pixels; ///< what decode() gives
    Depth stored = Depth::u8;
    std::string title{}; ///< which one, where the format's own title names several
    std::string original{};
    int pages = 1;
    int orientation = 1;
    bool linear = false;
    Metadata metadata{};
    std::vector<std::string> notes{}, details{}; ///< as a Picture's
};

struct Decoded {
    Image image;
    std::string damage{}; ///< why a part is missing (and empty); empty = whole
};

struct EncodeSettings {
    std::string_view ending; ///< as the person wrote it: .pgm and .ppm are one format
    int jpeg_quality;
    const Metadata* metadata = nullptr; ///< clean already
};

/// What its files have room for, beside EXIF, ICC and XMP (FileFormat::metadata).
struct Room {
    bool density = false, comments = false, photoshop = false, chunks = false, attributes = false;
    std::size_t xmp_bytes = UINT32_MAX; ///< the largest packet
};

struct Codec {
    std::string_view id; ///< of formats()
    Header (*header)(const Source&);
    Decoded (*decode)(const Source&, const Header&);
    /// The picture has a depth that the format writes, straight alpha, and no alpha where the format has none.
    Encoded (*encode)(const ConstImageView&, const EncodeSettings&);
    Room room{};
};

std::span<const Codec* const> codecs();
const Codec& codec_of(std::string_view format_id);

} // namespace kg::io
