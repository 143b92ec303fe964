#pragma once
// Writes PNG files from images of 8 and 16 bits.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Codec::write_rows. finish() names metadata that libpng refuses.
std::unique_ptr<RowWriter> write_png_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                          const EncodeSettings& settings);

} // namespace kg::io
