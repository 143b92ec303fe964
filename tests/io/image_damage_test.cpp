// Files that are truncated, damaged or hostile: an error or an image with a note, without the memory that
// they declare.

#include "app/io/image_file.hpp"
#include "tests/io/support/image_files.hpp"
#include "tests/support/error_code.hpp"

#include <random>

#include <png.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

bool one_of(std::initializer_list<std::string_view> codes, std::string_view code) {
    return std::ranges::find(codes, code) != codes.end();
}

TEST_F(ImageFile, TruncatedFilesAreRefusedOrReported) {
    for (const auto& format : formats()) {
        if (!format.is_written()) continue;
        const auto stored = storable(format.id, Depth::u8);
        const auto image = gentle({64, 64}, {stored.depth, 3});
        const auto whole = encode_image(image.view(), format.id, "x").bytes;
        for (const double share : {0.001, 0.05, 0.5, 0.95}) {
            const auto bytes = std::string_view(whole).substr(
                0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
            try {
                EXPECT_NE(decode_image(bytes, "x").damage, "") << format.id << share;
            } catch (const Error& error) {
                EXPECT_TRUE(std::string_view(error.what()).starts_with("cannot open x: ")) << error.what();
                EXPECT_TRUE(one_of(
                    {"empty-file", "truncated-file", "damaged-file", "not-an-image", "unsupported-coding"},
                    error.code()))
                    << format.id << share << error.code();
            }
        }
    }
}

TEST_F(ImageFile, WhatIsMissingOfATruncatedJpegIsEmpty) {
    const auto whole = encode_image(gentle({64, 256}, {Depth::u8, 3}).view(), "jpg", "x").bytes;
    const auto image = decode_image(std::string_view(whole).substr(0, whole.size() / 2), "x");
    EXPECT_TRUE(image.damage.starts_with("damaged: it ends after")) << image.damage;
    EXPECT_NEAR(sample(image.pixels.view(), 5, 5, 0), 51 + 2.55 * 15, 8);
    EXPECT_EQ(sample(image.pixels.view(), 5, 250, 0), 0);
}

TEST_F(ImageFile, LimitsAreCheckedBeforeDecoding) {
    write_image(path("p.png"), random_image({100, 10}, {Depth::u8, 3}, 1).view());
    EXPECT_NO_THROW(read_image(path("p.png"), {.max_pixels = 1000}));
    const auto read = [&] { read_image(path("p.png"), {.max_pixels = 999}); };
    EXPECT_EQ(code_of(read), "too-many-pixels");
    EXPECT_EQ(arguments_of(read), (std::vector<std::string>{"100 x 10", "999"}));
}

/// A blank page of one bit a pixel, the densest that deflate makes.
std::string blank_page(Extent size) {
    std::string bytes;
    auto* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    auto* info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp to, png_bytep from, std::size_t count) {
            static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<const char*>(from), count);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), 1,
                 PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    const std::vector<png_byte> row(static_cast<std::size_t>(size.width) / 8, 255);
    for (std::int64_t y = 0; y < size.height; ++y) png_write_row(png, row.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

TEST_F(ImageFile, ALargeImageInNextToNoBytesIsRefusedUnlessItsSizeIsAskedFor) {
    const Extent size{20000, 16000}; // 305 MiB
    const auto bomb = blank_page(size);
    const auto decode = [&] { decode_image(bomb, "x"); };
    ASSERT_EQ(code_of(decode), "implausible-size");
    EXPECT_EQ(arguments_of(decode),
              (std::vector<std::string>{"20000 x 16000", "305", std::to_string(bomb.size()), "320000000"}));
    EXPECT_NO_THROW(probe(bomb, "x")) << "nothing is decoded";
    EXPECT_EQ(decode_image(bomb, "x", {.max_pixels = 320000000}).pixels.size(), size);
    const auto page = encode_image(Image(size, {Depth::u8, 1}).view(), "png", "x");
    EXPECT_EQ(decode_image(page.bytes, "x").pixels.size(), size) << "an honest blank page of 8 bits";
    EXPECT_NO_THROW(decode_image(blank_page({8000, 8000}), "x")) << "and a small one of 1 bit";
}

TEST_F(ImageFile, HdrInItsOldCodingIsKnownByItsHeader) {
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20 +X 20\n";
    const auto old = head + std::string("\x80\x80\x80\x80\1\1\1\xff", 8) + std::string(100, 'x');
    EXPECT_EQ(code_of([&] { probe(old, "x"); }), "unsupported-coding");
    EXPECT_NO_THROW(probe(head + std::string(1600, 'x'), "x")) << "without coding";
}

/// A small file of each format whose header declares a huge image.
std::vector<std::pair<std::string, std::string>> hostile_headers() {
    const auto patched = [](std::string bytes, std::size_t at, const std::string& with) {
        return bytes.replace(at, with.size(), with);
    };
    const auto small = [](const char* format, Depth depth) {
        return encode_image(gentle({8, 8}, {depth, 3}).view(), format, "x").bytes;
    };
    const std::string big_le("\x40\x9c\0\0", 4), big_be("\0\0\x9c\x40", 4); // 40000
    const auto jpg = small("jpg", Depth::u8);
    const auto frame = jpg.find("\xff\xc0");
    std::vector<std::pair<std::string, std::string>> files{
        {"ppm", "P6 40000 40000 255\n0123456789"},
        {"pgm", "P2 40000 40000 255\n1 2 3"},
        {"pam", "P7\nWIDTH 40000\nHEIGHT 40000\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"},
        {"pfm", "PF\n40000 40000\n-1.0\n"},
        {"hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 40000 +X 40000\n"},
        {"bmp", patched(patched(small("bmp", Depth::u8), 18, big_le), 22, big_le)},
        {"jpg", patched(jpg, frame + 5, "\x9c\x40\x9c\x40")}};
    auto tiff = small("tif", Depth::u8);
    // The entries of width and height, as SHORT or LONG.
    for (std::size_t at = 0; at + 12 <= tiff.size(); ++at) {
        if (tiff.compare(at, 4, std::string("\0\1\3\0", 4)) == 0 ||
            tiff.compare(at, 4, std::string("\1\1\3\0", 4)) == 0)
            tiff.replace(at + 8, 4, big_le);
    }
    files.emplace_back("tif", tiff);
    auto exr = small("exr", Depth::f32);
    const auto window = exr.find("box2i") + 10; // behind its type, a zero and its length
    files.emplace_back("exr", patched(patched(exr, window + 8, big_le), window + 12, big_le));
    return files;
}

TEST_F(ImageFile, HostileHeadersCostNothing) {
    for (const auto& [extension, bytes] : hostile_headers()) {
        const auto child = ::fork();
        if (child == 0) {
            const auto code = code_of([&] { decode_image(bytes, extension); });
            ::_exit(one_of({"implausible-size", "truncated-file", "damaged-file", "unsupported-coding"}, code)
                        ? 0
                        : 1);
        }
        int status = 0;
        rusage usage{};
        ::wait4(child, &status, 0, &usage);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << extension;
        EXPECT_LT(usage.ru_maxrss / 1024, 1000) << extension;
        EXPECT_LT(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec, 5) << extension;
    }
}

TEST_F(ImageFile, DamagedBytesGiveAnImageOrAMessage) {
    constexpr int kTries = 300;
    for (const auto& format : formats())
        for (const int channels : {3, 4}) {
            if (!format.is_written()) continue;
            const auto stored = storable(format.id, Depth::u8);
            if (channels == 4 && !stored.alpha) continue;
            const auto whole =
                encode_image(gentle({40, 30}, kind(stored.depth, channels)).view(), format.id, "x").bytes;
            const auto child = ::fork(); // a crash must not end the other tests
            if (child == 0) {
                std::mt19937 random(7);
                for (int i = 0; i < kTries; ++i) {
                    auto bytes = whole;
                    // Half of the changes are in the header.
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
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << format.id << " x" << channels;
        }
}

} // namespace
} // namespace kg::testing
