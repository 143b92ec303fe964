#pragma once
// Writes PGM, PPM, PAM and PFM files.

#include "app/io/codecs/codec.hpp"

namespace kg::io {

// Implementations of Codec::write_rows.
std::unique_ptr<RowWriter> write_pnm(ByteSink& file, Extent size, const PixelFormat& format,
                                     const EncodeSettings& settings);
std::unique_ptr<RowWriter> write_pam(ByteSink& file, Extent size, const PixelFormat& format,
                                     const EncodeSettings& settings);
std::unique_ptr<RowWriter> write_pfm(ByteSink& file, Extent size, const PixelFormat& format,
                                     const EncodeSettings& settings);

} // namespace kg::io
