// Formats that OpenCV decodes and that are not written: JPEG 2000, Sun raster, GIF and AVIF. Their headers
// are read in every build; their pixels where the installed OpenCV has the decoder.

#include "app/io/codecs/opencv/opencv.hpp"
#include "app/io/image_file.hpp"
#include "tests/io/support/image_files.hpp"
#include "tests/support/error_code.hpp"

#include <cstdio>
#include <iostream>
#include <random>

#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

using namespace std::string_literals;

constexpr const char* kExtensions[] = {".jp2", ".ras", ".gif", ".avif"};

std::string big_endian(std::uint32_t value, int count) {
    std::string bytes;
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 255);
    return bytes;
}

std::string code_of_decoding(const std::string& bytes) {
    return code_of([&] { decode_image(bytes, "x"); });
}

/// The bytes with some of them replaced.
std::string patched(std::string bytes, std::size_t at, const std::string& with) {
    return bytes.replace(at, with.size(), with);
}

/// Every beginning of a file is refused, whatever it ends with.
void expect_truncation_refused(const std::string& bytes) {
    for (std::size_t length = 12; length < bytes.size(); ++length) {
        const auto code = code_of([&] { probe(bytes.substr(0, length), "x"); });
        EXPECT_TRUE(code == "truncated-file" || code == "damaged-file") << length << " " << code;
    }
}

TEST(OpencvFormats, AreReadWhereTheBuildHasThemAndNeverWritten) {
    for (const std::string extension : kExtensions) {
        const auto id = extension.substr(1);
        const auto has_id = [&](const FileFormat& format) { return format.id == id; };
        EXPECT_EQ(std::ranges::any_of(formats(), has_id), io::opencv_reads(extension)) << id;
        EXPECT_EQ(format_with_id(id).id, id);
        EXPECT_FALSE(format_with_id(id).is_written()) << id;
        EXPECT_EQ(code_of([&] { format_of(extension); }), "read-only-format");
        EXPECT_EQ(code_of([&] { storable(id, Depth::u8); }), "read-only-format");
        EXPECT_EQ(writable_extension(extension), ".png");
    }
    EXPECT_EQ(writable_extension(".J2K"), ".png");
    EXPECT_EQ(writable_extension(".pbm"), ".pgm");
    EXPECT_EQ(writable_extension(".JPG"), ".JPG");
    EXPECT_EQ(writable_extension(""), "");
}

/// The largest error of a sample that the lossy coding causes, in 8 bits.
double loss(const std::string& extension) { return extension == ".ras" ? 0 : extension == ".gif" ? 40 : 12; }

TEST(OpencvFormats, FilesOfOpencvComeBack) {
    int tried = 0;
    for (const std::string extension : kExtensions) {
        if (!io::opencv_reads(extension)) continue;
        for (const auto depth : {Depth::u8, Depth::u16})
            for (const int channels : {1, 3, 4}) {
                const bool holds = extension == ".jp2" ||
                                   (depth == Depth::u8 && (channels == 3 || extension == ".ras"));
                if (!holds || (extension == ".ras" && channels == 4)) continue;
                SCOPED_TRACE(extension + " " + std::string(name(depth)) + " x" + std::to_string(channels));
                const auto image = gentle({67, 65}, kind(depth, channels));
                const auto back = decode_image(io::opencv_encode(extension, image.view()), "x");
                EXPECT_EQ(back.format, extension.substr(1));
                ASSERT_EQ(back.pixels.size(), image.size());
                ASSERT_EQ(back.pixels.format().channels, channels);
                EXPECT_EQ(back.pixels.format().alpha, image.format().alpha);
                EXPECT_EQ(back.stored, depth);
                const double slack = loss(extension) * full_scale(depth) / 255;
                for (std::int64_t y = 0; y < 65; ++y)
                    for (std::int64_t x = 0; x < 67; ++x)
                        for (int c = 0; c < channels; ++c)
                            ASSERT_NEAR(sample(back.pixels.view(), x, y, c), sample(image.view(), x, y, c),
                                        slack)
                                << x << ", " << y << ", channel " << c;
                ++tried;
            }
    }
    if (tried == 0) GTEST_SKIP() << "THE INSTALLED OPENCV READS NONE OF THEM";
}

