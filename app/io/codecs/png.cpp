// PNG by libpng itself: OpenCV leaves out colour keys, makes four channels of grey with alpha, prints on stderr and puts no
// bound on compressed text. This is the reading half; what stands in other chunks than the pixels' is in png_chunks.cpp.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/png_chunks.hpp"
#include "app/io/codecs/png_library.hpp"
#include "app/io/codecs/png_writer.hpp"
#include "app/io/orientation.hpp"

#include <new>
#include <utility>
#include <vector>

namespace kg::io {

namespace {

void ignore_warning(png_structp, png_const_charp) {} // chunks that do not matter for the pixels

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, on_png_error, ignore_warning);
        if (png_) info_ = png_create_info_struct(png_);
        if (!info_) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
        png_set_read_fn(png_, this, read);
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // check_size() has the say
    }
    Reader(Reader&&) = delete;
    ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }

    /// Up to the first pixel; what is unusual is expanded from here on: palette, colour key, fewer than 8 bits.
    void read_info() {
        guarded(png_, failure_, [this] {
            png_read_info(png_, info_);
            type_ = png_get_color_type(png_, info_);
            bits_ = png_get_bit_depth(png_, info_);
            png_set_expand(png_);
            if (bits_ == 16) png_set_swap(png_);
            png_set_interlace_handling(png_);
            png_read_update_info(png_, info_);
        });
    }
    void read_rows(png_bytepp rows) {
        guarded(png_, failure_, [this, rows] {
            png_read_image(png_, rows);
            png_read_end(png_, nullptr);
        });
    }
    png_structp png() const { return png_; }
    png_infop info() const { return info_; }
    int stored_type() const { return type_; }
    int stored_bits() const { return bits_; }

private:
    static void read(png_structp png, png_bytep to, std::size_t count) {
        auto& rest = static_cast<Reader*>(png_get_io_ptr(png))->rest_;
        if (count > rest.size()) png_error(png, "it ends early");
        rest.copy(reinterpret_cast<char*>(to), count);
        rest.remove_prefix(count);
    }

    std::string_view rest_;
    PngFailure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int type_ = 0, bits_ = 0;
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

Header header(const Source& source) {
    Reader reader(source.bytes);
    reader.read_info();
    Header header;
    header.size = {png_get_image_width(reader.png(), reader.info()),
                   png_get_image_height(reader.png(), reader.info())};
    const int channels = png_get_channels(reader.png(), reader.info());
    const auto depth = reader.stored_bits() == 16 ? Depth::u16 : Depth::u8;
    header.pixels = {depth, channels, channels % 2 == 0 ? channels - 1 : -1};
    header.stored = depth;
    const bool palette = reader.stored_type() == PNG_COLOR_TYPE_PALETTE;
    if (palette) header.original = "palette";
    else if (reader.stored_bits() < 8)
        header.original = std::to_string(reader.stored_bits()) + "-bit samples";
    else if (!(reader.stored_type() & PNG_COLOR_MASK_ALPHA) && channels % 2 == 0)
        header.original = "colour key";
    auto chunks = read_png_chunks(source.bytes);
    header.metadata = std::move(chunks.metadata);
    header.metadata.icc = profile_of(reader);
    header.orientation = orientation_of(header.metadata.exif);
    if (chunks.animated) header.notes.push_back("animated: the still picture only");
    if (!chunks.not_kept.empty()) header.notes.push_back(chunks.not_kept);
    return header;
}

Decoded decode(const Source& source, const Header& header) {
    Reader reader(source.bytes);
    reader.read_info();
    Decoded decoded{Image(header.size, header.pixels)};
    std::vector<png_bytep> rows;
    for (std::int64_t y = 0; y < header.size.height; ++y)
        rows.push_back(decoded.image.view().row<png_byte>(y));
    reader.read_rows(rows.data());
    decoded.damage = read_png_chunks(source.bytes).damage;
    return decoded;
}

Encoded encode(const ConstImageView& picture, const EncodeSettings& settings) {
    return write_png(picture, *settings.metadata);
}

} // namespace

extern const Codec kPngCodec;
const Codec kPngCodec{"png", header, decode, encode, {.density = true, .chunks = true}};

} // namespace kg::io
