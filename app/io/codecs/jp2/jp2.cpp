// JPEG 2000, as a JP2 file or a bare codestream: the header is parsed here, the pixels are decoded by OpenCV.

#include "app/io/codecs/boxes.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"

namespace kg::io {

namespace {

constexpr std::string_view kCodestream = "\xff\x4f\xff\x51";
constexpr auto kUnmarkedAlpha = "its last channel is not marked and taken as alpha";

struct Jp2 {
    Header header;
    int bits = 8; ///< bits of a sample
};

/// The SIZ marker, ISO/IEC 15444-1 A.5.1.
Jp2 parse_codestream(std::string_view codestream) {
    constexpr std::size_t kComponents = 40, kPerComponent = 3;
    if (!codestream.starts_with(kCodestream))
        throw Error("damaged-file", "it is damaged: its codestream does not begin with its size");
    const auto number = [&](std::size_t at, std::size_t count) { return big_endian(codestream, at, count); };
    Jp2 jp2;
    auto& [header, bits] = jp2;
    header.size = {std::int64_t{number(8, 4)} - number(16, 4), std::int64_t{number(12, 4)} - number(20, 4)};
    const auto components = number(kComponents, 2);
    if (components != 1 && components != 3 && components != 4)
        throw Error("unsupported-channels", "it has {} components, which is not supported", components);
    bits = static_cast<int>(number(kComponents + 2, 1) & 0x7f) + 1;
    for (std::size_t i = 0; i < components; ++i) {
        const auto at = kComponents + 2 + i * kPerComponent;
        const auto kind = number(at, 1);
        if (kind & 0x80)
            throw Error("unsupported-depth", "its samples are signed integers, which are not supported");
        if (static_cast<int>(kind) + 1 != bits || bits > 16)
            throw Error("unsupported-depth",
                        "its samples have more than 16 bits, or different ones, which is not supported");
        if (number(at + 1, 2) != 0x0101)
            throw Error("subsampled-channel",
                        "a component is stored at a lower resolution, which is not supported");
    }
    header.stored = bits > 8 ? Depth::u16 : Depth::u8;
    header.pixels = {header.stored, static_cast<int>(components), components == 4 ? 3 : -1};
    if (bits != 8 && bits != 16) header.original = std::to_string(bits) + "-bit samples";
    return jp2;
}

/// The colour specification box, I.5.3.3.
void read_colours(std::string_view box, Header& header) {
    constexpr std::size_t kValue = 3, kIccSpace = 16;
    constexpr std::uint32_t kEnumerated = 1, kIcc = 2, kSrgb = 16, kGrey = 17;
    const bool grey = header.pixels.channels == 1;
    const auto method = big_endian(box, 0, 1);
    if (method == kEnumerated && big_endian(box, kValue, 4) != (grey ? kGrey : kSrgb))
        throw Error("unsupported-colours", "its colours are not {} but of number {}, which is not supported",
                    grey ? "grey" : "sRGB", big_endian(box, kValue, 4));
    if (method != kIcc) return;
    big_endian(box, kValue + kIccSpace, 4); // is there
    header.metadata.icc = box.substr(kValue);
    if (box.substr(kValue + kIccSpace, 4) != (grey ? "GRAY" : "RGB "))
        throw Error("unsupported-colours", "its colour profile is not of {}, which is not supported",
                    grey ? "grey" : "RGB");
}

/// The channel definition box, I.5.3.6: which channel is alpha.
void read_channels(std::string_view box, Header& header) {
    constexpr std::size_t kEntry = 6;
    constexpr std::uint32_t kOpacity = 1, kPremultiplied = 2;
    for (std::size_t i = 0, count = big_endian(box, 0, 2); i < count; ++i) {
        const auto at = 2 + i * kEntry;
        const auto channel = static_cast<int>(big_endian(box, at, 2));
        const auto kind = big_endian(box, at + 2, 2);
        if ((kind != 0) != (channel == header.pixels.alpha) || kind > kPremultiplied)
            throw Error("unsupported-channels", "its channel {} is of type {}, which is not supported",
                        channel, kind);
        if (kind >= kOpacity) header.pixels.premultiplied = kind == kPremultiplied;
    }
}

Jp2 parse_boxes(std::string_view bytes) {
    std::string_view described, codestream;
    for (const auto& box : boxes_of(bytes)) {
        if (box.type == "jp2h" && described.empty()) described = box.data;
        if (box.type == "jp2c" && codestream.empty()) codestream = box.data;
    }
    if (described.empty() || codestream.empty()) throw Error("truncated-file", "it ends early");
    auto jp2 = parse_codestream(codestream);
    auto& header = jp2.header;
    bool has_colours = false, has_channels = false;
    for (const auto& box : boxes_of(described)) {
        if (box.type == "ihdr" && (big_endian(box.data, 0, 4) != header.size.height ||
                                   big_endian(box.data, 4, 4) != header.size.width ||
                                   static_cast<int>(big_endian(box.data, 8, 2)) != header.pixels.channels))
            throw Error("damaged-file", "it is damaged: the sizes in its header contradict each other");
        if (box.type == "pclr")
            throw Error("unsupported-colours", "its colours are a palette, which is not supported");
        if (box.type == "colr" && !has_colours) read_colours(box.data, header), has_colours = true;
        if (box.type == "cdef") read_channels(box.data, header), has_channels = true;
    }
    if (header.pixels.alpha >= 0 && !has_channels) header.notes.emplace_back(kUnmarkedAlpha);
    return jp2;
}

Jp2 parse(std::string_view bytes) {
    if (!bytes.starts_with(kCodestream)) return parse_boxes(bytes);
    auto jp2 = parse_codestream(bytes);
    jp2.header.title = "JPEG 2000 codestream";
    if (jp2.header.pixels.alpha >= 0) jp2.header.notes.emplace_back(kUnmarkedAlpha);
    return jp2;
}

Header header(const Source& source) { return parse(source.bytes).header; }

Decoded decode(const Source& source, const Header& header) {
    require_opencv_reader(".jp2", "JPEG 2000");
    return {opencv_decode(source, header, {.bits = parse(source.bytes).bits})};
}

} // namespace

extern const Codec kJp2Codec;
const Codec kJp2Codec{"jp2", header, decode};

} // namespace kg::io
