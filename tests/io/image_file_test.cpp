// Images to files and back: every format, depth and kind of channels. Losses are reported; a failed write
// leaves nothing behind.

#include "app/io/image_file.hpp"
#include "core/support/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <fstream>

#include <png.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class ImageFile : public ::testing::Test {
protected:
    fs::path path(const std::string& name) const { return folder_ / name; }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
    }

    const TemporaryFolder temporary_{"io"};
    const fs::path& folder_ = temporary_.path();
};

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

bool prints(const std::vector<std::string>& notes, const std::string& word) {
    return std::ranges::any_of(notes,
                               [&](const std::string& note) { return note.find(word) != std::string::npos; });
}

PixelFormat kind(Depth depth, int channels) {
    return {depth, channels, channels % 2 == 0 ? channels - 1 : -1};
}

/// The error of a sample in a lossy format.
double tolerance(const FileFormat& format, double value) {
    if (format.id == "jpeg") return 8;
    if (format.id == "hdr") return std::max(value, 0.0) / 64 + 0.01;
    if (format.id == "exr") return std::abs(value) * 1e-6; // alpha is multiplied and divided
    return 0;
}

/// Smooth colour, for lossy formats; alpha is never 0, where some formats drop the colour.
Image gentle(Extent size, const PixelFormat& format) {
    Image image(size, format);
    const double white = full_scale(format);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c)
                store(image.view(), x, y, c,
                      c == format.alpha
                          ? white * (0.25 + 0.5 * static_cast<double>(x) / static_cast<double>(size.width))
                          : white * (0.2 + 0.1 * c + 0.01 * static_cast<double>((x + 2 * y) % 40)));
    return image;
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

TEST_F(ImageFile, WhatAFormatCannotHoldIsReported) {
    const auto deep = random_image({4, 4}, {Depth::u16, 3}, 1);
    const auto text = message_of([&] { write_image(path("p.jpg"), deep.view()); });
    EXPECT_NE(text.find("p.jpg"), std::string::npos) << text;
    EXPECT_NE(text.find("u16"), std::string::npos) << text;
    EXPECT_NE(message_of([&] { write_image(path("p.pgm"), deep.view()); }).find("grey"), std::string::npos);
    EXPECT_NE(message_of([&] { write_image(path("p.xyz"), deep.view()); }).find("png"), std::string::npos);
    const auto wide = random_image({16384, 1}, {Depth::u8, 3}, 1);
    EXPECT_NE(message_of([&] { write_image(path("p.webp"), wide.view()); }).find("16383"), std::string::npos);
    EXPECT_EQ(files(), 0u);
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
    const auto text = message_of([] { decode_image("GIF89a, or so", "standard input"); });
    EXPECT_TRUE(text.starts_with("cannot open standard input: ")) << text;
    EXPECT_NE(message_of([] { decode_image("", "standard input"); }).find("empty"), std::string::npos);
    EXPECT_EQ(probe(encoded.bytes, "x").size, (Extent{5, 4}));
}

TEST_F(ImageFile, JpegQualityIsObeyed) {
    const auto image = random_image({64, 64}, {Depth::u8, 3}, 1);
    const auto bytes = [&](int quality) {
        return encode_image(image.view(), "jpg", "x", {.jpeg_quality = quality}).bytes.size();
    };
    EXPECT_LT(2 * bytes(50), bytes(95));
    EXPECT_THROW(bytes(0), Error);
}

TEST_F(ImageFile, TruncatedFilesAreRefusedOrReported) {
    const auto image = gentle({64, 64}, {Depth::u8, 3});
    for (const auto& format : formats()) {
        const auto stored = storable(format.id, Depth::u8);
        const auto deep = stored.depth == Depth::f32 ? gentle({64, 64}, {Depth::f32, 3}) : image.clone();
        const auto whole = encode_image(deep.view(), format.id, "x").bytes;
        for (const double share : {0.001, 0.05, 0.5, 0.95}) {
            const auto bytes = std::string_view(whole).substr(
                0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
            try {
                const auto notes = decode_image(bytes, "x").notes;
                EXPECT_TRUE(std::ranges::any_of(notes, [](const auto& n) { return is_damage_note(n); }))
                    << format.id << share;
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find(": "), std::string::npos) << format.id;
            }
        }
    }
}

