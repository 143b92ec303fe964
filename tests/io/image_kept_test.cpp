// Data beside the pixels of a file: kept in the next file, or named as lost. PNG and JPEG have tests of their
// own.

#include "app/io/image_file.hpp"
#include "app/io/metadata/metadata.hpp"
#include "app/process/file/file_request.hpp"
#include "core/support/error.hpp"
#include "tests/io/support/kept_metadata.hpp"
#include "tests/support/error_code.hpp"

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

#include <filesystem>

#include <tiffio.h>
#include <unistd.h>

namespace kg::testing {
namespace {

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
    const auto refusing = [&](std::optional<Depth> depth, const char* format) {
        return [&depth_of, depth, format] { depth_of(depth, format); };
    };
    EXPECT_EQ(depth_of({}, "tif"), Depth::f32);
    EXPECT_EQ(depth_of(Depth::f32, "pfm"), Depth::f32);
    EXPECT_EQ(depth_of(Depth::f16, "exr"), Depth::f16);
    EXPECT_EQ(code_of(refusing({}, "png")), "format-cannot-hold-signed");
    EXPECT_EQ(arguments_of(refusing({}, "png")), std::vector<std::string>{"PNG"});
    EXPECT_EQ(code_of(refusing(Depth::u16, "tif")), "depth-cannot-hold-signed");
    EXPECT_EQ(arguments_of(refusing(Depth::u16, "tif")), std::vector<std::string>{"u16"});
}

} // namespace
} // namespace kg::testing
