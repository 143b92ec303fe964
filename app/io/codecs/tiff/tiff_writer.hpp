#pragma once
// Writes TIFF files with Deflate compression, which is lossless, in strips of about 1 MiB.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Codec::write_rows. EXIF is added once all rows are written.
std::unique_ptr<RowWriter> write_tiff_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings);

} // namespace kg::io
