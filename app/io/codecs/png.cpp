// PNG by libpng itself: OpenCV leaves out colour keys, makes four channels of grey with alpha, prints on stderr and puts no
// bound on compressed text.

#include "app/io/codecs/codec.hpp"
#include "app/io/orientation.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>

#include <png.h>
#include <zlib.h>

namespace kg::io {

namespace {

struct Failure {
    char text[200] = "";
};

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
    std::snprintf(static_cast<Failure*>(png_get_error_ptr(png))->text, sizeof Failure::text, "%s", text);
    png_longjmp(png, 1);
}
void ignore_warning(png_structp, png_const_charp) {} // chunks that do not matter for the pixels

/// libpng leaves by longjmp: `work` must have nothing to destroy.
template <typename Work>
void guarded(png_structp png, const Failure& failure, Work work) {
    if (setjmp(png_jmpbuf(png))) throw Error("it is damaged: " + std::string(failure.text));
    work();
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, on_error, ignore_warning);
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
    Failure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int type_ = 0, bits_ = 0;
};

std::uint32_t big_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char c : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

/// libpng looks after the sums of the chunks without which there is no picture (their first letter is a capital); the
/// others are read here, so that theirs are, too.
bool is_sound(std::string_view type, std::string_view data, std::string_view sum) {
    if (type[0] >= 'A' && type[0] <= 'Z') return true;
    const auto counted = crc32_z(0, reinterpret_cast<const Bytef*>(type.data()), type.size());
    return crc32_z(counted, reinterpret_cast<const Bytef*>(data.data()), data.size()) == big_endian(sum);
}

/// Calls visit(type, data, sound) for each chunk that is whole, up to IEND; EXIF and XMP may come after the pixels.
template <typename Visit>
void for_all_chunks(std::string_view file, Visit visit) {
    file.remove_prefix(std::min<std::size_t>(8, file.size()));
    while (file.size() >= 12) {
        const std::size_t length = big_endian(file);
        const auto type = file.substr(4, 4);
        if (length > file.size() - 12 || type == "IEND") return;
        const auto data = file.substr(8, length);
        visit(type, data, is_sound(type, data, file.substr(8 + length)));
        file.remove_prefix(length + 12);
    }
}

/// The same for those that are sound.
template <typename Visit>
void for_chunks(std::string_view file, Visit visit) {
    for_all_chunks(file, [&](std::string_view type, std::string_view data, bool sound) {
        if (sound) visit(type, data);
    });
}

constexpr std::string_view kXmpKeyword{"XML:com.adobe.xmp\0", 18};

bool is_xmp(std::string_view type, std::string_view data) {
    return type == "iTXt" && data.starts_with(kXmpKeyword);
}

/// At most 16 MiB; empty where it is longer or damaged.
std::string inflated(std::string_view packed) {
    constexpr uLongf kMost = uLongf{16} << 20;
    auto size = kMost;
    std::string text(size, '\0');
    if (uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                   reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK)
        return {};
    text.resize(size);
    return text;
}

/// After the keyword: compression flag and method, then language and translated keyword, each ended by a zero.
std::string xmp_of(std::string_view data) {
    if (data.size() < 22) return {};
    const auto language = data.find('\0', 20);
    const auto keyword = language == data.npos ? data.npos : data.find('\0', language + 1);
    if (keyword == data.npos) return {};
    const auto text = data.substr(keyword + 1);
    if (data[18] == 0) return std::string(text);
    return data[18] == 1 && data[19] == 0 ? inflated(text) : std::string();
}

/// Chunks that are written again as they are.
constexpr std::array<std::string_view, 7> kKept{"gAMA", "cHRM", "sRGB", "cICP", "tEXt", "zTXt", "iTXt"};
/// Those that are understood here or by libpng, and tIME, which is no longer true.
constexpr std::array<std::string_view, 13> kUnderstood{"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "eXIf",
                                                       "pHYs", "tIME", "acTL", "fcTL", "fdAT", "hIST"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& types, std::string_view type) {
    return std::ranges::find(types, type) != types.end();
}

Metadata metadata_of(std::string_view file, const Reader& reader) {
    Metadata metadata;
    png_charp icc_name = nullptr;
    png_bytep icc = nullptr;
    png_uint_32 icc_size = 0;
    int compression = 0;
    if (png_get_iCCP(reader.png(), reader.info(), &icc_name, &compression, &icc, &icc_size) == PNG_INFO_iCCP)
        metadata.icc.assign(reinterpret_cast<const char*>(icc), icc_size);
    for_chunks(file, [&](std::string_view type, std::string_view data) {
        if (type == "eXIf") metadata.exif = data;
        if (type == "pHYs" && data.size() == 9)
            metadata.density = {static_cast<double>(big_endian(data)),
                                static_cast<double>(big_endian(data.substr(4))), data[8] == 1};
        if (is_xmp(type, data)) metadata.xmp = xmp_of(data);
        else if (among(kKept, type)) metadata.chunks.push_back({std::string(type), std::string(data)});
    });
    return metadata;
}

/// "bKGD, sBIT": each once, and not too many.
class Names {
public:
    void add(std::string_view type) {
        if (std::ranges::find(types_, type) == types_.end() && types_.size() < 10) types_.emplace_back(type);
    }
    std::string text() const {
        std::string all;
        for (const auto& type : types_) all += (all.empty() ? "" : ", ") + type;
        return all;
    }

private:
    std::vector<std::string> types_;
};

/// What a filtered picture will lack.
std::string not_kept(std::string_view file) {
    Names lost;
    for_chunks(file, [&](std::string_view type, std::string_view) {
        if (!among(kKept, type) && !among(kUnderstood, type)) lost.add(type);
    });
    return lost.text();
}

