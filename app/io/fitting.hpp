#pragma once
// What of a picture a file format can hold, and what is said of the rest.

#include "app/io/codecs/codec.hpp"
#include "app/io/formats.hpp"

namespace kg::io {

/// True if a file of the format, with such metadata, holds colour multiplied by alpha.
bool holds_premultiplied(const FileFormat& format, const Metadata& metadata);

/// How the pixels must be for the format's codec. Throws Error where it does not hold them at all.
PixelFormat fitted_format(const PixelFormat& pixels, const FileFormat& format, const WriteOptions& options,
                          std::vector<std::string>& notes);

/// The pixels as fitted_format() said; empty where they are so.
Image fitted(const ConstImageView& pixels, const PixelFormat& to);

/// What the format keeps of the metadata, clean, with what the options want. `grey`: the picture has no colours.
Metadata fitted_metadata(const WriteOptions& options, const FileFormat& format, Extent size, bool grey,
                         std::vector<std::string>& notes);

/// Throws Error for a quality that does not exist.
EncodeSettings settings_of(const WriteOptions& options, std::string_view format_word,
                           const Metadata& metadata);

} // namespace kg::io
