#include "core/image/copy_pixels.hpp"

#include <cstring>

namespace kg {

void copy_pixels(const ConstImageView& from, const ImageView& to) {
    const auto row = static_cast<std::size_t>(from.size.width) * bytes_per_pixel(from.format);
    for (std::int64_t y = 0; y < from.size.height; ++y)
        std::memcpy(to.row<std::byte>(y), from.row<std::byte>(y), row);
}

} // namespace kg
