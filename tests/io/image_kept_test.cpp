// Data beside the pixels of a file: kept in the next file, or named as lost.

#include "app/process/file_request.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/image_file.hpp"
#include "app/io/metadata/metadata.hpp"
#include "core/image/conversion.hpp"
#include "core/support/error.hpp"
#include "tests/support/check.hpp"

#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPreviewImage.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <tiffio.h>
#include <unistd.h>
#include <zlib.h>

namespace kg::testing {
namespace {

bool prints(const std::vector<std::string>& notes, const std::string& words) {
    return std::ranges::any_of(notes,
                               [&](const std::string& n) { return n.find(words) != std::string::npos; });
}

std::string all_of(const std::vector<std::string>& notes) {
    std::string all;
    for (const auto& note : notes) all += note + "\n";
    return all;
}

Image small() { return random_image({8, 6}, {Depth::u8, 3}, 1); }

LoadedImage through(const Metadata& metadata, const char* format, std::vector<std::string>* notes = nullptr) {
    const auto file = encode_image(small().view(), format, "x", {.metadata = &metadata});
    if (notes) *notes = file.notes;
    return decode_image(file.bytes, "x");
}

Metadata::Chunk chunk(const char* type, std::string_view data) { return {type, std::string(data)}; }

/// Numbers in the encoding of gAMA and cHRM.
std::string stored(std::initializer_list<std::uint32_t> numbers) {
    std::string bytes;
    for (const auto n : numbers)
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 255);
    return bytes;
}

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
    EXPECT_TRUE(with_inserted(wrong).notes.empty());
    wrong.back() ^= 1;
    const auto image = with_inserted(wrong + in_file("zTXt", "Author\0\0"sv));
    EXPECT_EQ(image.metadata.chunks.size(), 1u);
    EXPECT_TRUE(prints(image.notes, "damaged: its chunk tEXt does not match its checksum and is left out"))
        << all_of(image.notes);
    auto other = in_file("tIME", "1234567");
    other.back() ^= 1;
    EXPECT_TRUE(prints(with_inserted(wrong + other).notes,
                       "damaged: its chunks tEXt, tIME do not match their checksums and are left out"));
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
        EXPECT_TRUE(prints(image.notes, "damaged: its XMP cannot be read and is left out"))
            << all_of(image.notes);
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

TEST(ImageKept, FurtherImagesInANetpbmFileAreReported) {
    for (const auto* format : {"ppm", "pam", "pfm"}) {
        const auto image = random_image({8, 6}, {storable(format, Depth::u8).depth, 3}, 1);
        const auto one = encode_image(image.view(), format, "x").bytes;
        EXPECT_FALSE(prints(decode_image(one, "x").notes, "several images")) << format;
        EXPECT_FALSE(prints(decode_image(one + "\n", "x").notes, "several images")) << format;
        EXPECT_FALSE(prints(decode_image(one + "Pages of nothing", "x").notes, "several images")) << format;
        for (const auto& more :
             {one, "\n" + one, "\r\n\n" + one, std::string("\nP1 1 1 0"), std::string("P7\n")})
            EXPECT_TRUE(prints(decode_image(one + more, "x").notes, "several images: the first only"))
                << format << more.substr(0, 5);
    }
}

TEST(ImageKept, DensityGoesFromFormatToFormat) {
    Metadata metadata;
    metadata.density = {300 / 0.0254, 150 / 0.0254, true};
    for (const auto* first : {"png", "jpg", "tif"})
        for (const auto* second : {"png", "jpg", "tif"}) {
            const auto back = through(through(metadata, first).metadata, second).metadata.density;
            EXPECT_NEAR(back.x * 0.0254, 300, 0.02) << first << second;
            EXPECT_NEAR(back.y * 0.0254, 150, 0.02) << first << second;
            EXPECT_TRUE(back.per_metre);
        }
    metadata.density = {2, 1, false}; // only the aspect ratio: pixels are twice as dense across
    for (const auto* format : {"png", "jpg", "tif"}) {
        const auto back = through(metadata, format).metadata.density;
        EXPECT_FALSE(back.per_metre) << format;
        EXPECT_EQ(back.x, 2 * back.y) << format;
    }
    std::vector<std::string> notes;
    through(metadata, "webp", &notes);
    EXPECT_TRUE(prints(notes, "WebP holds no density: left out")) << all_of(notes);
    for (const auto* format : {"png", "jpg", "tif"})
        EXPECT_EQ(through({}, format).metadata.density, Metadata::Density()) << format << " adds none";
}

TEST(ImageKept, JpegCommentsAndIptcStayWithoutTheThumbnailAmongThem) {
    const auto iptc = "8BIM\x04\x04\0\0\0\0\0\x05"
                      "City!\0"sv,
               thumbnail = "8BIM\x04\x0c\0\0\0\0\0\x04"
                           "OLD!"sv,
               named = "8BIM\x03\xed\x03"
                       "abc\0\0\0\x02"
                       "ok"sv;
    Metadata metadata;
    metadata.comments = {"first", "second"};
    metadata.photoshop = std::string(iptc) + std::string(thumbnail) + std::string(named);
    const auto back = through(metadata, "jpg").metadata;
    EXPECT_EQ(back.comments, metadata.comments);
    EXPECT_EQ(back.photoshop, std::string(iptc) + std::string(named));
    EXPECT_EQ(through(metadata, "tif").metadata.photoshop, back.photoshop);
    std::vector<std::string> notes;
    through(metadata, "png", &notes);
    EXPECT_TRUE(prints(notes, "PNG holds no IPTC, comment: left out")) << all_of(notes);
    for (const auto* damaged :
         {"8BIM", "8BIM\x04\x04\xff", "8BIM\x04\x04\0\0\xff\xff\xff\xff", "no blocks"}) {
        metadata.photoshop = std::string(damaged, 12 > std::strlen(damaged) ? std::strlen(damaged) : 12);
        EXPECT_EQ(through(metadata, "jpg").metadata.photoshop, "") << damaged;
    }
}

TEST(ImageKept, WhatAnotherMarkerOfJpegHoldsIsNamed) {
    auto bytes = encode_image(small().view(), "jpg", "x").bytes;
    bytes.insert(2, "\xff\xeb\0\6JPXX\xff\xe2\0\6MPF\0"sv); // an empty list of images
    EXPECT_TRUE(prints(decode_image(bytes, "x").notes, "its APP11, APP2 data is not kept"));
    EXPECT_TRUE(decode_image(encode_image(small().view(), "jpg", "x").bytes, "x").notes.empty());
}

/// A JPEG whose list of images (CIPA DC-007) has the first one and others of these kinds.
std::string jpeg_with_images(const std::vector<std::uint32_t>& kinds, bool little) {
    std::string list;
    const auto put = [&](std::uint32_t value, int count) {
        for (int i = 0; i < count; ++i) list += static_cast<char>(value >> 8 * (little ? i : count - 1 - i));
    };
    list = little ? "II" : "MM";
    const auto count = static_cast<std::uint32_t>(kinds.size() + 1);
    put(42, 2), put(8, 4);
    put(3, 2);
    put(0xB000, 2), put(7, 2), put(4, 4), list += "0100";
    put(0xB001, 2), put(4, 2), put(1, 4), put(count, 4);
    put(0xB002, 2), put(7, 2), put(16 * count, 4), put(50, 4);
    put(0, 4);
    const auto entry = [&](std::uint32_t kind) { put(kind, 4), put(1000, 4), put(0, 4), put(0, 4); };
    entry(0x20030000); // the main image
    for (const auto kind : kinds) entry(kind);
    auto bytes = encode_image(small().view(), "jpg", "x").bytes;
    const auto length = list.size() + 6;
    return bytes.insert(2, std::string("\xff\xe2") + static_cast<char>(length >> 8) +
                               static_cast<char>(length & 255) + std::string("MPF\0", 4) + list);
}

TEST(ImageKept, PreviewsOfACameraAreADetailAndOtherFurtherImagesANote) {
    constexpr std::uint32_t kVga = 0x010001, kFullHd = 0x40010002, kPanorama = 0x020001, kGainMap = 0;
    for (const bool little : {true, false}) {
        const auto previews = decode_image(jpeg_with_images({kVga, kFullHd}, little), "x");
        EXPECT_TRUE(previews.notes.empty()) << all_of(previews.notes);
        EXPECT_TRUE(prints(previews.details, "2 preview images in the file (MPF) are left out"));
        const auto panorama = decode_image(jpeg_with_images({kVga, kPanorama}, little), "x");
        EXPECT_TRUE(prints(panorama.notes, "1 further image in the file (MPF) is left out"));
        EXPECT_TRUE(prints(panorama.details, "1 preview image in the file (MPF) is left out"));
        const auto phone = decode_image(jpeg_with_images({kGainMap}, little), "x");
        EXPECT_TRUE(
            prints(phone.notes, "1 further image in the file (MPF, where phones keep the gain map of HDR)"));
        const auto alone = decode_image(jpeg_with_images({}, little), "x");
        EXPECT_TRUE(alone.notes.empty() && alone.details.empty()) << all_of(alone.notes);
        EXPECT_TRUE(prints(probe(jpeg_with_images({kVga}, little), "x").notes, "1 preview image"));
        // inside the description of the list: what follows is damaged
        for (std::size_t cut = 0; cut < 46; ++cut) {
            auto bytes = jpeg_with_images({kVga}, little);
            bytes.replace(10 + cut, 82 - cut, 82 - cut, '\xff');
            EXPECT_TRUE(prints(decode_image(bytes, "x").notes, "its APP2 data is not kept")) << cut;
        }
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

class ImageKeptInFiles : public ::testing::Test {
protected:
    void SetUp() override {
        file_ = std::filesystem::temp_directory_path() / ("kernelglass-kept-" + std::to_string(::getpid()));
    }
    void TearDown() override { std::filesystem::remove(file_); }

    std::filesystem::path file_;
};

TEST_F(ImageKeptInFiles, ExrAttributesStayInExrAndChannelsThatAreLeftOutAreNamed) {
    Imf::Header header(2, 1, 2.0f, Imath::V2f(0.5f, 0));
    float samples[2] = {0.25f, 0.5f};
    Imf::FrameBuffer frame;
    for (const auto* name : {"B", "G", "R", "Z", "crypto.V"}) {
        header.channels().insert(name, Imf::Channel(Imf::FLOAT));
        frame.insert(name,
                     Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(samples), sizeof(float), sizeof samples));
    }
    const Imf::Chromaticities wide({0.708f, 0.292f}, {0.17f, 0.797f}, {0.131f, 0.046f}, {0.3127f, 0.329f});
    Imf::addChromaticities(header, wide);
    header.insert("owner", Imf::StringAttribute("Somebody"));
    header.insert("multiView", Imf::StringVectorAttribute({"left", "right"}));
    Imf::PreviewImage preview(1, 1);
    header.setPreviewImage(preview);
    {
        Imf::OutputFile file(file_.c_str(), header);
        file.setFrameBuffer(frame);
        file.writePixels(1);
    }
    const auto image = read_image(file_);
    EXPECT_TRUE(prints(image.notes, "channels left out: Z, crypto.V")) << all_of(image.notes);
    EXPECT_TRUE(prints(image.notes, "attributes left out: multiView")) << all_of(image.notes);
    const auto again = encode_image(image.pixels.view(), "exr", "x", {.metadata = &image.metadata});
    EXPECT_TRUE(again.notes.empty()) << all_of(again.notes);
    EXPECT_EQ(decode_image(again.bytes, "x").metadata, image.metadata);
    write_file(file_, again.bytes);
    const Imf::InputFile read(file_.c_str());
    EXPECT_EQ(Imf::chromaticities(read.header()), wide);
    EXPECT_EQ(read.header().typedAttribute<Imf::StringAttribute>("owner").value(), "Somebody");
    EXPECT_EQ(read.header().pixelAspectRatio(), 2.0f);
    EXPECT_EQ(read.header().screenWindowCenter(), Imath::V2f(0.5f, 0));
    EXPECT_FALSE(read.header().hasPreviewImage()) << "it would be stale";

    const auto png = encode_image(small().view(), "png", "x", {.metadata = &image.metadata});
    EXPECT_TRUE(prints(png.notes,
                       "PNG holds no attributes of OpenEXR (chromaticities, owner, pixelAspectRatio, "
                       "screenWindowCenter): left out"))
        << all_of(png.notes);
    const auto bare = encode_image(image.pixels.view(), "exr", "x",
                                   {.metadata = &image.metadata, .strip = true});
    std::string names;
    for (const auto& attribute : decode_image(bare.bytes, "x").metadata.attributes)
        names += attribute.name + " ";
    EXPECT_EQ(names, "chromaticities pixelAspectRatio screenWindowCenter ");
    const auto plain = encode_image(image.pixels.view(), "exr", "x");
    EXPECT_TRUE(decode_image(plain.bytes, "x").metadata.empty());
}

TEST_F(ImageKeptInFiles, EachPageOfATiffHasItsOwnDescriptionAndOrientation) {
    if (!io::keeps_exif()) GTEST_SKIP() << "BUILT WITHOUT EXIV2";
    for (const auto* mode : {"wl", "wb"}) {
        auto* tiff = TIFFOpen(file_.c_str(), mode);
        for (const auto* maker : {"First", "Second", "Third"}) {
            unsigned char row[4] = {};
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(tiff, TIFFTAG_MAKE, maker);
            TIFFSetField(tiff, TIFFTAG_ORIENTATION, *maker == 'F' ? 1 : 6);
            TIFFWriteScanline(tiff, row, 0);
            TIFFWriteDirectory(tiff);
        }
        TIFFClose(tiff);
        int page = 0;
        for (const auto* maker : {"First", "Second", "Third"}) {
            const auto image = read_image(file_, {.page = ++page});
            EXPECT_EQ(image.orientation, page == 1 ? 1 : 6) << mode;
            EXPECT_NE(image.metadata.exif.find(maker), std::string::npos) << mode << page;
        }
    }
}

/// Four black pixels with the tags that `set` adds.
template <typename Set>
void write_grey_tiff(const std::filesystem::path& path, Set set) {
    auto* tiff = TIFFOpen(path.c_str(), "w");
    unsigned char row[4] = {};
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    set(tiff);
    TIFFWriteScanline(tiff, row, 0);
    TIFFClose(tiff);
}

TEST_F(ImageKeptInFiles, TheDocumentTagsOfATiffAreKeptInAnyFormat) {
    if (!io::keeps_exif()) GTEST_SKIP() << "BUILT WITHOUT EXIV2";
    write_grey_tiff(file_, [](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_DOCUMENTNAME, "The book");
        TIFFSetField(tiff, TIFFTAG_PAGENAME, "The third page");
        TIFFSetField(tiff, TIFFTAG_CAMERASERIALNUMBER, "Number 7");
        TIFFSetField(tiff, TIFFTAG_PHOTOSHOP, 12, "8BIM\x03\xed\0\0\0\0\0\0");
        TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, 1, "\x1c\x02\x05\0");
    });
    const auto image = read_image(file_);
    EXPECT_TRUE(prints(image.notes, "its IPTC data is not kept")) << "also beside other resources";
    for (const auto* format : {"png", "jpg", "tif", "webp"}) {
        const auto back = through(image.metadata, format).metadata.exif;
        for (const auto* text : {"The book", "The third page", "Number 7"})
            EXPECT_NE(back.find(text), std::string::npos) << format << text;
    }
}

