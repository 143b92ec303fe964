#pragma once
// Rows of a picture that are in memory: some that follow one another, moving down the picture, and room for those to come.

#include "core/image/image.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kg::batch {

class RowWindow {
public:
    /// `size`: the picture's width, and as many rows as there may be at once.
    RowWindow(Extent size, const PixelFormat& format) : image_(size, format), covers_{0, 0, size.width, 0} {}

    const Rect& covers() const { return covers_; }
    ConstImageView view() const { return image_.view().crop({0, 0, covers_.width, covers_.height}); }

    /// The rows before this one are no longer needed.
    void begin_at(std::int64_t row) {
        const auto gone = std::min(row - covers_.y, covers_.height);
        if (gone > 0)
            std::memmove(image_.view().data, image_.view().row<std::byte>(gone),
                         image_.view().pitch * static_cast<std::size_t>(covers_.height - gone));
        covers_ = {0, row, covers_.width, covers_.height - gone};
    }
    /// Where so many rows that come next have their place; they count once append() says that they are there.
    ImageView room(std::int64_t rows) { return image_.view().crop({0, covers_.height, covers_.width, rows}); }
    void append(std::int64_t rows) { covers_.height += rows; }

private:
    Image image_;
    Rect covers_;
};

} // namespace kg::batch
