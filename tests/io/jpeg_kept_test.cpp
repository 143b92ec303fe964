// Markers of JPEG: kept in the next file, or named as lost.

#include "tests/io/support/kept_metadata.hpp"

#include <cstring>

namespace kg::testing {
namespace {

using namespace std::string_view_literals;

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

} // namespace
} // namespace kg::testing
