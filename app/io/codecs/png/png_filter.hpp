#pragma once
// What the rows of a PNG are made into before they are packed.

#include "core/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kg::io {

/// Differences to the sample at the left or to the one above, whichever are smaller in sum (PNG specification, 9.2). The first row
/// must come first.
class PngRowFilter {
public:
    PngRowFilter(Extent size, const PixelFormat& format);

    /// Bytes of a row behind the number of its filter.
    std::size_t filtered_bytes() const { return row_bytes_ + 1; }
    /// The next row, of 8 or 16 bits; `to` has room for so many.
    void filter(const std::byte* row, std::uint8_t* to);

private:
    std::size_t row_bytes_, pixel_bytes_;
    int sample_bytes_;
    /// This one and the one above, as PNG has samples, each behind a pixel of zeros; and room for a row of differences.
    std::unique_ptr<std::uint8_t[]> rows_, up_;
    bool odd_ = false; ///< whose turn it is of those two
};

} // namespace kg::io
