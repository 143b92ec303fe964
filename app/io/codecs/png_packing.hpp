#pragma once
// The pixels of a PNG, packed at once.

#include "core/image.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace kg::io {

/// Rows, filtered as PNG has it and packed by libdeflate, which needs them all together, but takes a third of zlib's time for the
/// same length. The bytes are the same on every machine.
class PngPacking {
public:
    /// Whether rows of a picture are few enough to be held together.
    static bool is_for(Extent size, const PixelFormat& format);
    /// Bytes that it takes then.
    static std::size_t memory(Extent size, const PixelFormat& format);

    PngPacking(Extent size, const PixelFormat& format);
    /// The next rows, of 8 or 16 bits.
    void add(const ConstImageView& rows);
    /// After the last row: what IDAT chunks hold. Throws std::bad_alloc.
    std::string packed();

private:
    std::size_t row_bytes_, pixel_bytes_;
    Image filtered_; ///< a single row: each row behind the number of its filter
    std::uint8_t* next_ = nullptr;
    std::unique_ptr<std::uint8_t[]>
        rows_;         ///< this one and the one above, as PNG has samples, each behind a pixel of zeros
    bool odd_ = false; ///< whose turn it is of those two
    int sample_bytes_;
};

} // namespace kg::io