/// A GIF of one colour table and images at these places; its coded data is not valid.
std::string gif(std::uint32_t width, std::uint32_t height, int images, bool transparent,
                std::uint32_t image_width) {
    const auto word = [](std::uint32_t value) {
        return std::string{static_cast<char>(value), static_cast<char>(value >> 8)};
    };
    auto bytes = "GIF89a" + word(width) + word(height) + "\x80\0\0"s + "\0\0\0\xff\xff\xff"s;
    for (int i = 0; i < images; ++i) {
        if (transparent) bytes += "\x21\xf9\4\1\0\0\0\0"s;
        bytes += "\x21\xfe\2hi\0"s + "\x2c\0\0\0\0"s + word(image_width) + word(height) + "\0\2\3abc\0"s;
    }
    return bytes + "\x3b";
}

TEST(OpencvFormats, TheBlocksOfAGifDeclareItsSizeAndAlpha) {
    const auto plain = probe(gif(300, 7, 1, false, 300), "x");
    EXPECT_EQ(plain.format, "gif");
    EXPECT_EQ(plain.size, (Extent{300, 7}));
    EXPECT_EQ(plain.pixels.channels, 3);
    EXPECT_EQ(plain.notes, std::vector<std::string>{"palette"});
    EXPECT_EQ(probe(gif(300, 7, 1, true, 300), "x").pixels.alpha, 3);
    EXPECT_EQ(probe(gif(300, 7, 1, false, 299), "x").pixels.alpha, 3) << "nothing is drawn at the edge";
    EXPECT_TRUE(prints(probe(gif(300, 7, 2, false, 300), "x").notes, "several images: the first only"));
    expect_truncation_refused(gif(300, 7, 2, true, 300));
    EXPECT_EQ(code_of([] { probe(gif(300, 7, 1, false, 301), "x"); }), "damaged-file") << "beyond the screen";
    EXPECT_EQ(code_of([] { probe(gif(300, 7, 0, false, 300), "x"); }), "damaged-file") << "no image";
    EXPECT_EQ(code_of([] { decode_image(gif(40000, 40000, 1, false, 40000), "x"); }), "implausible-size");
}

std::string box(const std::string& type, const std::string& data) {
    return big_endian(static_cast<std::uint32_t>(data.size()) + 8, 4) + type + data;
}

/// The boxes of an AVIF whose first item, 7, is alpha of the primary one, 1; `properties` are its others
/// beside the size.
std::string avif(const std::vector<std::string>& properties, bool alpha = false) {
    auto container = box("ispe", "\0\0\0\0"s + big_endian(30, 4) + big_endian(20, 4));
    container += box("auxC", "\0\0\0\0urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"s);
    auto owned = "\x01"s;
    for (std::size_t i = 0; i < properties.size(); ++i) {
        container += properties[i];
        owned += static_cast<char>(i + 3);
    }
    const auto count = static_cast<char>(owned.size());
    const auto associations = "\0\0\0\0"s + big_endian(2, 4) + big_endian(1, 2) + count + owned +
                              big_endian(7, 2) + "\1\2";
    auto meta = "\0\0\0\0"s + box("pitm", "\0\0\0\0"s + big_endian(1, 2)) +
                box("iprp", box("ipco", container) + box("ipma", associations));
    if (alpha)
        meta += box("iref",
                    "\0\0\0\0"s + box("auxl", big_endian(7, 2) + big_endian(1, 2) + big_endian(1, 2)));
    return box("ftyp", "avif\0\0\0\0"s) + box("meta", meta) + box("mdat", "pixels");
}

TEST(OpencvFormats, TheBoxesOfAnAvifDeclareItsSizeDepthAndOrientation) {
    const auto coding = [](char flags) { return box("av1C", "\x81\0"s + flags + "\0"s); };
    const auto plain = probe(avif({coding(0x0c)}), "x");
    EXPECT_EQ(plain.format, "avif");
    EXPECT_EQ(plain.size, (Extent{30, 20}));
    EXPECT_EQ(plain.pixels, (PixelFormat{Depth::u8, 3}));
    EXPECT_TRUE(plain.notes.empty());
    EXPECT_EQ(probe(avif({coding(0x0c)}, true), "x").pixels.alpha, 3);
    EXPECT_EQ(probe(avif({coding(0x1c)}), "x").pixels.channels, 1);
    EXPECT_EQ(code_of([&] { probe(avif({coding(0x1c)}, true), "x"); }), "unsupported-channels");
    const auto deep = probe(avif({coding(0x6c)}), "x");
    EXPECT_EQ(deep.stored, Depth::u16);
    EXPECT_EQ(deep.original, "12-bit samples");
    EXPECT_EQ(probe(avif({box("pixi", "\0\0\0\0\3\x0a\x0a\x0a"s)}), "x").original, "10-bit samples")
        << "of tiles";
    EXPECT_EQ(code_of([] { probe(avif({}), "x"); }), "damaged-file") << "no depth";
    // Quarter turns to the left and then a mirroring; the orientations are those of EXIF.
    constexpr int kOrientations[3][4] = {{1, 8, 3, 6}, {4, 5, 2, 7}, {2, 7, 4, 5}};
    for (int mirror = -1; mirror < 2; ++mirror)
        for (char quarters = 0; quarters < 4; ++quarters) {
            std::vector<std::string> properties{coding(0x0c), box("irot", std::string(1, quarters))};
            if (mirror >= 0) properties.push_back(box("imir", std::string(1, static_cast<char>(mirror))));
            const auto info = probe(avif(properties), "x");
            EXPECT_EQ(info.orientation, kOrientations[mirror + 1][static_cast<int>(quarters)]);
            EXPECT_EQ(info.size.width, quarters % 2 ? 20 : 30);
        }
    const auto wide = probe(avif({coding(0x0c), box("colr", "nclx\0\x09\0\x10\0\x09\x80"s)}), "x");
    EXPECT_TRUE(prints(wide.notes, "its colours (CICP: primaries 9, curve 16) are treated as sRGB"));
    EXPECT_EQ(probe(avif({coding(0x0c), box("colr", "profno profile")}), "x").icc_name, "a damaged profile");
    expect_truncation_refused(avif({coding(0x0c)}, true));
}

