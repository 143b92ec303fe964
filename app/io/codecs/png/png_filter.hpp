#pragma once
// The row filters of PNG, which precede compression.

#include "core/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kg::io {

/// Filters each row by Sub or Up, whichever has the smaller sum of magnitudes (PNG specification, 9.2). Rows
/// are passed from the first to the last.
class PngRowFilter {
public:
    PngRowFilter(Extent size, const PixelFormat& format);

    /// Bytes of a filtered row, with the number of its filter.
    std::size_t filtered_bytes() const { return row_bytes_ + 1; }
    /// Filters the next row, of 8 or 16 bits; `to` has room for filtered_bytes().
    void filter(const std::byte* row, std::uint8_t* to);

private:
    std::size_t row_bytes_, pixel_bytes_;
    int sample_bytes_;
    /// The current row and the one above in PNG's byte order, each preceded by a pixel of zeros; and the
    /// differences for Up.
    std::unique_ptr<std::uint8_t[]> rows_, up_;
    bool odd_ = false; ///< selects the current row of the two
};

} // namespace kg::io
