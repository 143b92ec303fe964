#include "app/io/codecs/tiff/tiff_pixels.hpp"

#include "core/image/half.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <tiffio.h>

namespace kg::io {

namespace {

using Meaning = TiffLayout::Meaning;

/// Sample i of a row from libtiff: whole bytes in the machine's order, fewer bits from the highest bit on.
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
    default: break; // less than a byte
    }
    unsigned value = 0;
    for (auto bit = i * layout.bits; bit < (i + 1) * layout.bits; ++bit)
        value = value << 1 | (std::to_integer<unsigned>(row[bit / 8]) >> (7 - bit % 8) & 1u);
    return value;
}

} // namespace

class TiffPixels::Placer {
public:
    Placer(TiffFile& file, const TiffLayout& layout, const PixelFormat& format)
        : layout_(layout), format_(format), largest_(layout.floats ? 1.0 : std::exp2(layout.bits) - 1),
          white_(layout.floats ? 1.0 : full_scale(format)) {
        if (layout.meaning != Meaning::palette) return;
        std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
        file.require(TIFFGetField(file.get(), TIFFTAG_COLORMAP, &red, &green, &blue) == 1);
        const auto colours = std::size_t{1} << layout.bits;
        // The standard defines 16 bits; some writers use 8.
        bool wide = false;
        for (const auto* map : {red, green, blue})
            wide |= std::any_of(map, map + colours, [](auto v) { return v > 255; });
        for (std::size_t i = 0; i < colours; ++i)
            for (const auto* map : {red, green, blue})
                palette_.push_back(static_cast<std::uint8_t>(wide ? map[i] >> 8 : map[i]));
    }

    /// Places a row of a strip or tile, which covers [x, x + count) of row y of `to`. `plane` is the one it
    /// belongs to in planar files.
    void place(const std::byte* row, std::int64_t x, std::int64_t count, int plane, const ImageView& to,
               std::int64_t y) const {
        const int channels = format_.channels;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto at = (x + i) * channels;
            switch (layout_.meaning) {
            case Meaning::channels:
                if (layout_.planar) store(to, y, at + plane, value(row, i, plane));
                else
                    for (int c = 0; c < channels; ++c)
                        store(to, y, at + c, value(row, i * layout_.samples + c, c));
                break;
            case Meaning::palette:
                for (int c = 0; c < 3; ++c)
                    store(to, y, at + c,
                          palette_[static_cast<std::size_t>(sample_at(row, i, layout_)) * 3 +
                                   static_cast<std::size_t>(c)]);
                break;
            case Meaning::cmyk: {
                const double paper = 1 - sample_at(row, i * 4 + 3, layout_) / largest_;
                for (int c = 0; c < 3; ++c)
                    store(to, y, at + c,
                          white_ * paper * (1 - sample_at(row, i * 4 + c, layout_) / largest_));
                break;
            }
            case Meaning::other: break; // libtiff has converted it
            }
        }
    }

private:
    double value(const std::byte* row, std::int64_t i, int channel) const {
        const auto stored = sample_at(row, i, layout_);
        const bool invert = layout_.inverted && channel != format_.alpha;
        if (largest_ == white_) return invert ? white_ - stored : stored;
        return (invert ? largest_ - stored : stored) * white_ / largest_;
    }
    static void store(const ImageView& to, std::int64_t y, std::int64_t i, double v) {
        if (to.format.depth == Depth::u8)
            to.row<std::uint8_t>(y)[i] = static_cast<std::uint8_t>(std::lrint(v));
        else if (to.format.depth == Depth::u16)
            to.row<std::uint16_t>(y)[i] = static_cast<std::uint16_t>(std::lrint(v));
        else to.row<float>(y)[i] = static_cast<float>(v);
    }

    const TiffLayout& layout_;
    const PixelFormat format_;
    double largest_, white_; // largest stored sample, and white of the result
    std::vector<std::uint8_t> palette_;
};

/// Strips or tiles, as blocks.
struct TiffPixels::Blocks {
    bool tiled;
    std::int64_t width, height;
    std::uint64_t bytes, row_bytes;

    static Blocks of(const TiffFile& file, const TiffLayout& layout);
};

TiffPixels::Blocks TiffPixels::Blocks::of(const TiffFile& file, const TiffLayout& layout) {
    auto* tiff = file.get();
    if (TIFFIsTiled(tiff))
        return {true, file.number(TIFFTAG_TILEWIDTH), file.number(TIFFTAG_TILELENGTH), TIFFTileSize64(tiff),
                TIFFTileRowSize64(tiff)};
    const auto rows = std::min<std::int64_t>(file.number(TIFFTAG_ROWSPERSTRIP, UINT32_MAX),
                                             layout.size.height);
    return {false, layout.size.width, rows, TIFFStripSize64(tiff), TIFFScanlineSize64(tiff)};
}

namespace {

/// The common case, which copies whole rows: samples of the file are those of the result.
bool is_plain(const TiffLayout& layout, const PixelFormat& format) {
    return layout.meaning == Meaning::channels && !layout.planar && !layout.inverted &&
           layout.samples == format.channels && layout.bits == static_cast<int>(8 * bytes(format.depth)) &&
           layout.floats == (format.depth == Depth::f32);
}

} // namespace