std::string damage_of(std::string_view file) {
    Names wrong;
    bool xmp_lost = false;
    for_all_chunks(file, [&](std::string_view type, std::string_view data, bool sound) {
        if (!sound) wrong.add(type);
        else xmp_lost |= is_xmp(type, data) && xmp_of(data).empty();
    });
    auto damage = wrong.text();
    if (!damage.empty()) damage = "its chunks " + damage + " do not match their checksums and are left out";
    if (xmp_lost)
        damage += (damage.empty() ? "" : "; ") + std::string("its XMP cannot be read and is left out");
    return damage;
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
    else if (reader.stored_bits() < 8) header.original = std::to_string(reader.stored_bits()) + "-bit grey";
    else if (!(reader.stored_type() & PNG_COLOR_MASK_ALPHA) && channels % 2 == 0)
        header.original = "colour key";
    header.metadata = metadata_of(source.bytes, reader);
    header.orientation = orientation_of(header.metadata.exif);
    for_chunks(source.bytes, [&](std::string_view type, std::string_view data) {
        if (type == "acTL" && big_endian(data) > 1)
            header.notes.push_back("animated: the still picture only");
    });
    if (const auto lost = not_kept(source.bytes); !lost.empty())
        header.notes.push_back("its chunks " + lost + " are not kept");
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
    decoded.damage = damage_of(source.bytes);
    return decoded;
}

void note_warning(png_structp png, png_const_charp text) {
    std::snprintf(static_cast<Failure*>(png_get_error_ptr(png))->text, sizeof Failure::text, "%s", text);
}

class Writer {
public:
    Writer() {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, on_error, note_warning);
        if (png_) info_ = png_create_info_struct(png_);
        if (!info_) {
            png_destroy_write_struct(&png_, nullptr);
            throw std::bad_alloc();
        }
        png_set_benign_errors(png_, 1); // a profile that does not fit is left out, and said
        png_set_write_fn(png_, this, write, [](png_structp) {});
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    }
    Writer(Writer&&) = delete;
    ~Writer() { png_destroy_write_struct(&png_, &info_); }

    Encoded write(const ConstImageView& picture, const Metadata& metadata) {
        std::vector<png_bytep> rows;
        for (std::int64_t y = 0; y < picture.size.height; ++y)
            rows.push_back(const_cast<png_bytep>(picture.row<png_byte>(y)));
        guarded(png_, failure_, [&, all_rows = rows.data()] {
            constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                      PNG_COLOR_TYPE_RGB_ALPHA};
            png_set_IHDR(png_, info_, static_cast<png_uint_32>(picture.size.width),
                         static_cast<png_uint_32>(picture.size.height),
                         picture.format.depth == Depth::u16 ? 16 : 8, kTypes[picture.format.channels - 1],
                         PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            set_metadata(metadata);
            // A quarter of the time of the defaults for a few per cent more bytes.
            png_set_compression_level(png_, 3);
            png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
            png_write_info(png_, info_);
            for (const auto& chunk : metadata.chunks)
                png_write_chunk(png_, reinterpret_cast<png_const_bytep>(chunk.type.data()),
                                reinterpret_cast<png_const_bytep>(chunk.data.data()), chunk.data.size());
            if (picture.format.depth == Depth::u16) png_set_swap(png_);
            png_write_image(png_, all_rows);
            png_write_end(png_, info_);
        });
        Encoded encoded{std::move(bytes_), {}};
        if (*failure_.text)
            encoded.notes.push_back("PNG does not take the metadata as it is: " + std::string(failure_.text));
        return encoded;
    }

private:
    static png_uint_32 whole(double density) {
        return static_cast<png_uint_32>(std::clamp(std::round(density), 1.0, 2147483647.0));
    }
    void set_metadata(const Metadata& metadata) {
        const auto* icc = reinterpret_cast<png_const_bytep>(metadata.icc.data());
        if (!metadata.icc.empty())
            png_set_iCCP(png_, info_, "ICC profile", PNG_COMPRESSION_TYPE_BASE, icc,
                         static_cast<png_uint_32>(metadata.icc.size()));
        auto* exif = reinterpret_cast<png_bytep>(const_cast<char*>(metadata.exif.data()));
        if (!metadata.exif.empty())
            png_set_eXIf_1(png_, info_, static_cast<png_uint_32>(metadata.exif.size()), exif);
        if (const auto& density = metadata.density; density.x > 0)
            png_set_pHYs(png_, info_, whole(density.x), whole(density.y),
                         density.per_metre ? PNG_RESOLUTION_METER : PNG_RESOLUTION_UNKNOWN);
        if (metadata.xmp.empty()) return;
        png_text text{};
        text.compression = PNG_ITXT_COMPRESSION_NONE;
        text.key = const_cast<png_charp>(kXmpKeyword.data());
        text.text = const_cast<png_charp>(metadata.xmp.c_str());
        text.itxt_length = metadata.xmp.size();
        png_set_text(png_, info_, &text, 1);
    }
    static void write(png_structp png, png_bytep from, std::size_t count) {
        static_cast<Writer*>(png_get_io_ptr(png))->bytes_.append(reinterpret_cast<const char*>(from), count);
    }

    std::string bytes_;
    Failure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

Encoded encode(const ConstImageView& picture, const EncodeSettings& settings) {
    return Writer().write(picture, *settings.metadata);
}

} // namespace

extern const Codec kPngCodec;
const Codec kPngCodec{"png", header, decode, encode, {.density = true, .chunks = true}};

} // namespace kg::io
