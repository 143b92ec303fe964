#pragma once
// Writes JPEG files from images of 8 bits.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Codec::write_rows for one or three channels. finish() names metadata that no marker can hold.
std::unique_ptr<RowWriter> write_jpeg_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings);

} // namespace kg::io
