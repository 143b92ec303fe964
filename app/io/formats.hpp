#pragma once
// The table of image formats: for `list formats`, the choice by a file's extension, the recognition by its
// first bytes, and the losses on writing.

#include "core/image/pixel.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace kg {

struct FileFormat {
    std::string_view id, title;
    std::array<std::string_view, 4> extensions; ///< lower case, without the dot; unused ones are empty
    std::array<bool, 4> reads, writes;          ///< by Depth: u8 u16 f16 f32
    bool alpha;                                 ///< holds alpha
    bool metadata;                              ///< EXIF, ICC and XMP are kept
    std::string_view remark;                    ///< a remark for people; may be empty
    bool linear = false;                        ///< samples are linear light
    bool premultiplied = false;                 ///< colour is premultiplied
};

std::span<const FileFormat> formats();

/// By id or extension, with or without the dot, in any case. Throws Error that lists the known ones.
const FileFormat& format_of(std::string_view id_or_extension);

/// By the first bytes of a file; nullptr if they match no format.
const FileFormat* format_of_bytes(std::string_view bytes);

/// What a format can store of an image: the depth nearest to the wanted one, and whether alpha is kept.
struct Storable {
    Depth depth;
    bool alpha;
};
/// Throws Error like format_of().
Storable storable(std::string_view id_or_extension, Depth wanted);

} // namespace kg