TEST(OpencvFormats, WhatTheBuildCannotDecodeNamesTheRemedy) {
    const std::pair<const char*, std::string> files[] = {{".gif", gif(30, 7, 1, false, 30)},
                                                         {".avif", avif({box("av1C", "\x81\0\x0c\0"s)})}};
    int tried = 0;
    for (const auto& [extension, bytes] : files) {
        if (io::opencv_reads(extension)) continue;
        EXPECT_EQ(code_of_decoding(bytes), "format-not-built");
        ++tried;
    }
    if (tried == 0) GTEST_SKIP() << "THE INSTALLED OPENCV READS ALL OF THEM";
}

/// A Sun raster file.
std::string sun_raster(std::uint32_t width, std::uint32_t height, std::uint32_t bits,
                       const std::string& table, const std::string& pixels) {
    auto bytes = "\x59\xa6\x6a\x95"s;
    for (const auto word : {width, height, bits, static_cast<std::uint32_t>(pixels.size()), 1u,
                            table.empty() ? 0u : 1u, static_cast<std::uint32_t>(table.size())})
        bytes += big_endian(word, 4);
    return bytes + table + pixels;
}

TEST(OpencvFormats, ASunRasterHasGreyAPaletteOrColour) {
    if (!io::opencv_reads(".ras")) GTEST_SKIP() << "THE INSTALLED OPENCV DOES NOT READ SUN RASTER";
    const auto grey = decode_image(sun_raster(3, 2, 8, "", "\1\x80\xff\0\4\5\6\0"s), "x");
    EXPECT_EQ(grey.pixels.format(), (PixelFormat{Depth::u8, 1}));
    const double wanted[] = {1, 128, 255, 4, 5, 6};
    for (int i = 0; i < 6; ++i) EXPECT_EQ(sample(grey.pixels.view(), i % 3, i / 3, 0), wanted[i]) << i;
    std::string table(768, '\0');
    table[1] = '\x11', table[256 + 1] = '\x22', table[512 + 1] = '\x33';
    const auto palette = decode_image(sun_raster(3, 1, 8, table, "\0\1\0\0"s), "x");
    EXPECT_EQ(palette.original, "palette");
    ASSERT_EQ(palette.pixels.format().channels, 3);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(sample(palette.pixels.view(), 1, 0, c), 0x11 * (c + 1)) << c;
    const auto four = decode_image(sun_raster(1, 1, 32, "", "\x7f\3\2\1"s), "x"); // x, blue, green, red
    for (int c = 0; c < 3; ++c) EXPECT_EQ(sample(four.pixels.view(), 0, 0, c), c + 1) << c;
    EXPECT_EQ(code_of_decoding(sun_raster(3, 2, 8, "", "1234567")), "truncated-file");
    EXPECT_EQ(code_of_decoding(sun_raster(1u << 31, 1u << 31, 32, "", "")), "truncated-file");
    EXPECT_EQ(code_of_decoding(sun_raster(0, 2, 8, "", "12")), "no-pixels");
}

class Jpeg2000 : public ::testing::Test {
protected:
    void SetUp() override {
        if (!io::opencv_reads(".jp2")) GTEST_SKIP() << "THE INSTALLED OPENCV DOES NOT READ JPEG 2000";
        whole_ = io::opencv_encode(".jp2", gentle({67, 65}, {Depth::u8, 3}).view());
        codestream_ = whole_.find("\xff\x4f\xff\x51");
    }

