// Radiance HDR: decoded here, because OpenCV would copy the file to a temporary one; encoded by OpenCV.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"
#include "app/io/pixels.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace kg::io {

namespace {

/// Throws Error for the old run-length coding, in which a run repeats the previous pixel. Rows in the new
/// coding begin with 2, 2; uncoded rows have four bytes per pixel.
void check_coding(std::string_view bytes, std::size_t end_of_line, Extent size) {
    const auto pixels = bytes.substr(std::min(end_of_line, bytes.size() - 1) + 1);
    if (pixels.starts_with("\2\2") || size.width < 1 || size.height < 1) return;
    if (static_cast<std::int64_t>(pixels.size() / 4) / size.width < size.height)
        throw Error("unsupported-coding",
                    "it ends early, or is in the old run-length coding, which is not supported");
}

Header header(const Source& source) {
    const auto blank = source.bytes.find("\n\n");
    const auto line = blank == std::string_view::npos ? std::string()
                                                      : std::string(source.bytes.substr(blank + 2, 64));
    long long width = 0, height = 0;
    if (line.empty()) throw Error("truncated-file", "it ends early");
    if (std::sscanf(line.c_str(), "-Y %lld +X %lld", &height, &width) != 2)
        throw Error("unsupported-row-order",
                    "its rows do not go from top to bottom and left to right, which is not supported");
    Header header;
    header.size = {width, height};
    header.pixels = {Depth::f32, 3};
    header.stored = Depth::f32;
    header.linear = true;
    if (source.bytes.substr(0, blank).find("FORMAT=32-bit_rle_xyze") != std::string_view::npos)
        throw Error("unsupported-colours", "its colours are XYZ, which is not supported");
    check_coding(source.bytes, source.bytes.find('\n', blank + 2), header.size);
    return header;
}

/// Pixels of four bytes: red, green, blue and their common exponent.
class Pixels {
public:
    explicit Pixels(std::string_view bytes) : bytes_(bytes) {}

    /// `row` has room for four bytes per pixel.
    void read(std::vector<unsigned char>& row) {
        const auto width = row.size() / 4;
        coded_ = coded_ && begins_coded(width);
        if (!coded_) { // and so are all rows after it
            for (auto& byte : row) byte = next();
            return;
        }
        bytes_.remove_prefix(4);
        for (std::size_t channel = 0; channel < 4; ++channel)
            for (std::size_t x = 0; x < width;) {
                constexpr unsigned kRun = 128;
                const unsigned code = next();
                const auto count = code > kRun ? code - kRun : code;
                if (count == 0 || count > width - x) throw damage();
                const unsigned char repeated = code > kRun ? next() : 0;
                for (const auto end = x + count; x < end; ++x)
                    row[4 * x + channel] = code > kRun ? repeated : next();
            }
    }

private:
    static Error damage() {
        return Error("damaged-file", "it is damaged, or in the old run-length coding, which is not read");
    }
    unsigned char next() {
        if (bytes_.empty()) throw damage();
        const auto byte = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        return byte;
    }
    /// True if the row begins with 2, 2 and its width.
    bool begins_coded(std::size_t width) const {
        constexpr std::size_t kLeast = 8, kMost = 32767;
        if (width < kLeast || width > kMost) return false;
        if (bytes_.size() < 4) throw damage();
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes_[i]); };
        if (byte(0) != 2 || byte(1) != 2 || byte(2) > 127) return false;
        if ((std::size_t{byte(2)} << 8 | byte(3)) != width) throw damage();
        return true;
    }

    std::string_view bytes_;
    bool coded_ = true;
};

Decoded decode(const Source& source, const Header& header) {
    const auto blank = source.bytes.find("\n\n");
    if (source.bytes.substr(0, blank).find("\nFORMAT=32-bit_rle_rgbe") == std::string_view::npos)
        throw Error("damaged-file", "it is damaged, or in the old run-length coding, which is not read");
    Pixels pixels(
        source.bytes.substr(std::min(source.bytes.find('\n', blank + 2), source.bytes.size() - 1) + 1));
    Decoded decoded{Image(header.size, header.pixels, source.memory)};
    std::vector<unsigned char> row(4 * static_cast<std::size_t>(header.size.width));
    for (std::int64_t y = 0; y < header.size.height; ++y) {
        pixels.read(row);
        auto* to = decoded.image.view().row<float>(y);
        for (auto from = row.cbegin(); from != row.cend(); from += 4) {
            constexpr int kBias = 128 + 8;
            const float scale = from[3] ? std::ldexp(1.0f, from[3] - kBias) : 0;
            for (int c = 0; c < 3; ++c) *to++ = static_cast<float>(from[c]) * scale;
        }
    }
    return decoded;
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
