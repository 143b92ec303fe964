// EXIF, ICC and XMP from file to file, and the effect of colour profiles.

#include "app/io/image_file.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/metadata/metadata.hpp"
#include "core/request/conversion.hpp"
#include "core/support/error.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

#include <lcms2.h>

namespace kg::testing {
namespace {

void put(std::string& bytes, std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
}
void put_entry(std::string& bytes, std::uint32_t tag, std::uint32_t type, std::uint32_t count,
               std::uint32_t value) {
    put(bytes, tag, 2), put(bytes, type, 2), put(bytes, count, 4), put(bytes, value, 4);
}

constexpr const char* kThumbnail = "\xff\xd8THIS IS THE THUMBNAIL\xff\xd9";

/// EXIF like that of a camera: a maker, an orientation, the size in the photo's own directory, and a
/// thumbnail.
std::string exif_block(std::uint32_t orientation) {
    std::string bytes = "II*";
    bytes += '\0';
    put(bytes, 8, 4);
    constexpr std::uint32_t kFirst = 8, kAfterFirst = kFirst + 2 + 3 * 12 + 4, kMaker = kAfterFirst,
                            kPhoto = kMaker + 8, kThumb = kPhoto + 2 + 2 * 12 + 4,
                            kData = kThumb + 2 + 3 * 12 + 4;
    put(bytes, 3, 2);
    put_entry(bytes, 0x010f, 2, 8, kMaker);
    put_entry(bytes, 0x0112, 3, 1, orientation);
    put_entry(bytes, 0x8769, 4, 1, kPhoto);
    put(bytes, kThumb, 4);
    bytes += std::string("Glasses\0", 8);
    put(bytes, 2, 2);
    put_entry(bytes, 0xa002, 4, 1, 999);
    put_entry(bytes, 0xa003, 4, 1, 777);
    put(bytes, 0, 4);
    put(bytes, 3, 2);
    put_entry(bytes, 0x0103, 3, 1, 6);
    put_entry(bytes, 0x0201, 4, 1, kData);
    put_entry(bytes, 0x0202, 4, 1, static_cast<std::uint32_t>(std::string_view(kThumbnail).size()));
    put(bytes, 0, 4);
    return bytes + kThumbnail;
}

constexpr double kGamma = 2.19921875;

/// The primaries and the curve of Adobe RGB (1998).
std::string wide_profile() {
    const cmsCIExyY white{0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    auto* curve = cmsBuildGamma(nullptr, kGamma);
    cmsToneCurve* curves[] = {curve, curve, curve};
    auto* profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(curve);
    return icc_bytes(profile);
}

/// Linear Adobe RGB to linear sRGB, both with a white point of D65: the product of their published matrices.
constexpr double kMatrix[3][3] = {{1.39836, -0.39836, 0}, {0, 1, 0}, {0, -0.04293, 1.04293}};

const char* const kXmp =
    "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
    "xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6' tiff:Make='Glasses'/>"
    "</rdf:RDF></x:xmpmeta><?xpacket end='w'?>";

class ImageMetadata : public ::testing::Test {
protected:
    void SetUp() override {
        if (!io::keeps_exif()) GTEST_SKIP() << "BUILT WITHOUT EXIV2";
    }
};

TEST_F(ImageMetadata, SurvivesInEveryFormatThatHoldsItTurnedUprightAndWithoutThumbnail) {
    const Metadata metadata{exif_block(6), wide_profile(), kXmp};
    const auto image = random_image({20, 10}, {Depth::u8, 3}, 1);
    auto turned = std::string(kXmp);
    turned.replace(turned.find("'6'"), 3, "'1'");
    for (const auto& format : formats()) {
        SCOPED_TRACE(format.id);
        if (!format.is_written() || storable(format.id, Depth::u8).depth != Depth::u8) continue;
        const auto file = encode_image(image.view(), format.id, "x", {.metadata = &metadata});
        const auto back = decode_image(file.bytes, "x");
        EXPECT_EQ(back.pixels.size(), image.size()) << "not rotated a second time";
        EXPECT_EQ(file.notes.empty(), format.metadata);
        EXPECT_EQ(back.metadata.empty(), !format.metadata);
        if (!format.metadata) continue;
        EXPECT_EQ(back.orientation, 1);
        EXPECT_EQ(back.metadata.icc, metadata.icc);
        EXPECT_EQ(back.metadata.xmp, turned);
        EXPECT_NE(back.metadata.exif.find("Glasses"), std::string::npos);
        EXPECT_EQ(file.bytes.find("THIS IS THE THUMBNAIL"), std::string::npos);
        if (format.id != "jpeg") {
            EXPECT_TRUE(same_pixels(back.pixels.view(), image.view())) << "metadata must not touch pixels";
        }
        EXPECT_LT(back.metadata.exif.size(), 400u) << "neither the profile nor the layout of a TIFF is EXIF";
        // The second file gives a third one with the same metadata.
        const auto again = decode_image(
            encode_image(image.view(), "tif", "x", {.metadata = &back.metadata}).bytes, "x");
        EXPECT_NE(again.metadata.exif.find("Glasses"), std::string::npos);
        EXPECT_EQ(again.metadata.icc, metadata.icc);
    }
}

TEST_F(ImageMetadata, DeclaresTheImagesOwnSize) {
    const auto cleaned = io::clean_exif(exif_block(6), {20, 10});
    EXPECT_NE(cleaned.find(std::string("\x02\xa0\x04\0\1\0\0\0\x14\0\0\0", 12)), std::string::npos);
    EXPECT_EQ(cleaned.find("THUMBNAIL"), std::string::npos);
}

TEST_F(ImageMetadata, DamagedMetadataIsLeftOutAndTheImageKept) {
    const auto image = random_image({20, 10}, {Depth::u8, 3}, 1);
    for (const auto* block : {"II*", "garbage", "MM\0*\0\0\0\x08\xff\xff"}) {
        const Metadata metadata{std::string(block, 4), "no profile", "no XMP"};
        for (const auto* format : {"png", "tif", "jpg", "webp"}) {
            try {
                const auto file = encode_image(image.view(), format, "x", {.metadata = &metadata});
                EXPECT_EQ(file.notes.size(), 2u) << format; // profile and EXIF
                const auto back = decode_image(file.bytes, "x");
                EXPECT_EQ(back.pixels.size(), image.size());
            } catch (const Error& error) {
                ADD_FAILURE() << format << ": " << error.what();
            }
        }
    }
}

TEST(ImageColour, KnowsSrgbByItsColoursAndNotByItsName) {
    EXPECT_TRUE(is_srgb(""));
    EXPECT_TRUE(is_srgb(icc_bytes(cmsCreate_sRGBProfile())));
    EXPECT_FALSE(is_srgb(wide_profile()));
    EXPECT_FALSE(is_srgb("no profile"));
    EXPECT_EQ(icc_name(""), "");
    EXPECT_EQ(icc_name("no profile"), "a damaged profile");
    EXPECT_NE(icc_name(icc_bytes(cmsCreate_sRGBProfile())).find("sRGB"), std::string::npos);
}

/// A profile with colorants relative to D50, as other programs publish them, and a curve.
std::string profile_with(const std::array<cmsCIEXYZ, 3>& colorants, const std::string& name,
                         cmsToneCurve* curve) {
    auto* profile = cmsCreateRGBProfile(nullptr, nullptr, nullptr);
    constexpr std::array kColorants{cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    constexpr std::array kCurves{cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    const cmsCIEXYZ white{0.9642, 1, 0.8249};
    cmsWriteTag(profile, cmsSigMediaWhitePointTag, &white);
    for (std::size_t i = 0; i < 3; ++i) {
        cmsWriteTag(profile, kColorants[i], &colorants[i]);
        cmsWriteTag(profile, kCurves[i], curve);
    }
    auto* description = cmsMLUalloc(nullptr, 1);
    cmsMLUsetASCII(description, "en", "US", name.c_str());
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, description);
    cmsMLUfree(description);
    cmsFreeToneCurve(curve);
    return icc_bytes(profile);
}

/// sRGB's curve as a table of 1024 numbers of 16 bits, like in its first profile.
cmsToneCurve* tabulated_curve() {
    std::array<cmsUInt16Number, 1024> table;
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = static_cast<cmsUInt16Number>(
            std::lround(65535 * srgb_to_linear(static_cast<double>(i) / 1023)));
    return cmsBuildTabulatedToneCurve16(nullptr, static_cast<cmsUInt32Number>(table.size()), table.data());
}

TEST(ImageColour, KnowsTheSrgbOfOtherProgramsByItsColours) {
    // "sRGB IEC61966-2-1 black scaled" and "sRGB" of colord.
    constexpr std::array<cmsCIEXYZ, 3> kBlackScaled{
        {{0.436066, 0.222488, 0.013916}, {0.385147, 0.716873, 0.097076}, {0.143066, 0.060608, 0.714096}}};
    constexpr std::array<cmsCIEXYZ, 3> kColord{
        {{0.435852, 0.222382, 0.013916}, {0.385330, 0.717041, 0.097137}, {0.143021, 0.060593, 0.713837}}};
    EXPECT_TRUE(is_srgb(profile_with(kBlackScaled, "sRGB IEC61966-2-1 black scaled", tabulated_curve())));
    EXPECT_TRUE(is_srgb(profile_with(kColord, "anything", tabulated_curve())));
    EXPECT_FALSE(is_srgb(profile_with(kColord, "sRGB", cmsBuildGamma(nullptr, 2.2)))) << "another curve";
    constexpr std::array<cmsCIEXYZ, 3> kDisplayP3{
        {{0.515102, 0.241182, -0.001053}, {0.291965, 0.692236, 0.041885}, {0.157153, 0.066581, 0.784073}}};
    EXPECT_FALSE(is_srgb(profile_with(kDisplayP3, "sRGB", tabulated_curve()))) << "other primaries";
}

TEST(ImageColour, ConvertsToSrgbLikeTheMatrices) {
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f32}) {
        LoadedImage image;
        image.pixels = Image({3, 1}, {depth, 4, 3});
        const double white = full_scale(depth);
        const double stored[3][4] = {{0.5, 0.5, 0.5, 0.25}, {0.4, 0.5, 0.6, 1}, {0.6, 0.5, 0.5, 0}};
        for (int x = 0; x < 3; ++x)
            for (int c = 0; c < 4; ++c)
                store(image.pixels.view(), x, 0, c, std::round(stored[x][c] * 255) / 255 * white);
        image.metadata.icc = wide_profile();
        convert_to_srgb(image);
        EXPECT_TRUE(image.metadata.icc.empty());
        EXPECT_EQ(image.notes.size(), 1u);
        for (int x = 0; x < 3; ++x) {
            double linear[3];
            for (int c = 0; c < 3; ++c) linear[c] = std::pow(std::round(stored[x][c] * 255) / 255, kGamma);
            for (int c = 0; c < 3; ++c) {
                const double due = kMatrix[c][0] * linear[0] + kMatrix[c][1] * linear[1] +
                                   kMatrix[c][2] * linear[2];
                EXPECT_NEAR(sample(image.pixels.view(), x, 0, c) / white, linear_to_srgb(due),
                            depth == Depth::u8 ? 0.004 : 0.002)
                    << x << " " << c;
            }
            EXPECT_NEAR(sample(image.pixels.view(), x, 0, 3) / white, stored[x][3], 0.003)
                << "alpha is not converted";
        }
    }
}

/// What the window shows a profile by.
TEST_F(ImageMetadata, TheTableOfAProfileHasTheColoursOfTheConversion) {
    constexpr int kSide = 6; // corners at whole 8-bit numbers
    LoadedImage image;
    image.pixels = Image({216, 1}, {Depth::u8, 3});
    for (int i = 0; i < 216; ++i) {
        const std::array digits{i % kSide, i / kSide % kSide, i / kSide / kSide};
        for (int c = 0; c < 3; ++c)
            store(image.pixels.view(), i, 0, c, digits[static_cast<std::size_t>(c)] * 51);
    }
    const auto empty_for = [&](const std::string& icc) {
        image.metadata.icc = icc;
        return srgb_lut(image, 3).empty();
    };
    EXPECT_TRUE(empty_for(""));
    EXPECT_TRUE(empty_for(icc_bytes(cmsCreate_sRGBProfile())));
    EXPECT_TRUE(empty_for("no profile"));
    auto* curve = cmsBuildGamma(nullptr, 1.8);
    EXPECT_TRUE(empty_for(icc_bytes(cmsCreateGrayProfile(cmsD50_xyY(), curve)))) << "the image has colours";
    cmsFreeToneCurve(curve);
    image.metadata.icc = wide_profile();
    const auto lut = srgb_lut(image, kSide);
    ASSERT_EQ(lut.size(), 216u);
    convert_to_srgb(image);
    for (int i = 0; i < 216; ++i)
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(lut[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)] * 255,
                        sample(image.pixels.view(), i, 0, c), 0.51)
                << i << " " << c;
}

/// EXIF of a camera set to Adobe RGB: an uncalibrated colour space, and the option file of DCF.
std::string adobe_exif() {
    std::string bytes = "II*";
    bytes += '\0';
    constexpr std::uint32_t kFirst = 8, kPhoto = kFirst + 2 + 12 + 4, kIop = kPhoto + 2 + 2 * 12 + 4;
    put(bytes, kFirst, 4);
    put(bytes, 1, 2), put_entry(bytes, 0x8769, 4, 1, kPhoto), put(bytes, 0, 4);
    put(bytes, 2, 2), put_entry(bytes, 0xa001, 3, 1, 0xffff), put_entry(bytes, 0xa005, 4, 1, kIop);
    put(bytes, 0, 4);
    put(bytes, 1, 2), put_entry(bytes, 1, 2, 4, 0x00333052), put(bytes, 0, 4); // "R03"
    return bytes;
}

TEST_F(ImageMetadata, AdobeRgbOfExifBecomesAProfileThatSurvivesIt) {
    EXPECT_FALSE(is_srgb(adobe_rgb_profile()));
    EXPECT_TRUE(io::declares_adobe_rgb(adobe_exif()));
    EXPECT_FALSE(io::declares_adobe_rgb(exif_block(1)));
    EXPECT_FALSE(io::declares_adobe_rgb("R03"));
    const Metadata metadata{adobe_exif(), {}, {}};
    const auto image = random_image({20, 10}, {Depth::u8, 3}, 1);
    for (const auto* format : {"jpg", "tif", "webp", "png"}) {
        SCOPED_TRACE(format);
        auto back = decode_image(encode_image(image.view(), format, "x", {.metadata = &metadata}).bytes, "x");
        EXPECT_EQ(back.metadata.icc, adobe_rgb_profile());
        EXPECT_EQ(icc_name(back.metadata.icc), "Adobe RGB (1998), as EXIF says");
        EXPECT_TRUE(back.notes.empty()) << "nothing is lost";
        EXPECT_EQ(back.details.size(), 1u);
        const auto bare = encode_image(image.view(), format, "x",
                                       {.metadata = &back.metadata, .strip = true});
        EXPECT_EQ(decode_image(bare.bytes, "x").metadata.icc, adobe_rgb_profile());
        EXPECT_TRUE(decode_image(bare.bytes, "x").metadata.exif.empty());
        convert_to_srgb(back); // another test covers the colours
        EXPECT_FALSE(io::declares_adobe_rgb(back.metadata.exif));
        const auto srgb = decode_image(
            encode_image(back.pixels.view(), format, "x", {.metadata = &back.metadata}).bytes, "x");
        EXPECT_TRUE(srgb.metadata.icc.empty());
        EXPECT_NE(srgb.metadata.exif.find("R98"), std::string::npos);
    }
    const auto grey = random_image({20, 10}, {Depth::u8, 1}, 1);
    const auto file = encode_image(grey.view(), "jpg", "x", {.metadata = &metadata}).bytes;
    EXPECT_TRUE(decode_image(file, "x").metadata.icc.empty()) << "an RGB profile does not fit grey";
}

class ColourByCommand : public Program {};

TEST_F(ColourByCommand, LinearLightConvertsAForeignProfileAndStoredLightKeepsIt) {
    Image two({2, 1}, {Depth::u16, 3});
    const double stored[2][3] = {{0.4, 0.5, 0.6}, {0.7, 0.5, 0.3}};
    for (int x = 0; x < 2; ++x)
        for (int c = 0; c < 3; ++c) store(two.view(), x, 0, c, stored[x][c] * 65535);
    const Metadata metadata{{}, wide_profile(), {}};
    write_image(path("wide.png"), two.view(), {.metadata = &metadata});
    const std::string mean = " -f custom:size=2x1:weights=1,1:divisor=2 --border replicate";
    ASSERT_EQ(shell("$K filter wide.png linear.png --light linear" + mean), 0) << err_;
    EXPECT_NE(err_.find("\"wide.png\": RGB built-in converted to sRGB"), std::string::npos) << err_;
    ASSERT_EQ(shell("$K batch wide.png out --light linear --json" + mean), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_).at("files").at(0).at("notes").size(), 1U) << out_;
    ASSERT_EQ(shell("$K filter wide.png stored.png" + mean), 0) << err_;
    EXPECT_EQ(err_, "");
    const auto linear = read_image(path("linear.png")), kept = read_image(path("stored.png"));
    EXPECT_TRUE(linear.metadata.icc.empty());
    EXPECT_EQ(kept.metadata.icc, wide_profile());
    for (int c = 0; c < 3; ++c) {
        double light = 0; // mean in Adobe RGB, with sRGB's primaries
        for (int i = 0; i < 3; ++i)
            light += kMatrix[c][i] * (std::pow(stored[0][i], kGamma) + std::pow(stored[1][i], kGamma)) / 2;
        EXPECT_NEAR(sample(linear.pixels.view(), 1, 0, c) / 65535, linear_to_srgb(light), 0.002) << c;
        EXPECT_NEAR(sample(kept.pixels.view(), 1, 0, c) / 65535, (stored[0][c] + stored[1][c]) / 2, 0.0001)
            << c;
    }
    // A profile of four inks does not define red, green and blue.
    const Metadata inks{{}, icc_bytes(cmsCreateInkLimitingDeviceLink(cmsSigCmykData, 300)), {}};
    write_image(path("inks.tif"), two.view(), {.metadata = &inks});
    EXPECT_EQ(shell("$K filter inks.tif out.png --light linear" + mean), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unsupported-profile"}) << err_;
    EXPECT_FALSE(std::filesystem::exists(path("out.png")));
}

TEST(ImageColour, RefusesAProfileThatDoesNotFit) {
    LoadedImage image;
    image.pixels = Image({3, 1}, {Depth::u8, 3});
    image.metadata.icc = "no profile";
    EXPECT_EQ(code_of([&] { convert_to_srgb(image); }), "unsupported-profile");
    image.metadata.icc = icc_bytes(cmsCreateLab4Profile(nullptr));
    EXPECT_EQ(code_of([&] { convert_to_srgb(image); }), "unsupported-profile");
}

} // namespace
} // namespace kg::testing