    std::string whole_;
    std::size_t codestream_ = 0;
};

TEST_F(Jpeg2000, ABareCodestreamIsRead) {
    const auto bare = decode_image(whole_.substr(codestream_), "x");
    EXPECT_TRUE(same_pixels(bare.pixels.view(), decode_image(whole_, "x").pixels.view()));
    EXPECT_EQ(probe(whole_.substr(codestream_), "x").title, "JPEG 2000 codestream");
}

TEST_F(Jpeg2000, WhatIsNotSupportedIsRefusedByItsHeader) {
    const auto at = codestream_;
    EXPECT_EQ(code_of_decoding(patched(whole_, at + 42, "\x87")), "unsupported-depth") << "signed";
    EXPECT_EQ(code_of_decoding(patched(whole_, at + 45, "\x09")), "unsupported-depth") << "another depth";
    EXPECT_EQ(code_of_decoding(patched(whole_, at + 46, "\2\2")), "subsampled-channel");
    EXPECT_EQ(code_of_decoding(patched(whole_, at + 40, "\0\2"s)), "unsupported-channels");
    EXPECT_EQ(code_of_decoding(patched(whole_, at + 8, big_endian(68, 4))), "damaged-file")
        << "not as in ihdr";
    const auto colours = whole_.find("colr");
    EXPECT_EQ(code_of_decoding(patched(whole_, colours + 7, big_endian(18, 4))), "unsupported-colours")
        << "sYCC";
    EXPECT_EQ(code_of_decoding(patched(whole_, at, "\xff\x4f\xff\x52")), "damaged-file");
    expect_truncation_refused(whole_);
}

TEST_F(Jpeg2000, SamplesOfTwelveBitsFillTheirRange) {
    Image image({64, 64}, {Depth::u16, 1});
    for (std::int64_t y = 0; y < 64; ++y)
        for (std::int64_t x = 0; x < 64; ++x) store(image.view(), x, y, 0, 32768 + 1000);
    auto bytes = io::opencv_encode(".jp2", image.view());
    const auto codestream = bytes.find("\xff\x4f\xff\x51");
    // Samples are stored without half of their range: 1000 above the middle of 12 bits, which is 2048.
    bytes = patched(bytes, codestream + 42, "\x0b");
    const auto back = decode_image(bytes, "x");
    EXPECT_EQ(back.original, "12-bit samples");
    EXPECT_NEAR(sample(back.pixels.view(), 5, 5, 0), (2048 + 1000) * 65535.0 / 4095, 200);
}

TEST_F(Jpeg2000, DamageIsReportedWithTheReasonOfOpencvAndStandardErrorStaysInPlace) {
    const auto* before = std::cerr.rdbuf();
    bool has_reason = false;
    for (std::size_t at = codestream_ + 60; at < whole_.size() && !has_reason; ++at) {
        const auto decode = [&] { decode_image(patched(whole_, at, "\xff"), "x"); };
        const auto code = code_of(decode);
        EXPECT_TRUE(code == "no error" || code == "damaged-file") << code;
        has_reason = !arguments_of(decode).empty();
    }
    EXPECT_TRUE(has_reason);
    EXPECT_EQ(std::cerr.rdbuf(), before);
}

TEST(OpencvFormats, DamagedBytesGiveAnImageOrAMessage) {
    std::vector<std::string> files{gif(30, 7, 2, true, 30), avif({box("av1C", "\x81\0\x0c\0"s)}, true)};
    for (const std::string extension : kExtensions)
        if (io::opencv_reads(extension))
            files.push_back(io::opencv_encode(extension, gentle({67, 65}, {Depth::u8, 3}).view()));
    for (const auto& whole : files) {
        const auto child = ::fork(); // a crash must not end the other tests
        if (child == 0) {
            std::freopen("/dev/null", "w", stderr); // some versions of OpenCV print a line for a damaged file
            std::mt19937 random(7);
            for (int i = 0; i < 300; ++i) {
                auto bytes = whole;
                for (auto changes = 1 + random() % 8; changes > 0; --changes)
                    bytes[random() % (random() % 2 ? std::min<std::size_t>(200, bytes.size())
                                                   : bytes.size())] = static_cast<char>(random());
                try {
                    decode_image(bytes, "x", {.max_pixels = 1 << 22});
                } catch (const Error&) { // expected
                }
            }
            std::_Exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << whole.substr(0, 12);
    }
}

} // namespace
} // namespace kg::testing
