#pragma once
// A sliding window of consecutive rows in memory, which moves down the image.

#include "core/image/image.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kg {

class RowWindow {
public:
    /// `size`: the image's width, and the largest number of rows.
    RowWindow(Extent size, const PixelFormat& format) : image_(size, format), covers_{0, 0, size.width, 0} {}

    const Rect& covers() const { return covers_; }
    ConstImageView view() const { return image_.view().crop({0, 0, covers_.width, covers_.height}); }

    /// Discards the rows before this one.
    void begin_at(std::int64_t row) {
        const auto gone = std::min(row - covers_.y, covers_.height);
        if (gone > 0)
            std::memmove(image_.view().data, image_.view().row<std::byte>(gone),
                         image_.view().pitch * static_cast<std::size_t>(covers_.height - gone));
        covers_ = {0, row, covers_.width, covers_.height - gone};
    }
    /// Space for the next rows, which append() adds to the window.
    ImageView room(std::int64_t rows) { return image_.view().crop({0, covers_.height, covers_.width, rows}); }
    void append(std::int64_t rows) { covers_.height += rows; }

private:
    Image image_;
    Rect covers_;
};

} // namespace kg
