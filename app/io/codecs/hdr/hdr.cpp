// Radiance HDR: the header is parsed here, the pixels are decoded by OpenCV.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"
#include "app/io/pixels.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cstdio>

namespace kg::io {

namespace {

/// Throws Error for the old run-length coding, in which a run repeats the previous pixel. Rows in the new
/// coding begin with 2, 2; uncoded rows have four bytes per pixel.
void check_coding(std::string_view bytes, std::size_t end_of_line, Extent size) {
    const auto pixels = bytes.substr(std::min(end_of_line, bytes.size() - 1) + 1);
    if (pixels.starts_with("\2\2") || size.width < 1 || size.height < 1) return;
    if (static_cast<std::int64_t>(pixels.size() / 4) / size.width < size.height)
        throw Error("it ends early, or is in the old run-length coding, which is not supported");
}

Header header(const Source& source) {
    const auto blank = source.bytes.find("\n\n");
    const auto line = blank == std::string_view::npos ? std::string()
                                                      : std::string(source.bytes.substr(blank + 2, 64));
    long long width = 0, height = 0;
    if (std::sscanf(line.c_str(), "-Y %lld +X %lld", &height, &width) != 2)
        throw Error(line.empty()
                        ? "it ends early"
                        : "its rows do not go from top to bottom and left to right, which is not supported");
    Header header;
    header.size = {width, height};
    header.pixels = {Depth::f32, 3};
    header.stored = Depth::f32;
    header.linear = true;
    if (source.bytes.substr(0, blank).find("FORMAT=32-bit_rle_xyze") != std::string_view::npos)
        throw Error("its colours are XYZ, which is not supported");
    check_coding(source.bytes, source.bytes.find('\n', blank + 2), header.size);
    return header;
}

Decoded decode(const Source& source, const Header& header) {
    try {
        return {opencv_decode(source, header)};
    } catch (const Error&) { // OpenCV's reason is the same for both
        throw Error("it is damaged, or in the old run-length coding, which is not read");
    }
}

Encoded encode(const ConstImageView& image, const EncodeSettings&) {
    Encoded encoded;
    auto colour = in_colour(image);
    std::int64_t impossible = 0;
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        auto* row = colour.view().row<float>(y);
        for (std::int64_t i = 0; i < image.size.width * 3; ++i) {
            if (row[i] >= 0 && row[i] <= 1e38f) continue;
            row[i] = row[i] > 0 ? 1e38f : 0;
            ++impossible;
        }
    }
    if (impossible)
        encoded.notes.push_back("Radiance HDR holds nothing below 0 and nothing infinite: " +
                                std::to_string(impossible) + " samples changed");
    encoded.bytes = opencv_encode(".hdr", colour.view());
    return encoded;
}

} // namespace

extern const Codec kHdrCodec;
const Codec kHdrCodec{"hdr", header, decode, encode};

} // namespace kg::io
