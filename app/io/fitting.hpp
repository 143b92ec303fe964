#pragma once
// Fits an image to what its file format can hold, and reports the losses.

#include "app/io/codecs/codec.hpp"
#include "app/io/formats.hpp"

namespace kg::io {

/// True if a file of the format, with this metadata, stores premultiplied colour.
bool holds_premultiplied(const FileFormat& format, const Metadata& metadata);

/// The pixel format to pass to the format's codec. Throws Error if the format cannot hold the pixels at all.
PixelFormat fitted_format(const PixelFormat& pixels, const FileFormat& format, const WriteOptions& options,
                          std::vector<std::string>& notes);

/// The pixels in the format from fitted_format(); empty if they have it already.
Image fitted(const ConstImageView& pixels, const PixelFormat& to);

/// The metadata that the format keeps, cleaned, with the additions of the options. `grey`: the image has no
/// colour.
Metadata fitted_metadata(const WriteOptions& options, const FileFormat& format, Extent size, bool grey,
                         std::vector<std::string>& notes);

/// Throws Error if the quality is out of range.
EncodeSettings settings_of(const WriteOptions& options, std::string_view format_word,
                           const Metadata& metadata);

} // namespace kg::io
