// WebP: the header is parsed here (sizes, alpha, metadata), the pixels are decoded by OpenCV.

#include "app/io/codecs/bytes.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"
#include "app/io/metadata/orientation.hpp"
#include "app/io/pixels.hpp"

namespace kg::io {

namespace {

/// RIFF chunks by the "WebP Container Specification"; sizes of the two bitstreams by RFC 6386 and RFC 9649.
Header header(const Source& source) {
    Header header;
    bool alpha = false, pixels = false;
    std::size_t at = 12;
    while (at + 8 <= source.bytes.size()) {
        const auto type = source.bytes.substr(at, 4);
        const std::size_t length = little_endian(source.bytes, at + 4, 4);
        const auto data = source.bytes.substr(at + 8, length);
        if (type == "VP8X") {
            constexpr std::uint32_t kAnimation = 0x02, kAlpha = 0x10;
            const auto flags = little_endian(data, 0, 1);
            if (flags & kAnimation)
                throw Error("animated-image",
                            "it is an animated WebP, which is not supported; save one image of it");
            alpha = flags & kAlpha;
        } else if (type == "VP8 ") {
            header.size = {little_endian(data, 6, 2) & 0x3fff, little_endian(data, 8, 2) & 0x3fff};
            pixels = true;
        } else if (type == "VP8L") {
            const auto bits = little_endian(data, 1, 4);
            header.size = {(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
            alpha = bits >> 28 & 1;
            pixels = true;
        } else if (type == "ALPH") alpha = true;
        else if (type == "ICCP") header.metadata.icc = data;
        else if (type == "XMP ") header.metadata.xmp = data;
        else if (type == "EXIF") header.metadata.exif = data.starts_with("Exif") ? data.substr(6) : data;
        at += 8 + length + length % 2;
    }
    if (!pixels) throw Error("truncated-file", "it ends early");
    header.pixels = alpha ? PixelFormat{Depth::u8, 4, 3} : PixelFormat{Depth::u8, 3};
    header.orientation = orientation_of(header.metadata.exif);
    return header;
}

Decoded decode(const Source& source, const Header& header) {
    constexpr std::size_t kLeast = 32; // OpenCV refuses a shorter file with a line on standard error
    if (source.bytes.size() < kLeast) throw Error("damaged-file", "it is damaged");
    return {opencv_decode(source, header)};
}

void put_chunk(std::string& file, std::string_view type, std::string_view data) {
    file += type;
    put_little_endian(file, static_cast<std::uint32_t>(data.size()), 4);
    file += data;
    if (data.size() % 2) file += '\0';
}

/// Puts the simple file that OpenCV writes into the extended container, which has room for metadata.
std::string with_metadata(const std::string& simple, Extent size, bool alpha, const Metadata& metadata) {
    if (metadata.empty()) return simple;
    constexpr std::uint32_t kIcc = 0x20, kAlpha = 0x10, kExif = 0x08, kXmp = 0x04;
    std::string extended;
    put_little_endian(extended,
                      (metadata.icc.empty() ? 0 : kIcc) | (alpha ? kAlpha : 0) |
                          (metadata.exif.empty() ? 0 : kExif) | (metadata.xmp.empty() ? 0 : kXmp),
                      4);
    put_little_endian(extended, static_cast<std::uint32_t>(size.width - 1), 3);
    put_little_endian(extended, static_cast<std::uint32_t>(size.height - 1), 3);
    std::string chunks = "WEBP";
    put_chunk(chunks, "VP8X", extended);
    if (!metadata.icc.empty()) put_chunk(chunks, "ICCP", metadata.icc);
    chunks += simple.substr(12); // skips "RIFF", size, "WEBP"
    if (!metadata.exif.empty()) put_chunk(chunks, "EXIF", metadata.exif);
    if (!metadata.xmp.empty()) put_chunk(chunks, "XMP ", metadata.xmp);
    std::string file;
    put_chunk(file, "RIFF", chunks);
    return file;
}

Encoded encode(const ConstImageView& image, const EncodeSettings& settings) {
    constexpr std::int64_t kLargestSide = 16383;
    if (image.size.width > kLargestSide || image.size.height > kLargestSide)
        throw Error("too-large-for-format",
                    "WebP holds at most 16383 pixels in width and height; use PNG or TIFF");
    const auto colour = in_colour(image); // WebP has no grey format
    const auto simple = opencv_encode(".webp", colour.view());
    return {with_metadata(simple, image.size, image.format.alpha >= 0, *settings.metadata), {}};
}

} // namespace

extern const Codec kWebpCodec;
const Codec kWebpCodec{"webp", header, decode, encode};

} // namespace kg::io
