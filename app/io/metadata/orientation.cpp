#include "app/io/metadata/orientation.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kg::io {

namespace {

/// Numbers of a TIFF structure, in its byte order; 0 beyond its end.
struct TiffNumbers {
    std::string_view bytes;
    bool big_endian;

    std::uint32_t read(std::size_t at, std::size_t count) const {
        if (at + count > bytes.size()) return 0;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto byte = static_cast<unsigned char>(bytes[at + (big_endian ? i : count - 1 - i)]);
            value = value << 8 | byte;
        }
        return value;
    }
};

template <std::size_t PixelBytes>
void copy_turned(const ConstImageView& from, const ImageView& to, int orientation) {
    const bool exchanged = exchanges_axes(orientation);
    // Destination of a stored pixel (x, y): flips come first, then the exchange of x and y.
    const bool flip_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool flip_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    constexpr std::int64_t kBlock = 64; // block size, so that a transposition stays within the cache
    for (std::int64_t by = 0; by < from.size.height; by += kBlock)
        for (std::int64_t bx = 0; bx < from.size.width; bx += kBlock)
            for (std::int64_t y = by; y < std::min(by + kBlock, from.size.height); ++y)
                for (std::int64_t x = bx; x < std::min(bx + kBlock, from.size.width); ++x) {
                    const auto fx = flip_x ? from.size.width - 1 - x : x;
                    const auto fy = flip_y ? from.size.height - 1 - y : y;
                    const auto tx = static_cast<std::size_t>(exchanged ? fy : fx);
                    std::memcpy(to.row<std::byte>(exchanged ? fx : fy) + tx * PixelBytes,
                                from.row<std::byte>(y) + static_cast<std::size_t>(x) * PixelBytes,
                                PixelBytes);
                }
}

} // namespace

int orientation_of(std::string_view exif) {
    using namespace std::string_view_literals;
    if (!exif.starts_with("II*\0"sv) && !exif.starts_with("MM\0*"sv)) return 1;
    const TiffNumbers numbers{exif, exif[0] == 'M'};
    const std::size_t directory = numbers.read(4, 4), entries = numbers.read(directory, 2);
    constexpr std::uint32_t kOrientation = 0x0112, kShort = 3;
    for (std::size_t i = 0; i < entries; ++i) {
        const auto entry = directory + 2 + 12 * i;
        if (numbers.read(entry, 2) != kOrientation || numbers.read(entry + 2, 2) != kShort) continue;
        const auto value = static_cast<int>(numbers.read(entry + 8, 2));
        return value >= 1 && value <= 8 ? value : 1;
    }
    return 1;
}

Image upright(Image stored, int orientation, ImageMemorySource* memory) {
    if (orientation == 1) return stored;
    const auto& format = stored.format();
    Image result(upright(stored.size(), orientation), format, memory);
    switch (bytes_per_pixel(format)) {
    case 1: copy_turned<1>(stored.view(), result.view(), orientation); break;
    case 2: copy_turned<2>(stored.view(), result.view(), orientation); break;
    case 3: copy_turned<3>(stored.view(), result.view(), orientation); break;
    case 4: copy_turned<4>(stored.view(), result.view(), orientation); break;
    case 6: copy_turned<6>(stored.view(), result.view(), orientation); break;
    case 8: copy_turned<8>(stored.view(), result.view(), orientation); break;
    case 12: copy_turned<12>(stored.view(), result.view(), orientation); break;
    case 16: copy_turned<16>(stored.view(), result.view(), orientation); break;
    }
    return result;
}

} // namespace kg::io
