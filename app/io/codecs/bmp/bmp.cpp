// BMP: the header is parsed here, the pixels are decoded by OpenCV.

#include "app/io/codecs/bytes.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"
#include "app/io/pixels.hpp"

#include <cstdlib>

namespace kg::io {

namespace {

constexpr std::uint32_t kUncompressed = 0, kBitFields = 3;

struct BmpHeader {
    std::uint32_t pixels_at, size, bits, compression, colours;
    std::int64_t width, height; // a negative height means that the first row is the top one
};

BmpHeader parse(std::string_view b) {
    BmpHeader h{};
    h.pixels_at = little_endian(b, 10, 4);
    h.size = little_endian(b, 14, 4);
    if (h.size == 12) { // OS/2 header
        h.width = little_endian(b, 18, 2);
        h.height = little_endian(b, 20, 2);
        h.bits = little_endian(b, 24, 2);
        return h;
    }
    h.width = static_cast<std::int32_t>(little_endian(b, 18, 4));
    h.height = static_cast<std::int32_t>(little_endian(b, 22, 4));
    h.bits = little_endian(b, 28, 2);
    h.compression = little_endian(b, 30, 4);
    h.colours = little_endian(b, 46, 4);
    return h;
}

/// Throws Error for headers that OpenCV refuses with a line on standard error.
void check(std::string_view b, const BmpHeader& h) {
    constexpr std::uint32_t kMostColours = 256;
    if (h.bits != 1 && h.bits != 4 && h.bits != 8 && h.bits != 16 && h.bits != 24 && h.bits != 32)
        throw Error("damaged-file", "it is damaged: a BMP of {} bits a pixel", h.bits);
    const bool has_table = h.bits <= 8;
    if (h.compression > kBitFields || h.size == 0 || h.size > INT32_MAX ||
        (has_table && h.colours > kMostColours))
        throw Error("damaged-file", "it is damaged");
    const std::size_t colours = !has_table ? 0 : h.colours ? h.colours : 1u << h.bits;
    if (b.size() < std::size_t{14} + h.size + colours * (h.size == 12 ? 3 : 4))
        throw Error("truncated-file", "it ends early");
}

bool palette_is_grey(std::string_view b, const BmpHeader& h) {
    const std::uint32_t entry = h.size == 12 ? 3 : 4, most = 1u << h.bits;
    const auto colours = h.colours && h.colours < most ? h.colours : most;
    for (std::uint32_t i = 0; i < colours; ++i) {
        const auto at = std::size_t{14} + h.size + std::size_t{i} * entry;
        if (at + 3 > h.pixels_at) break;
        const auto blue = little_endian(b, at, 1);
        if (blue != little_endian(b, at + 1, 1) || blue != little_endian(b, at + 2, 1)) return false;
    }
    return true;
}

Header header(const Source& source) {
    const auto bmp = parse(source.bytes);
    check(source.bytes, bmp);
    Header header;
    header.size = {bmp.width, std::abs(bmp.height)};
    if (bmp.compression == kUncompressed || bmp.compression == kBitFields) {
        const auto pixels = static_cast<std::int64_t>(source.bytes.size()) - bmp.pixels_at;
        const bool ends_early = bmp.width > 0 && (bmp.width * bmp.bits + 31) / 32 * 4 >
                                                     pixels / std::max<std::int64_t>(1, header.size.height);
        if (ends_early) throw Error("truncated-file", "it ends early");
    }
    const bool grey = bmp.bits <= 8 && palette_is_grey(source.bytes, bmp);
    const bool alpha = bmp.bits == 32 && bmp.compression == kBitFields && bmp.size >= 56 &&
                       little_endian(source.bytes, 66, 4) != 0; // alpha mask
    header.pixels = alpha ? PixelFormat{Depth::u8, 4, 3} : PixelFormat{Depth::u8, grey ? 1 : 3};
    if (bmp.bits <= 8 && !grey) header.original = "palette";
    if (bmp.bits == 16) header.original = "5-bit samples";
    return header;
}

Decoded decode(const Source& source, const Header& header) { return {opencv_decode(source, header)}; }

/// Encodes an image with alpha. OpenCV does not write the alpha mask, without which readers ignore alpha.
std::string encode_alpha(const ConstImageView& image) {
    constexpr std::uint32_t kHeader = 108, kPixelsAt = 14 + kHeader, kSrgb = 0x73524742;
    const auto width = static_cast<std::uint32_t>(image.size.width);
    const auto height = static_cast<std::uint32_t>(image.size.height);
    std::string file = "BM";
    for (const auto value :
         {kPixelsAt + 4 * width * height, 0u, kPixelsAt, kHeader, width, height, 1u | 32u << 16, kBitFields,
          4 * width * height, 0u, 0u, 0u, 0u, 0x00ff0000u, 0x0000ff00u, 0x000000ffu, 0xff000000u, kSrgb})
        put_little_endian(file, value, 4);
    file.resize(kPixelsAt); // end points and gammas, which sRGB does not use
    for (auto y = image.size.height; y-- > 0;) {
        const auto* pixel = image.row<char>(y);
        for (std::uint32_t x = 0; x < width; ++x, pixel += 4)
            file.append({pixel[2], pixel[1], pixel[0], pixel[3]});
    }
    return file;
}

Encoded encode(const ConstImageView& image, const EncodeSettings&) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;
    if (image.size.width > kMostBytes / 4 / image.size.height)
        throw Error("too-large-for-format", "a BMP file holds at most 2 GB; use PNG or TIFF");
    if (image.format.alpha < 0) return {opencv_encode(".bmp", image), {}};
    const auto colour = in_colour(image);
    return {encode_alpha(colour.view()), {}};
}

} // namespace

extern const Codec kBmpCodec;
const Codec kBmpCodec{"bmp", header, decode, encode};

} // namespace kg::io
