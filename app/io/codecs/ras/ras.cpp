// Sun raster: the header is parsed here, the pixels are decoded by OpenCV.

#include "app/io/codecs/bytes.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"

#include <algorithm>

namespace kg::io {

namespace {

constexpr std::size_t kHeader = 32, kTable = 768;

/// The colours of the table are stored one channel after the other.
bool table_is_grey(std::string_view table) {
    constexpr std::size_t kEntries = kTable / 3;
    return table.substr(0, kEntries) == table.substr(kEntries, kEntries) &&
           table.substr(0, kEntries) == table.substr(2 * kEntries, kEntries);
}

Header header(const Source& source) {
    const auto word = [&](std::size_t number) { return big_endian(source.bytes, 4 * number, 4); };
    const auto bits = word(3), coding = word(5), kind_of_table = word(6), table = word(7);
    if (bits != 8 && bits != 24 && bits != 32)
        throw Error("unsupported-depth", "it has {} bits a pixel, which is not supported", bits);
    if (coding > 1) throw Error("unsupported-coding", "its coding is not supported (type {})", coding);
    const bool has_table = kind_of_table == 1 && table == kTable && bits == 8;
    if (!has_table && (kind_of_table != 0 || table != 0))
        throw Error("unsupported-colours", "its colour table is not supported (type {}, {} bytes)",
                    kind_of_table, table);
    Header header;
    header.size = {word(1), word(2)};
    const auto row = (header.size.width * bits + 15) / 16 * 2; // whole words of 16 bits
    if (source.bytes.size() < kHeader + table ||
        static_cast<std::int64_t>(source.bytes.size() - kHeader - table) / std::max<std::int64_t>(1, row) <
            header.size.height)
        throw Error("truncated-file", "it ends early");
    const bool grey = bits == 8 && (!has_table || table_is_grey(source.bytes.substr(kHeader, kTable)));
    header.pixels = {Depth::u8, grey ? 1 : 3};
    if (bits == 8 && !grey) header.original = "palette";
    return header;
}

Decoded decode(const Source& source, const Header& header) {
    require_opencv_reader(".ras", "Sun raster");
    // Asked for grey, OpenCV 4.6 returns black.
    return {opencv_decode(source, header, {.in_colour = true})};
}

} // namespace

extern const Codec kRasCodec;
const Codec kRasCodec{"ras", header, decode};

} // namespace kg::io
