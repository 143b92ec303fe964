// Images to files and back: every format, depth and kind of channels. Losses are reported.

#include "app/io/image_file.hpp"
#include "tests/io/support/image_files.hpp"
#include "tests/support/error_code.hpp"

#include <cmath>

namespace kg::testing {
namespace {

/// The error of a sample in a lossy format.
double tolerance(const FileFormat& format, double value) {
    if (format.id == "jpeg") return 8;
    if (format.id == "hdr") return std::max(value, 0.0) / 64 + 0.01;
    if (format.id == "exr") return std::abs(value) * 1e-6; // alpha is multiplied and divided
    return 0;
}

TEST_F(ImageFile, EveryFormatDepthAndKindComesBack) {
    int tried = 0;
    for (const auto& format : formats())
        for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
            for (const int channels : {1, 2, 3, 4})
                for (const Extent size : {Extent{33, 21}, Extent{1, 1}, Extent{1, 7}, Extent{70, 1}}) {
                    if (!format.writes[static_cast<std::size_t>(depth)]) continue;
                    SCOPED_TRACE(std::string(format.id) + " " + std::string(name(depth)) + " x" +
                                 std::to_string(channels));
                    const auto image = gentle(size, kind(depth, channels));
                    const auto file = path("p." + std::string(format.extensions.front()));
                    const auto notes = write_image(file, image.view());
                    const auto back = read_image(file);
                    const auto& read = back.pixels.format();
                    EXPECT_EQ(back.format, format.id);
                    ASSERT_EQ(back.pixels.size(), size);
                    EXPECT_EQ(back.stored, depth);
                    EXPECT_EQ(read.depth, depth == Depth::f16 ? Depth::f32 : depth);
                    const bool has_alpha = channels % 2 == 0;
                    ASSERT_EQ(read.alpha >= 0, has_alpha && format.alpha);
                    EXPECT_EQ(prints(notes, "alpha"), has_alpha && !format.alpha);
                    ++tried;
                    for (std::int64_t y = 0; y < size.height; ++y)
                        for (std::int64_t x = 0; x < size.width; ++x)
                            for (int c = 0; c < read.channels; ++c) {
                                const bool grey = channels < 3;
                                const int of = c == read.alpha ? image.format().alpha : grey ? 0 : c;
                                double got = sample(back.pixels.view(), x, y, c);
                                if (read.premultiplied && c != read.alpha)
                                    got /= sample(back.pixels.view(), x, y, read.alpha);
                                const double wanted = sample(image.view(), x, y, of);
                                const double slack = depth == Depth::f16 && has_alpha
                                                         ? 0.002
                                                         : tolerance(format, wanted);
                                ASSERT_NEAR(got, wanted, slack) << x << ", " << y << ", channel " << c;
                            }
                }
    EXPECT_GT(tried, 200);
}

TEST_F(ImageFile, NoiseSurvivesLosslessFormatsToTheBit) {
    for (const auto* extension : {"png", "tif", "pam", "pfm", "exr", "ppm", "bmp"})
        for (const auto depth : {Depth::u8, Depth::u16, Depth::f32}) {
            if (storable(extension, depth).depth != depth) continue;
            const auto image = random_image({127, 65}, {depth, 3}, 9);
            write_image(path("noise"), image.view(), {.format = extension});
            EXPECT_TRUE(same_pixels(read_image(path("noise")).pixels.view(), image.view())) << extension;
        }
}

TEST_F(ImageFile, GreyWithAlphaStaysSoWhereTheFormatHasIt) {
    const auto image = random_image({9, 5}, kind(Depth::u16, 2), 4);
    for (const auto* extension : {"png", "tif", "pam"}) {
        write_image(path("la"), image.view(), {.format = extension});
        EXPECT_TRUE(same_pixels(read_image(path("la")).pixels.view(), image.view())) << extension;
        EXPECT_EQ(read_image(path("la")).pixels.format().alpha, 1) << extension;
    }
}

TEST_F(ImageFile, PremultipliedImagesAreDividedWhereTheFormatIsStraight) {
    auto format = kind(Depth::f32, 4);
    format.premultiplied = true;
    Image image({1, 1}, format);
    for (int c = 0; c < 4; ++c) store(image.view(), 0, 0, c, c == 3 ? 0.5 : 0.25);
    write_image(path("p.tif"), image.view());
    EXPECT_EQ(sample(read_image(path("p.tif")).pixels.view(), 0, 0, 0), 0.5);
    write_image(path("p.exr"), image.view());
    const auto back = read_image(path("p.exr"));
    EXPECT_EQ(sample(back.pixels.view(), 0, 0, 0), 0.25);
    EXPECT_TRUE(back.pixels.format().premultiplied);
    EXPECT_TRUE(back.linear);
}

TEST_F(ImageFile, NegativeAndHugeFloatsAreKeptOrReported) {
    Image image({3, 1}, {Depth::f32, 3});
    const double values[] = {-0.5, 70000, 0.25};
    for (int x = 0; x < 3; ++x)
        for (int c = 0; c < 3; ++c) store(image.view(), x, 0, c, values[x]);
    for (const auto* extension : {"tif", "exr", "pfm"}) {
        EXPECT_TRUE(write_image(path("f"), image.view(), {.format = extension}).empty());
        EXPECT_TRUE(same_pixels(read_image(path("f")).pixels.view(), image.view())) << extension;
    }
    EXPECT_TRUE(prints(write_image(path("f"), image.view(), {.format = "hdr"}), "below 0"));
    EXPECT_EQ(sample(read_image(path("f")).pixels.view(), 0, 0, 0), 0);
    EXPECT_NEAR(sample(read_image(path("f")).pixels.view(), 1, 0, 0), 70000, 512); // 8 bits: steps of 512
}

TEST_F(ImageFile, ContentsDecideNotTheExtension) {
    write_image(path("really-a-png.jpg"), random_image({5, 5}, {Depth::u16, 3}, 1).view(), {.format = "png"});
    const auto image = read_image(path("really-a-png.jpg"));
    EXPECT_EQ(image.format, "png");
    EXPECT_EQ(image.pixels.format().depth, Depth::u16);
    EXPECT_EQ(&format_of(".JPG"), &format_of("jpeg"));
}

TEST_F(ImageFile, BytesFromAPipeAreDecodedUnderTheNameTheyAreGiven) {
    const auto image = random_image({5, 4}, {Depth::u8, 3}, 1);
    const auto encoded = encode_image(image.view(), "png", "standard output");
    EXPECT_TRUE(same_pixels(decode_image(encoded.bytes, "standard input").pixels.view(), image.view()));
    EXPECT_EQ(probe(encoded.bytes, "x").size, (Extent{5, 4}));
}

TEST_F(ImageFile, JpegQualityIsObeyed) {
    const auto image = random_image({64, 64}, {Depth::u8, 3}, 1);
    const auto bytes = [&](int quality) {
        return encode_image(image.view(), "jpg", "x", {.jpeg_quality = quality}).bytes.size();
    };
    EXPECT_LT(2 * bytes(50), bytes(95));
    EXPECT_EQ(code_of([&] { bytes(0); }), "bad-quality");
}

} // namespace
} // namespace kg::testing
