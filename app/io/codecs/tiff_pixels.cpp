#include "app/io/codecs/tiff_pixels.hpp"

#include "core/error.hpp"
#include "core/half.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <tiffio.h>

namespace kg::io {

namespace {

using Meaning = TiffLayout::Meaning;

/// Sample i of a row as libtiff gives it: whole bytes in the machine's order, fewer bits from the highest on.
double sample_at(const std::byte* row, std::int64_t i, const TiffLayout& layout) {
    const auto as = [&]<typename T>(T value) {
        std::memcpy(&value, row + static_cast<std::size_t>(i) * sizeof value, sizeof value);
        return value;
    };
    switch (layout.bits) {
    case 8: return as(std::uint8_t{});
    case 16:
        return layout.floats ? static_cast<double>(half_to_float(as(std::uint16_t{}))) : as(std::uint16_t{});
    case 32: return static_cast<double>(as(float{}));
    case 64: return as(double{});
    default: break; // packed
    }
    unsigned value = 0;
    for (auto bit = i * layout.bits; bit < (i + 1) * layout.bits; ++bit)
        value = value << 1 | (std::to_integer<unsigned>(row[bit / 8]) >> (7 - bit % 8) & 1u);
    return value;
}

class Placer {
public:
    Placer(TiffFile& file, const TiffLayout& layout, const ImageView& to)
        : layout_(layout), to_(to), largest_(layout.floats ? 1.0 : std::exp2(layout.bits) - 1),
          white_(layout.floats ? 1.0 : full_scale(to.format)) {
        if (layout.meaning != Meaning::palette) return;
        std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
        file.require(TIFFGetField(file.get(), TIFFTAG_COLORMAP, &red, &green, &blue) == 1);
        const auto colours = std::size_t{1} << layout.bits;
        // The standard's range is 16 bits; some writers meant 8.
        bool wide = false;
        for (const auto* map : {red, green, blue})
            wide |= std::any_of(map, map + colours, [](auto v) { return v > 255; });
        for (std::size_t i = 0; i < colours; ++i)
            for (const auto* map : {red, green, blue})
                palette_.push_back(static_cast<std::uint8_t>(wide ? map[i] >> 8 : map[i]));
    }

    /// A row of a strip or tile that covers [x, x + count) of row y; of one plane where they are apart.
    void place(const std::byte* row, std::int64_t x, std::int64_t y, std::int64_t count, int plane) {
        const int channels = to_.format.channels;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto at = (x + i) * channels;
            switch (layout_.meaning) {
            case Meaning::channels:
                if (layout_.planar) store(y, at + plane, value(row, i, plane));
                else
                    for (int c = 0; c < channels; ++c)
                        store(y, at + c, value(row, i * layout_.samples + c, c));
                break;
            case Meaning::palette:
                for (int c = 0; c < 3; ++c)
                    store(y, at + c,
                          palette_[static_cast<std::size_t>(sample_at(row, i, layout_)) * 3 +
                                   static_cast<std::size_t>(c)]);
                break;
            case Meaning::cmyk: {
                const double paper = 1 - sample_at(row, i * 4 + 3, layout_) / largest_;
                for (int c = 0; c < 3; ++c)
                    store(y, at + c, white_ * paper * (1 - sample_at(row, i * 4 + c, layout_) / largest_));
                break;
            }
            case Meaning::other: break; // comes ready from libtiff
            }
        }
    }

private:
    double value(const std::byte* row, std::int64_t i, int channel) const {
        const auto stored = sample_at(row, i, layout_);
        const bool invert = layout_.inverted && channel != to_.format.alpha;
        if (largest_ == white_) return invert ? white_ - stored : stored;
        return (invert ? largest_ - stored : stored) * white_ / largest_;
    }
    void store(std::int64_t y, std::int64_t i, double v) const {
        if (to_.format.depth == Depth::u8)
            to_.row<std::uint8_t>(y)[i] = static_cast<std::uint8_t>(std::lrint(v));
        else if (to_.format.depth == Depth::u16)
            to_.row<std::uint16_t>(y)[i] = static_cast<std::uint16_t>(std::lrint(v));
        else to_.row<float>(y)[i] = static_cast<float>(v);
    }

