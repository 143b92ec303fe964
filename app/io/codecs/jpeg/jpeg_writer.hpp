#pragma once
// JPEG files from pictures of 8 bits.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Codec::write_rows, of one channel or three. What of the metadata a marker cannot hold is named at the end.
std::unique_ptr<RowWriter> write_jpeg_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings);

} // namespace kg::io
