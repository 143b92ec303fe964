// PNG's two ways of writing, all rows at once and one after the other: each gives the same pixels again.

#include "app/io/codecs/png_packing.hpp"
#include "app/io/image_file.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1};

/// Differs from row to row and from column to column, and packs well.
Image slopes(Extent size) {
    Image image(size, kGrey);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            image.view().row<std::uint8_t>(y)[x] = static_cast<std::uint8_t>((x / 7 + y * 3) % 251);
    return image;
}

TEST(PngPacking, PicturesOnBothSidesOfItsLimitComeBackAsTheyWere) {
    constexpr Extent kPacked{8191, 8192},
        kByRows{8192, 8192}; // 64 MiB with a byte more for each row, and beyond
    EXPECT_TRUE(io::PngPacking::is_for(kPacked, kGrey));
    EXPECT_FALSE(io::PngPacking::is_for(kByRows, kGrey));
    EXPECT_FALSE(io::PngPacking::is_for({1 << 30, 1 << 30}, {Depth::u16, 4, 3}));
    for (const auto size : {kPacked, kByRows}) {
        const auto image = slopes(size);
        const auto file = encode_picture(image.view(), "png", "test").bytes;
        EXPECT_TRUE(same_pixels(decode_picture(file, "test").image.view(), image.view())) << size.width;
    }
}

TEST(PngPacking, EveryFormatAndOddSizeComesBackAsItWas) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (int channels = 1; channels <= 4; ++channels)
            for (const Extent size : {Extent{1, 1}, {1, 9}, {9, 1}, {5000, 3}, {67, 41}}) {
                const PixelFormat format{depth, channels, channels % 2 == 0 ? channels - 1 : -1};
                const auto image = random_picture(size, format, 3);
                const auto file = encode_picture(image.view(), "png", "test").bytes;
                EXPECT_TRUE(same_pixels(decode_picture(file, "test").image.view(), image.view()))
                    << channels << " x " << name(depth) << ", " << size.width << " x " << size.height;
            }
}

TEST(PngPacking, RowsMayComeInAnyPortions) {
    const auto image = random_picture({40, 30}, {Depth::u16, 3}, 5);
    io::PngPacking whole(image.size(), image.format()), portions(image.size(), image.format());
    whole.add(image.view());
    for (std::int64_t y = 0; y < 30; y += 7)
        portions.add(image.view().crop({0, y, 40, std::min<std::int64_t>(7, 30 - y)}));
    EXPECT_EQ(whole.packed(), portions.packed());
}

} // namespace
} // namespace kg::testing