    const TiffLayout& layout_;
    ImageView to_;
    double largest_, white_; // of a stored sample and of ours
    std::vector<std::uint8_t> palette_;
};

/// Strips or tiles: both are blocks.
struct Blocks {
    bool tiled;
    std::int64_t width, height;
    std::uint64_t bytes, row_bytes;
};

Blocks blocks_of(const TiffFile& file, const TiffLayout& layout) {
    auto* tiff = file.get();
    if (TIFFIsTiled(tiff))
        return {true, file.number(TIFFTAG_TILEWIDTH), file.number(TIFFTAG_TILELENGTH), TIFFTileSize64(tiff),
                TIFFTileRowSize64(tiff)};
    const auto rows = std::min<std::int64_t>(file.number(TIFFTAG_ROWSPERSTRIP, UINT32_MAX),
                                             layout.size.height);
    return {false, layout.size.width, rows, TIFFStripSize64(tiff), TIFFScanlineSize64(tiff)};
}

/// The usual case needs no arithmetic: whole rows of exactly our samples.
bool is_plain(const TiffLayout& layout, const PixelFormat& format) {
    return layout.meaning == Meaning::channels && !layout.planar && !layout.inverted &&
           layout.samples == format.channels && layout.bits == static_cast<int>(8 * bytes(format.depth)) &&
           layout.floats == (format.depth == Depth::f32);
}

void read_blocks(TiffFile& file, const TiffLayout& layout, const ImageView& to) {
    const auto blocks = blocks_of(file, layout);
    // Tiles may overhang; beyond this the header is not to be believed.
    const auto picture_bytes = static_cast<std::uint64_t>(layout.size.width) *
                               static_cast<std::uint64_t>(layout.size.height) *
                               static_cast<std::uint64_t>(layout.samples) * 8;
    const auto samples = static_cast<std::uint64_t>(layout.planar ? 1 : layout.samples);
    const auto needed =
        (static_cast<std::uint64_t>(blocks.width) * samples * static_cast<std::uint64_t>(layout.bits) + 7) /
        8;
    if (blocks.width < 1 || blocks.height < 1 || blocks.row_bytes < needed ||
        blocks.bytes < blocks.row_bytes * static_cast<std::uint64_t>(blocks.height) ||
        blocks.bytes > picture_bytes + (std::uint64_t{64} << 20))
        throw Error("it is damaged: the sizes in its header contradict each other");
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(blocks.bytes);
    Placer placer(file, layout, to);
    const bool plain = is_plain(layout, to.format);
    const int planes = layout.planar ? to.format.channels : 1;
    std::uint32_t block = 0;
    for (int plane = 0; plane < planes; ++plane)
        for (std::int64_t y = 0; y < layout.size.height; y += blocks.height)
            for (std::int64_t x = 0; x < layout.size.width; x += blocks.width, ++block) {
                const auto rows = std::min(blocks.height, layout.size.height - y);
                const auto columns = std::min(blocks.width, layout.size.width - x);
                const auto wanted = static_cast<tmsize_t>(
                    blocks.tiled ? blocks.bytes : blocks.row_bytes * static_cast<std::uint64_t>(rows));
                const auto got = blocks.tiled ? TIFFReadEncodedTile(file.get(), block, buffer.get(), wanted)
                                              : TIFFReadEncodedStrip(file.get(), block, buffer.get(), wanted);
                file.require(got == wanted);
                for (std::int64_t row = 0; row < rows; ++row) {
                    const auto* from = buffer.get() + static_cast<std::uint64_t>(row) * blocks.row_bytes;
                    if (!plain) placer.place(from, x, y + row, columns, plane);
                    else
                        std::memcpy(to.row<std::byte>(y + row) +
                                        static_cast<std::size_t>(x) * bytes_per_pixel(to.format),
                                    from, static_cast<std::size_t>(columns) * bytes_per_pixel(to.format));
                }
            }
}

/// Closes what libtiff opened for its conversion to RGB.
struct Conversion {
    TIFFRGBAImage image{};
    bool begun = false;
    ~Conversion() {
        if (begun) TIFFRGBAImageEnd(&image);
    }
};

void read_converted(TiffFile& file, const TiffLayout& layout, const ImageView& to) {
    Conversion conversion;
    char reason[1024] = "";
    conversion.begun = TIFFRGBAImageBegin(&conversion.image, file.get(), 1, reason) == 1;
    if (!conversion.begun) throw Error("it is damaged: " + std::string(reason));
    conversion.image.req_orientation = conversion.image.orientation; // turned upright later, as every picture
    const auto pixels = static_cast<std::size_t>(layout.size.width) *
                        static_cast<std::size_t>(layout.size.height);
    const auto raster = std::make_unique_for_overwrite<std::uint32_t[]>(pixels);
    file.require(TIFFRGBAImageGet(&conversion.image, raster.get(),
                                  static_cast<std::uint32_t>(layout.size.width),
                                  static_cast<std::uint32_t>(layout.size.height)) == 1);
    const auto* from = raster.get();
    for (std::int64_t y = 0; y < layout.size.height; ++y) {
        auto* row = to.row<std::uint8_t>(y);
        for (std::int64_t x = 0; x < layout.size.width; ++x, ++from, row += 3) {
            row[0] = static_cast<std::uint8_t>(TIFFGetR(*from));
            row[1] = static_cast<std::uint8_t>(TIFFGetG(*from));
            row[2] = static_cast<std::uint8_t>(TIFFGetB(*from));
        }
    }
}

} // namespace

void read_pixels(TiffFile& file, const TiffLayout& layout, const ImageView& to) {
    if (layout.meaning == Meaning::other) read_converted(file, layout, to);
    else read_blocks(file, layout, to);
}

void write_pixels(TiffFile& file, const ConstImageView& picture, std::int64_t rows) {
    const auto row_bytes = static_cast<std::size_t>(picture.size.width) * bytes_per_pixel(picture.format);
    std::vector<std::byte> strip(row_bytes * static_cast<std::size_t>(std::min(rows, picture.size.height)));
    std::uint32_t number = 0;
    for (std::int64_t y = 0; y < picture.size.height; y += rows, ++number) {
        const auto count = std::min(rows, picture.size.height - y);
        for (std::int64_t row = 0; row < count; ++row)
            std::memcpy(strip.data() + static_cast<std::size_t>(row) * row_bytes,
                        picture.row<std::byte>(y + row), row_bytes);
        const auto bytes = static_cast<tmsize_t>(static_cast<std::size_t>(count) * row_bytes);
        file.require(TIFFWriteEncodedStrip(file.get(), number, strip.data(), bytes) == bytes);
    }
}

} // namespace kg::io
