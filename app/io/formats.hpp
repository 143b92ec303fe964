#pragma once
// The table of image formats: for `list formats`, the choice by a file's extension, the recognition by its
// first bytes, and the losses on writing.

#include "core/image/pixel.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kg {

struct FileFormat {
    std::string_view id, title;
    std::array<std::string_view, 4> extensions; ///< lower case, without the dot; unused ones are empty
    std::array<bool, 4> reads{}, writes{};      ///< by Depth: u8 u16 f16 f32
    bool alpha = false;                         ///< holds alpha
    bool metadata = false;                      ///< EXIF, ICC and XMP are kept
    std::string_view remark{};                  ///< a remark for people; may be empty
    bool linear = false;                        ///< samples are linear light
    bool premultiplied = false;                 ///< colour is premultiplied
    /// For formats that not every build of OpenCV reads: an extension by which it is asked; empty for others
    std::string_view opencv{};

    bool is_written() const { return std::ranges::find(writes, true) != writes.end(); }
};

/// The formats that this program reads with the installed libraries, and those that it writes.
std::span<const FileFormat> formats();
/// Those that it writes, which are known before OpenCV's codecs are loaded.
std::span<const FileFormat> written_formats();

/// The format to write, by id or extension, with or without the dot, in any case. Throws Error that lists the
/// known ones.
const FileFormat& format_of(std::string_view id_or_extension);

/// The one of formats() that a file's extension stands for, with or without the dot, in any case; nullptr if
/// none.
const FileFormat* format_by_extension(std::string_view extension);

/// The extension for the result of a file with this one, both with their dot: itself unless files of its
/// format are not written.
std::string writable_extension(const std::string& extension);

/// The format of a file that was read. Throws Error if there is none with this id.
const FileFormat& format_with_id(std::string_view id);

/// By the first bytes of a file, also if the installed libraries do not read it; nullptr if they match no
/// format.
const FileFormat* format_of_bytes(std::string_view bytes);

/// What a format can store of an image: the depth nearest to the wanted one, and whether alpha is kept.
struct Storable {
    Depth depth;
    bool alpha;
};
/// Throws Error like format_of().
Storable storable(std::string_view id_or_extension, Depth wanted);

} // namespace kg
