#pragma once
// TIFF files, without loss (Deflate), in strips of about 1 MiB.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Codec::write_rows. EXIF is added to the whole file at the end.
std::unique_ptr<RowWriter> write_tiff_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings);

} // namespace kg::io