TEST_F(ImageFile, WhatIsMissingOfATruncatedJpegIsEmpty) {
    const auto whole = encode_image(gentle({64, 256}, {Depth::u8, 3}).view(), "jpg", "x").bytes;
    const auto image = decode_image(std::string_view(whole).substr(0, whole.size() / 2), "x");
    EXPECT_TRUE(prints(image.notes, "damaged: it ends after"));
    EXPECT_NEAR(sample(image.pixels.view(), 5, 5, 0), 51 + 2.55 * 15, 8);
    EXPECT_EQ(sample(image.pixels.view(), 5, 250, 0), 0);
}

TEST_F(ImageFile, LimitsAreCheckedBeforeDecoding) {
    write_image(path("p.png"), random_image({100, 10}, {Depth::u8, 3}, 1).view());
    EXPECT_NO_THROW(read_image(path("p.png"), {.max_pixels = 1000}));
    const auto text = message_of([&] { read_image(path("p.png"), {.max_pixels = 999}); });
    EXPECT_NE(text.find("100 x 10"), std::string::npos) << text;
    EXPECT_NE(text.find("999"), std::string::npos) << text;
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
    const auto text = message_of([&] { decode_image(bomb, "x"); });
    EXPECT_NE(text.find("305 MiB, but has only"), std::string::npos) << text;
    EXPECT_NO_THROW(probe(bomb, "x")) << "nothing is decoded";
    EXPECT_EQ(decode_image(bomb, "x", {.max_pixels = 320000000}).pixels.size(), size);
    const auto page = encode_image(Image(size, {Depth::u8, 1}).view(), "png", "x");
    EXPECT_EQ(decode_image(page.bytes, "x").pixels.size(), size) << "an honest blank page of 8 bits";
    EXPECT_NO_THROW(decode_image(blank_page({8000, 8000}), "x")) << "and a small one of 1 bit";
}

TEST_F(ImageFile, HdrInItsOldCodingIsKnownByItsHeader) {
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20 +X 20\n";
    const auto old = head + std::string("\x80\x80\x80\x80\1\1\1\xff", 8) + std::string(100, 'x');
    const auto text = message_of([&] { probe(old, "x"); });
    EXPECT_NE(text.find("old run-length coding"), std::string::npos) << text;
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
            bool refused = false;
            try {
                decode_image(bytes, extension);
            } catch (const Error&) {
                refused = true;
            }
            ::_exit(refused ? 0 : 1);
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

TEST_F(ImageFile, ReadingRefusesWhatIsNoImageBeforeReadingAllOfIt) {
    EXPECT_NE(message_of([] { read_image("/dev/zero"); }).find("not an image"), std::string::npos);
    EXPECT_NE(message_of([&] { read_image(folder_); }).find("folder"), std::string::npos);
    EXPECT_NE(message_of([&] { read_image(path("absent.png")); }).find("absent.png"), std::string::npos);
}

TEST_F(ImageFile, AFailedWriteLeavesNothingNewAndDestroysNothingOld) {
    write_file(path("old.bin"), "precious");
    const auto child = ::fork(); // its limit on the size of files stands for a full disk
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const auto text = message_of([&] { write_file(path("old.bin"), std::string(100000, 'x')); });
        const auto also = message_of([&] { write_file(path("new.bin"), std::string(100000, 'x')); });
        ::_exit(text.find("old.bin") != text.npos && also.find("new.bin") != also.npos ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(read_file(path("old.bin")), "precious");
    EXPECT_EQ(files(), 1u);
}

TEST_F(ImageFile, DevicesAreWrittenToAndNotReplaced) {
    EXPECT_NE(message_of([] { write_file("/dev/full", "x"); }).find("/dev/full"), std::string::npos);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_NO_THROW(write_file("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ImageFile, TargetsThatCannotBeWrittenAreNamed) {
    EXPECT_NE(message_of([&] { write_file(folder_, "x"); }).find("folder"), std::string::npos);
    EXPECT_NE(message_of([&] { write_file(path("no/such/x.png"), "x"); }).find("x.png"), std::string::npos);
    write_file(path("file"), "x");
    EXPECT_NE(message_of([&] { write_file(path("file/x.png"), "x"); }).find("x.png"), std::string::npos);
    EXPECT_EQ(files(), 1u);
}

TEST_F(ImageFile, WritingFollowsLinksAndKeepsPermissions) {
    write_file(path("real"), "old");
    fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real", path("link"));
    write_file(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("real")), "new");
    EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("fresh", path("dangling"));
    write_file(path("dangling"), "made");
    EXPECT_EQ(read_file(path("fresh")), "made");
}

} // namespace
} // namespace kg::testing
