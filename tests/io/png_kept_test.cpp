// Chunks of PNG: kept in the next file, translated for other formats, or named as lost.

#include "app/io/metadata/colour.hpp"
#include "app/io/metadata/metadata.hpp"
#include "core/request/conversion.hpp"
#include "tests/io/support/kept_metadata.hpp"

#include <cmath>

#include <zlib.h>

namespace kg::testing {
namespace {

using namespace std::string_view_literals;

TEST(ImageKept, PngTextAndColourChunksAreWrittenAgainToTheByte) {
    Metadata metadata;
    metadata.chunks = {chunk("gAMA", stored({100000})),
                       chunk("cHRM", stored({31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000})),
                       chunk("tEXt", "Title\0A glass"sv),
                       chunk("iTXt", "Comment\0\0\0de\0Bemerkung\0Gl\xc3\xa4ser"sv),
                       chunk("tEXt", "Author\0Somebody"sv)};
    const auto once = through(metadata, "png");
    EXPECT_EQ(once.metadata.chunks, metadata.chunks);
    EXPECT_TRUE(same_pixels(once.pixels.view(), small().view()));
    std::vector<std::string> notes;
    EXPECT_EQ(through(once.metadata, "png", &notes).metadata.chunks, metadata.chunks);
    EXPECT_TRUE(notes.empty()) << all_of(notes);
    for (const auto* format : {"jpg", "tif", "webp", "bmp", "ppm"}) {
        through(once.metadata, format, &notes);
        EXPECT_TRUE(prints(notes, "holds no text or colour data of PNG: left out"))
            << format << all_of(notes);
    }
    metadata.chunks = {chunk("bKGD", stored({0}) + "aa"), chunk("tIME", "1234567")};
    EXPECT_TRUE(prints(through(metadata, "png").notes, "its chunk bKGD is not kept"));
    metadata.chunks.push_back(chunk("sBIT", "555"));
    EXPECT_TRUE(prints(through(metadata, "png").notes, "its chunks bKGD, sBIT are not kept"));
}

/// A chunk as stored in a file.
std::string in_file(std::string_view type, std::string_view data) {
    const auto body = std::string(type) + std::string(data);
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return stored({static_cast<std::uint32_t>(data.size())}) + body +
           stored({static_cast<std::uint32_t>(sum)});
}

/// A small PNG with bytes before its IEND chunk, which takes 12 bytes.
LoadedImage with_inserted(const std::string& bytes, std::size_t before_end = 12) {
    auto file = encode_image(small().view(), "png", "x").bytes;
    return decode_image(file.insert(file.size() - before_end, bytes), "x");
}

TEST(ImageKept, ExifStandsOnceInAPng) {
    if (!io::keeps_exif()) GTEST_SKIP() << "BUILT WITHOUT EXIV2";
    Metadata metadata;
    metadata.exif = "II*\0\x08\0\0\0\x01\0\x0f\x01\x02\0\x08\0\0\0\x1a\0\0\0\0\0\0\0Glasses\0"sv;
    const auto file = encode_image(small().view(), "png", "x", {.metadata = &metadata}).bytes;
    const auto at = file.find("eXIf");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(file.find("eXIf", at + 4), std::string::npos) << "a second one is invalid";
}

TEST(ImageKept, BytesAfterTheEndOfAPngAreIgnored) {
    const auto padded = with_inserted(std::string(512, '\0') + in_file("tEXt", "Title\0no"sv), 0);
    EXPECT_TRUE(padded.notes.empty()) << all_of(padded.notes);
    EXPECT_TRUE(with_inserted(in_file("tEXt", "Title\0no"sv), 0).metadata.chunks.empty());
}

TEST(ImageKept, DamagedChunksOfAPngAreLeftOutAndReported) {
    auto wrong = in_file("tEXt", "Title\0A glass"sv);
    EXPECT_EQ(with_inserted(wrong).metadata.chunks.size(), 1u);
    EXPECT_EQ(with_inserted(wrong).damage, "");
    wrong.back() ^= 1;
    const auto image = with_inserted(wrong + in_file("zTXt", "Author\0\0"sv));
    EXPECT_EQ(image.metadata.chunks.size(), 1u);
    EXPECT_EQ(image.damage, "damaged: its chunk tEXt does not match its checksum and is left out");
    auto other = in_file("tIME", "1234567");
    other.back() ^= 1;
    EXPECT_EQ(with_inserted(wrong + other).damage,
              "damaged: its chunks tEXt, tIME do not match their checksums and are left out");
}

TEST(ImageKept, CompressedXmpOfAPngIsKept) {
    const std::string xmp = "<x:xmpmeta>" + std::string(1000, 'x') + "</x:xmpmeta>";
    const auto compressed = [](const std::string& text) {
        std::string bytes(compressBound(text.size()), '\0');
        uLongf size = bytes.size();
        compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                 text.size());
        return bytes.substr(0, size);
    };
    const std::string start("XML:com.adobe.xmp\0\1\0\0\0", 22);
    EXPECT_EQ(with_inserted(in_file("iTXt", start + compressed(xmp))).metadata.xmp, xmp);
    for (const auto& bad : {compressed(xmp).substr(0, 20), std::string("no stream"),
                            compressed(std::string(std::size_t{17} << 20, ' '))}) {
        const auto image = with_inserted(in_file("iTXt", start + bad));
        EXPECT_TRUE(image.metadata.xmp.empty());
        EXPECT_EQ(image.damage, "damaged: its XMP cannot be read and is left out");
    }
}

TEST(ImageKept, NotesDoNotReachTheTerminalRaw) {
    auto file = encode_image(small().view(), "png", "x").bytes;
    file.insert(file.size() - 12, in_file("a\x1b[m", "x"));
    const auto notes = probe(file, "x").notes;
    EXPECT_TRUE(prints(notes, "its chunk a?[m is not kept")) << all_of(notes);
}

TEST(ImageKept, TheGammaOfAPngBecomesAProfileWhereThatIsHeldAndElseIsNamed) {
    Metadata metadata;
    metadata.chunks = {chunk("gAMA", stored({100000}))};
    std::vector<std::string> notes;
    for (const auto* format : {"jpg", "tif", "webp"}) {
        auto image = through(metadata, format, &notes);
        EXPECT_TRUE(prints(notes, "written as a colour profile")) << format << all_of(notes);
        EXPECT_EQ(image.metadata.icc.substr(24, 4), "\x07\xd0\0\1"sv)
            << "without a creation time: equal requests give equal bytes";
        image.pixels = Image({1, 1}, {Depth::u8, 3});
        for (int c = 0; c < 3; ++c) store(image.pixels.view(), 0, 0, c, 128);
        convert_to_srgb(image);
        EXPECT_NEAR(sample(image.pixels.view(), 0, 0, 0), 255 * linear_to_srgb(128.0 / 255), 1) << format;
    }
    for (const auto* format : {"bmp", "ppm"}) {
        through(metadata, format, &notes);
        EXPECT_TRUE(prints(notes, "cannot store the gamma or primaries that the PNG names")) << all_of(notes);
    }
    for (const auto& srgb : {chunk("gAMA", stored({45455})), chunk("sRGB", "\0"sv)}) {
        metadata.chunks = {srgb};
        through(metadata, "jpg", &notes);
        EXPECT_TRUE(notes.empty()) << "as without it: " << all_of(notes);
    }
}

/// A mid-grey image with these chunks, converted to linear light.
LoadedImage converted(std::vector<Metadata::Chunk> chunks, int channels = 3) {
    LoadedImage image;
    image.pixels = Image({1, 1}, {Depth::u8, channels});
    for (int c = 0; c < channels; ++c) store(image.pixels.view(), 0, 0, c, 128);
    image.metadata.chunks = std::move(chunks);
    convert_to_srgb(image);
    return image;
}

TEST(ImageKept, AGammaThatPngNamesIsHonouredWhereLightMatters) {
    const auto gamma = [](std::uint32_t g) { return chunk("gAMA", stored({g})); };
    for (const int channels : {1, 3}) {
        const auto linear = converted({gamma(100000)}, channels);
        EXPECT_NEAR(sample(linear.pixels.view(), 0, 0, 0), 255 * linear_to_srgb(128.0 / 255), 1) << channels;
        EXPECT_TRUE(prints(linear.notes, "converted to sRGB")) << all_of(linear.notes);
        EXPECT_TRUE(linear.metadata.chunks.empty()) << "they no longer describe the samples";
        const auto dark = converted({gamma(55556)}, channels); // 1/1.8
        EXPECT_NEAR(sample(dark.pixels.view(), 0, 0, 0), 255 * linear_to_srgb(std::pow(128.0 / 255, 1.8)), 1);
    }
    const auto same = [](const LoadedImage& image) { return sample(image.pixels.view(), 0, 0, 0) == 128; };
    EXPECT_TRUE(same(converted({gamma(45455)}))) << "as programs write it for sRGB";
    EXPECT_TRUE(same(converted({gamma(100000), chunk("sRGB", "\0"sv)})));
    EXPECT_TRUE(same(converted({})));
    // Adobe's green is outside sRGB, so that its red is less in sRGB.
    LoadedImage green;
    green.pixels = Image({1, 1}, {Depth::u8, 3});
    const double levels[] = {100, 200, 100};
    for (int c = 0; c < 3; ++c) store(green.pixels.view(), 0, 0, c, levels[c]);
    green.metadata.chunks = {gamma(45455),
                             chunk("cHRM", stored({31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000}))};
    convert_to_srgb(green);
    EXPECT_LT(sample(green.pixels.view(), 0, 0, 0), 90);
    EXPECT_NEAR(sample(green.pixels.view(), 0, 0, 1), 200, 6);
}

TEST(ImageKept, AnUnknownCodingIsReported) {
    const auto wide = converted({chunk("cICP", "\x09\x10\0\x01"sv)});
    EXPECT_TRUE(prints(wide.notes, "its colours (cICP: primaries 9, curve 16) are treated as sRGB"))
        << all_of(wide.notes);
    EXPECT_TRUE(converted({chunk("cICP", "\x01\x0d\0\x01"sv)}).notes.empty());
}

} // namespace
} // namespace kg::testing