TiffPixels::TiffPixels(TiffFile& file, const TiffLayout& layout, const PixelFormat& format, bool sparing)
    : file_(file), layout_(layout), format_(format),
      blocks_(std::make_unique<Blocks>(Blocks::of(file, layout))) {
    constexpr std::uint64_t kLongStrip = std::uint64_t{1} << 20;
    const auto& blocks = *blocks_;
    // Tiles may overhang; sizes beyond this limit contradict the header.
    const auto image_bytes = static_cast<std::uint64_t>(layout.size.width) *
                             static_cast<std::uint64_t>(layout.size.height) *
                             static_cast<std::uint64_t>(layout.samples) * 8;
    const auto samples = static_cast<std::uint64_t>(layout.planar ? 1 : layout.samples);
    const auto needed =
        (static_cast<std::uint64_t>(blocks.width) * samples * static_cast<std::uint64_t>(layout.bits) + 7) /
        8;
    if (blocks.width < 1 || blocks.height < 1 || blocks.row_bytes < needed ||
        blocks.bytes < blocks.row_bytes * static_cast<std::uint64_t>(blocks.height) ||
        blocks.bytes > image_bytes + (std::uint64_t{64} << 20))
        throw Error("damaged-file", "it is damaged: the sizes in its header contradict each other");
    by_lines_ = sparing && !blocks.tiled && !layout.planar && blocks.bytes > kLongStrip;
    if (!is_plain(layout, format)) placer_ = std::make_unique<Placer>(file, layout_, format);
}

TiffPixels::~TiffPixels() = default;

std::size_t TiffPixels::memory() const {
    const auto row = static_cast<std::size_t>(layout_.size.width) * bytes_per_pixel(format_);
    if (by_lines_) return 2 * blocks_->row_bytes; // libtiff holds about as much of the compressed data
    return 2 * blocks_->bytes + row * static_cast<std::size_t>(blocks_->height);
}

void TiffPixels::read(const ImageView& rows) {
    if (!buffer_) // allocated late, because the caller may refuse the size of the image
        buffer_ = std::make_unique_for_overwrite<std::byte[]>(by_lines_ ? blocks_->row_bytes
                                                                        : blocks_->bytes);
    for (std::int64_t filled = 0; filled < rows.size.height;) {
        const auto wanted = rows.size.height - filled;
        const auto to = rows.crop({0, filled, rows.size.width, wanted});
        std::int64_t got = 0;
        if (by_lines_) {
            read_line(to);
            got = 1;
        } else if (next_ < left_rows_.bottom()) {
            got = std::min(wanted, left_rows_.bottom() - next_);
            for (std::int64_t y = 0; y < got; ++y)
                std::memcpy(to.row<std::byte>(y), left_.view().row<std::byte>(next_ - left_rows_.y + y),
                            static_cast<std::size_t>(rows.size.width) * bytes_per_pixel(format_));
        } else {
            const auto height = std::min(blocks_->height, layout_.size.height - next_);
            const Extent size{layout_.size.width, height};
            if (wanted >= height) {
                read_blocks(to.crop(whole(size)));
                got = height;
            } else {
                if (left_.empty()) left_ = Image({size.width, blocks_->height}, format_);
                left_rows_ = {0, next_, size.width, height};
                read_blocks(left_.view().crop(whole(size)));
            }
        }
        filled += got;
        next_ += got;
    }
}

/// Reads the rows of the blocks from next_ on.
void TiffPixels::read_blocks(const ImageView& rows) {
    const auto& blocks = *blocks_;
    const int planes = layout_.planar ? format_.channels : 1;
    const auto across = (layout_.size.width + blocks.width - 1) / blocks.width,
               down = (layout_.size.height + blocks.height - 1) / blocks.height;
    const auto wanted = static_cast<tmsize_t>(
        blocks.tiled ? blocks.bytes : blocks.row_bytes * static_cast<std::uint64_t>(rows.size.height));
    for (int plane = 0; plane < planes; ++plane)
        for (std::int64_t i = 0; i < across; ++i) {
            const auto number = static_cast<std::uint32_t>((plane * down + next_ / blocks.height) * across +
                                                           i);
            const auto got = blocks.tiled ? TIFFReadEncodedTile(file_.get(), number, buffer_.get(), wanted)
                                          : TIFFReadEncodedStrip(file_.get(), number, buffer_.get(), wanted);
            file_.require(got == wanted);
            const auto x = i * blocks.width;
            const auto columns = std::min(blocks.width, layout_.size.width - x);
            for (std::int64_t y = 0; y < rows.size.height; ++y)
                place(buffer_.get() + static_cast<std::uint64_t>(y) * blocks.row_bytes, x, columns, plane,
                      rows, y);
        }
}

void TiffPixels::read_line(const ImageView& row) {
    file_.require(TIFFReadScanline(file_.get(), buffer_.get(), static_cast<std::uint32_t>(next_)) == 1);
    place(buffer_.get(), 0, layout_.size.width, 0, row, 0);
}

void TiffPixels::place(const std::byte* from, std::int64_t x, std::int64_t count, int plane,
                       const ImageView& rows, std::int64_t y) const {
    if (placer_) return placer_->place(from, x, count, plane, rows, y);
    std::memcpy(rows.row<std::byte>(y) + static_cast<std::size_t>(x) * bytes_per_pixel(format_), from,
                static_cast<std::size_t>(count) * bytes_per_pixel(format_));
}

namespace {

/// Closes libtiff's state for the conversion to RGB.
struct Conversion {
    TIFFRGBAImage image{};
    bool begun = false;
    ~Conversion() {
        if (begun) TIFFRGBAImageEnd(&image);
    }
};

} // namespace

void read_converted(TiffFile& file, const TiffLayout& layout, const ImageView& to) {
    Conversion conversion;
    char reason[1024] = "";
    conversion.begun = TIFFRGBAImageBegin(&conversion.image, file.get(), 1, reason) == 1;
    if (!conversion.begun) throw Error("damaged-file", "it is damaged: {}", reason);
    // the orientation is applied later, as for every image
    conversion.image.req_orientation = conversion.image.orientation;
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

} // namespace kg::io
