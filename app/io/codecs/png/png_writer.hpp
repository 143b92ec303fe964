#pragma once
// PNG files from pictures of 8 and 16 bits.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

/// Codec::write_rows. What libpng does not take of the metadata is named at the end.
std::unique_ptr<RowWriter> write_png_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                          const EncodeSettings& settings);

} // namespace kg::io
