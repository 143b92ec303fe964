// PNG through libpng, the reader: OpenCV drops colour keys, expands grey with alpha to four channels, prints
// on stderr and does not limit compressed text. png_chunks.cpp reads the chunks that are not pixels.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/png/png_chunks.hpp"
#include "app/io/codecs/png/png_library.hpp"
#include "app/io/codecs/png/png_writer.hpp"
#include "app/io/metadata/orientation.hpp"

#include <new>
#include <utility>
#include <vector>

namespace kg::io {

namespace {

void ignore_warning(png_structp, png_const_charp) {} // about chunks that do not affect the pixels

class Reader {
public:
    explicit Reader(const ByteSource& bytes) : bytes_(bytes) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, on_png_error, ignore_warning);
        if (png_) info_ = png_create_info_struct(png_);
        if (!info_) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
        png_set_read_fn(png_, this, read);
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // check_size() enforces the limit
    }
    Reader(Reader&&) = delete;
    ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }

    /// Reads up to the first pixel.
    void read_info() {
        guarded(png_, failure_, [this] { png_read_info(png_, info_); });
    }
    /// Enables the expansion of palettes, colour keys and samples of less than 8 bits. libpng allocates two
    /// expanded rows here, so the width must have been checked.
    void begin_pixels(std::size_t row_bytes) {
        guarded(png_, failure_, [this, row_bytes] {
            png_set_expand(png_);
            if (stored_bits() == 16) png_set_swap(png_);
            png_set_interlace_handling(png_);
            png_read_update_info(png_, info_);
            if (png_get_rowbytes(png_, info_) != row_bytes) png_error(png_, "its rows have another length");
        });
    }
    /// Reads all rows, in as many passes as the file has.
    void read_image(png_bytepp rows) {
        guarded(png_, failure_, [this, rows] { png_read_image(png_, rows); });
    }
    void read_rows(const ImageView& rows) {
        guarded(png_, failure_, [this, &rows] {
            for (std::int64_t y = 0; y < rows.size.height; ++y)
                png_read_row(png_, rows.row<png_byte>(y), nullptr);
        });
    }
    void read_end() {
        guarded(png_, failure_, [this] { png_read_end(png_, nullptr); });
    }
    bool interlaced() const { return png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE; }
    png_structp png() const { return png_; }
    png_infop info() const { return info_; }
    int stored_type() const { return png_get_color_type(png_, info_); }
    int stored_bits() const { return png_get_bit_depth(png_, info_); }
    /// Channels of the expanded pixels.
    int channels() const {
        const bool alpha = stored_type() & PNG_COLOR_MASK_ALPHA || png_get_valid(png_, info_, PNG_INFO_tRNS);
        return (stored_type() & PNG_COLOR_MASK_COLOR ? 3 : 1) + (alpha ? 1 : 0);
    }

private:
    static void read(png_structp png, png_bytep to, std::size_t count) {
        auto& self = *static_cast<Reader*>(png_get_io_ptr(png));
        std::size_t got = 0;
        called(png, self.failure_,
               [&] { got = self.bytes_.read(self.at_, reinterpret_cast<char*>(to), count); });
        if (got < count) png_error(png, "it ends early");
        self.at_ += count;
    }

    const ByteSource& bytes_;
    std::uint64_t at_ = 0;
    PngFailure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

std::string profile_of(const Reader& reader) {
    png_charp name = nullptr;
    png_bytep icc = nullptr;
    png_uint_32 size = 0;
    int compression = 0;
    if (png_get_iCCP(reader.png(), reader.info(), &name, &compression, &icc, &size) != PNG_INFO_iCCP)
        return {};
    return {reinterpret_cast<const char*>(icc), size};
}

struct OpenedPng {
    Header header;
    std::string damage; ///< damage of chunks beside the pixels
};

OpenedPng open(const Reader& reader, const ByteSource& bytes) {
    OpenedPng opened;
    auto& header = opened.header;
    header.size = {png_get_image_width(reader.png(), reader.info()),
                   png_get_image_height(reader.png(), reader.info())};
    const int channels = reader.channels();
    const auto depth = reader.stored_bits() == 16 ? Depth::u16 : Depth::u8;
    header.pixels = {depth, channels, channels % 2 == 0 ? channels - 1 : -1};
    header.stored = depth;
    const bool palette = reader.stored_type() == PNG_COLOR_TYPE_PALETTE;
    if (palette) header.original = "palette";
    else if (reader.stored_bits() < 8)
        header.original = std::to_string(reader.stored_bits()) + "-bit samples";
    else if (!(reader.stored_type() & PNG_COLOR_MASK_ALPHA) && channels % 2 == 0)
        header.original = "colour key";
    auto chunks = read_png_chunks(bytes);
    opened.damage = std::move(chunks.damage);
    header.metadata = std::move(chunks.metadata);
    header.metadata.icc = profile_of(reader);
    header.orientation = orientation_of(header.metadata.exif);
    if (chunks.animated) header.notes.push_back("animated: the still image only");
    if (!chunks.not_kept.empty()) header.notes.push_back(chunks.not_kept);
    return opened;
}

Header header(const Source& source) {
    const MemoryBytes bytes(source.bytes);
    Reader reader(bytes);
    reader.read_info();
    return open(reader, bytes).header;
}

std::size_t row_bytes(const Header& header) {
    return static_cast<std::size_t>(header.size.width) * bytes_per_pixel(header.pixels);
}

Decoded decode(const Source& source, const Header& header) {
    const MemoryBytes bytes(source.bytes);
    Reader reader(bytes);
    reader.read_info();
    Decoded decoded{Image(header.size, header.pixels, source.memory)};
    reader.begin_pixels(row_bytes(header));
    std::vector<png_bytep> rows;
    for (std::int64_t y = 0; y < header.size.height; ++y)
        rows.push_back(decoded.image.view().row<png_byte>(y));
    reader.read_image(rows.data());
    reader.read_end();
    decoded.damage = read_png_chunks(bytes).damage;
    return decoded;
}

class PngRows final : public RowReader {
public:
    explicit PngRows(const ByteSource& bytes) : reader_(bytes) {
        reader_.read_info();
        if (reader_.interlaced())
            throw NotByRows("interlaced", "it is interlaced, so that its first rows need the whole file");
        auto [header, damage] = open(reader_, bytes);
        header_ = std::move(header);
        damage_ = std::move(damage);
    }
    void read(const ImageView& rows) override {
        if (!std::exchange(is_begun_, true)) reader_.begin_pixels(row_bytes(header_));
        reader_.read_rows(rows);
        done_ += rows.size.height;
        if (done_ == header_.size.height && rows.size.height > 0) reader_.read_end();
    }
    std::string damage() override { return damage_; }
    std::size_t memory() const override { // two rows, the window of inflate and a buffer
        return 2 * static_cast<std::size_t>(header_.size.width) * 8 + (std::size_t{1} << 16);
    }

private:
    Reader reader_;
    bool is_begun_ = false;
    std::int64_t done_ = 0;
    std::string damage_;
};

std::unique_ptr<RowReader> read_rows(const ByteSource& bytes, int) {
    return std::make_unique<PngRows>(bytes);
}

} // namespace

extern const Codec kPngCodec;
const Codec kPngCodec{"png",     header,        decode, nullptr, {.density = true, .chunks = true},
                      read_rows, write_png_rows};

} // namespace kg::io
