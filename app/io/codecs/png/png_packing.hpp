#pragma once
// The pixels of a PNG, packed at once or piece by piece.

#include "core/image/image.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace kg::io {

/// Is given what an IDAT chunk holds, one after the other.
using PngData = std::function<void(std::string_view)>;

/// Rows of 8 or 16 bits, filtered as PNG has it and packed. The bytes are the same on every machine.
class PngPacking {
public:
    virtual ~PngPacking() = default;
    /// The next rows.
    virtual void add(const ConstImageView& rows) = 0;
    /// After the last row. Throws std::bad_alloc.
    virtual void finish() = 0;
};

/// By libdeflate, which needs all rows together, but takes a third of zlib's time for the same length.
std::unique_ptr<PngPacking> pack_png_at_once(Extent size, const PixelFormat& format, PngData data);
/// Whether a picture's rows are few enough for it.
bool is_packed_at_once(Extent size, const PixelFormat& format);
/// Bytes that it takes then.
std::size_t memory_to_pack_at_once(Extent size, const PixelFormat& format);

/// By zlib, in pieces of 512 KiB, each with the end of the one before it as its dictionary, and joined where they end on whole bytes
/// (as pigz does). So many are on their way at once: one in the caller's thread, the others in threads of their own as far as the
/// system has any; that does not show in the bytes.
std::unique_ptr<PngPacking> pack_png_in_pieces(Extent size, const PixelFormat& format, int at_once,
                                               PngData data);
/// Bytes that each of them takes.
std::size_t memory_to_pack_a_piece();

} // namespace kg::io
