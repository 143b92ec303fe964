// GIF: the blocks are parsed here, the pixels of the first image are decoded by OpenCV.

#include "app/io/codecs/bytes.hpp"
#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/opencv/opencv.hpp"

namespace kg::io {

namespace {

/// The blocks of the GIF89a specification.
class Blocks {
public:
    explicit Blocks(std::string_view bytes) : bytes_(bytes) {}

    std::uint32_t number(std::size_t count) {
        at_ += count;
        return little_endian(bytes_, at_ - count, count);
    }
    void skip(std::size_t count) { at_ += count; }
    /// The bits of a screen or an image declare a table of colours.
    void skip_table(std::uint32_t flags) {
        if (flags & 0x80) skip(std::size_t{3} << ((flags & 7) + 1));
    }
    /// Returns the first byte of the data; 0 if there is none.
    std::uint32_t skip_data() {
        std::uint32_t first = 0;
        for (bool is_first = true;; is_first = false) {
            const auto length = number(1);
            if (length == 0) return first;
            if (is_first) first = little_endian(bytes_, at_, 1);
            skip(length);
        }
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 6; // after GIF89a
};

Header header(const Source& source) {
    constexpr std::uint32_t kExtension = 0x21, kImage = 0x2c, kEnd = 0x3b, kGraphicControl = 0xf9;
    Blocks blocks(source.bytes);
    Header header;
    header.size.width = blocks.number(2);
    header.size.height = blocks.number(2);
    const auto screen = blocks.number(1);
    blocks.skip(2); // background and aspect ratio
    blocks.skip_table(screen);
    int images = 0;
    bool transparent = false, covered = true;
    for (auto block = blocks.number(1); block != kEnd; block = blocks.number(1)) {
        if (block == kExtension) {
            const bool is_control = blocks.number(1) == kGraphicControl;
            const auto flags = blocks.skip_data();
            if (is_control && images == 0) transparent = flags & 1;
            continue;
        }
        if (block != kImage) throw Error("damaged-file", "it is damaged: the kind of a block");
        const std::int64_t left = blocks.number(2), top = blocks.number(2);
        const std::int64_t width = blocks.number(2), height = blocks.number(2);
        if (left + width > header.size.width || top + height > header.size.height)
            throw Error("damaged-file", "it is damaged: the sizes in its header contradict each other");
        if (images == 0) covered = width == header.size.width && height == header.size.height;
        blocks.skip_table(blocks.number(1));
        blocks.skip(1); // size of the codes
        blocks.skip_data();
        ++images;
    }
    if (images == 0) throw Error("damaged-file", "it is damaged: it has no image");
    if (images > 1) header.notes.emplace_back("several images: the first only");
    header.pixels = transparent || !covered ? PixelFormat{Depth::u8, 4, 3} : PixelFormat{Depth::u8, 3};
    header.original = "palette";
    return header;
}

Decoded decode(const Source& source, const Header& header) {
    require_opencv_reader(".gif", "GIF");
    return {opencv_decode(source, header, {})};
}

} // namespace

extern const Codec kGifCodec;
const Codec kGifCodec{"gif", header, decode};

} // namespace kg::io
