#pragma once
// Compression of the pixels of a PNG, at once or in blocks.

#include "core/image/image.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace kg::io {

/// Receives the contents of IDAT chunks, one after the other.
using PngData = std::function<void(std::string_view)>;

/// Filters and deflates rows of 8 or 16 bits. The bytes are the same on every machine.
class PngCompression {
public:
    virtual ~PngCompression() = default;
    /// Adds the next rows.
    virtual void add(const ConstImageView& rows) = 0;
    /// Called after the last row. Throws std::bad_alloc.
    virtual void finish() = 0;
};

/// Uses libdeflate, which needs all rows at once, but takes a third of zlib's time for the same length.
std::unique_ptr<PngCompression> compress_png_at_once(Extent size, const PixelFormat& format, PngData data);
/// True if the image is small enough for it.
bool is_compressed_at_once(Extent size, const PixelFormat& format);
/// Bytes that it takes.
std::size_t memory_to_compress_at_once(Extent size, const PixelFormat& format);

/// Uses zlib on blocks of 512 KiB. Each block has the end of the previous one as its dictionary, and ends on
/// a byte boundary (as in pigz). `at_once` blocks are in flight: one in the caller's thread, the others in
/// further threads as far as the system provides them. The bytes do not depend on that.
std::unique_ptr<PngCompression> compress_png_in_blocks(Extent size, const PixelFormat& format, int at_once,
                                                       PngData data);
/// Bytes that a block takes.
std::size_t memory_to_compress_a_block();

} // namespace kg::io
