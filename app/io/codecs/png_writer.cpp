// PNG's writing half.

#include "app/io/codecs/png_chunks.hpp"
#include "app/io/codecs/png_library.hpp"
#include "app/io/codecs/png_packing.hpp"
#include "app/io/codecs/png_writer.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

namespace kg::io {

namespace {

void note_warning(png_structp png, png_const_charp text) {
    std::snprintf(static_cast<PngFailure*>(png_get_error_ptr(png))->text, sizeof PngFailure::text, "%s",
                  text);
}

class Writer {
public:
    Writer() {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, on_png_error, note_warning);
        if (png_) info_ = png_create_info_struct(png_);
        if (!info_) {
            png_destroy_write_struct(&png_, nullptr);
            throw std::bad_alloc();
        }
        png_set_benign_errors(png_, 1); // a profile that does not fit is left out, and said
        // Or else it warns of profiles that it knows to be sRGB, and writes gAMA and cHRM beside those that are kept.
        png_set_option(png_, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
        png_set_write_fn(png_, this, write, [](png_structp) {});
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    }
    Writer(Writer&&) = delete;
    ~Writer() { png_destroy_write_struct(&png_, &info_); }

    Encoded write(const ConstImageView& picture, const Metadata& metadata) {
        begin(picture, metadata);
        if (PngPacking::is_for(picture.size, picture.format)) write_packed(picture);
        else write_rows(picture);
        Encoded encoded{std::move(bytes_), {}};
        if (*failure_.text)
            encoded.notes.push_back("PNG does not take the metadata as it is: " + std::string(failure_.text));
        return encoded;
    }

private:
    void begin(const ConstImageView& picture, const Metadata& metadata) {
        guarded(png_, failure_, [&] {
            constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                      PNG_COLOR_TYPE_RGB_ALPHA};
            png_set_IHDR(png_, info_, static_cast<png_uint_32>(picture.size.width),
                         static_cast<png_uint_32>(picture.size.height),
                         picture.format.depth == Depth::u16 ? 16 : 8, kTypes[picture.format.channels - 1],
                         PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            set_metadata(metadata);
            png_write_info(png_, info_);
            for (const auto& chunk : metadata.chunks) write_chunk(chunk.type, chunk.data);
        });
    }
    void write_packed(const ConstImageView& picture) {
        PngPacking packing(picture.size, picture.format);
        packing.add(picture);
        const auto packed = packing.packed();
        guarded(png_, failure_, [&] {
            write_chunk("IDAT", packed);
            write_chunk("IEND", {}); // libpng would miss the pixels, which it has not seen
        });
    }
    void write_rows(const ConstImageView& picture) {
        guarded(png_, failure_, [&] {
            // A quarter of the time of the defaults for a few per cent more bytes.
            png_set_compression_level(png_, 3);
            png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
            if (picture.format.depth == Depth::u16) png_set_swap(png_);
            for (std::int64_t y = 0; y < picture.size.height; ++y)
                png_write_row(png_, picture.row<png_byte>(y));
            png_write_end(png_, nullptr); // with the info it would write EXIF a second time
        });
    }
    void write_chunk(std::string_view type, std::string_view data) {
        png_write_chunk(png_, reinterpret_cast<png_const_bytep>(type.data()),
                        reinterpret_cast<png_const_bytep>(data.data()), data.size());
    }
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
        text.key = const_cast<png_charp>(kPngXmp.data());
        text.text = const_cast<png_charp>(metadata.xmp.c_str());
        text.itxt_length = metadata.xmp.size();
        png_set_text(png_, info_, &text, 1);
    }
    static void write(png_structp png, png_bytep from, std::size_t count) {
        static_cast<Writer*>(png_get_io_ptr(png))->bytes_.append(reinterpret_cast<const char*>(from), count);
    }

    std::string bytes_;
    PngFailure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

} // namespace

Encoded write_png(const ConstImageView& picture, const Metadata& metadata) {
    return Writer().write(picture, metadata);
}

} // namespace kg::io
