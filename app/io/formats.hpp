#pragma once
// The picture formats there are, as one table: `list formats`, the choice by a file's ending, the recognition of a file by
// its first bytes, and what a picture loses on its way into each.

#include "core/image/pixel.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace kg {

struct FileFormat {
    std::string_view id, title;
    std::array<std::string_view, 4> endings; ///< lower case, without the dot; unused ones are empty
    std::array<bool, 4> reads, writes;       ///< by Depth: u8 u16 f16 f32
    bool alpha;                              ///< holds alpha
    bool metadata;                           ///< EXIF, ICC and XMP are kept
    std::string_view remark;                 ///< what else one must know, a sentence or empty
    bool linear = false;                     ///< its numbers are linear light
    bool premultiplied = false;              ///< its colour is multiplied by alpha
};

std::span<const FileFormat> formats();

/// By id or ending, with or without the dot, any case. Throws Error listing the known ones.
const FileFormat& format_of(std::string_view id_or_ending);

/// By the first bytes of a file; nullptr if no format begins so.
const FileFormat* format_of_bytes(std::string_view bytes);

/// What a file format can hold of a picture: the depth nearest to the one asked for, and whether alpha survives.
struct Storable {
    Depth depth;
    bool alpha;
};
/// Throws Error as format_of().
Storable storable(std::string_view id_or_ending, Depth wanted);

} // namespace kg