TEST_F(ImageKeptInFiles, AnOrientationAloneIsNoExif) {
    write_grey_tiff(file_, [](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, 3);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 72.0);
    });
    EXPECT_FALSE(probe(file_).exif);
    EXPECT_EQ(probe(file_).orientation, 3);
}

TEST(ImageKept, SignedResultsAreKeptInFloatsOrRefused) {
    Recipe recipe;
    recipe.steps = {parse_step("sobel:direction=x")};
    recipe.sign = SignedMode::keep;
    const auto depth_of = [&](std::optional<Depth> depth, const char* format) {
        LoadedImage image;
        image.pixels = small();
        recipe.depth = depth;
        return file_request(image, recipe, format).request.out.depth;
    };
    const auto refusal = [&](std::optional<Depth> depth, const char* format) {
        try {
            depth_of(depth, format);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing is refused");
    };
    EXPECT_EQ(depth_of({}, "tif"), Depth::f32);
    EXPECT_EQ(depth_of(Depth::f32, "pfm"), Depth::f32);
    EXPECT_EQ(depth_of(Depth::f16, "exr"), Depth::f16);
    EXPECT_NE(refusal({}, "png").find("PNG cannot hold; write .tif, .exr or .pfm"), std::string::npos);
    EXPECT_NE(refusal(Depth::u16, "tif").find("u16 cannot hold; choose depth f32 or f16"), std::string::npos);
}

} // namespace
} // namespace kg::testing
