// PNG's writing half.

#include "app/io/codecs/png_writer.hpp"

#include "app/io/codecs/png_chunks.hpp"
#include "app/io/codecs/png_library.hpp"
#include "app/io/codecs/png_packing.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <vector>

namespace kg::io {

namespace {

void note_warning(png_structp png, png_const_charp text) {
    std::snprintf(static_cast<PngFailure*>(png_get_error_ptr(png))->text, sizeof PngFailure::text, "%s",
                  text);
}

class PngWriter final : public RowWriter {
public:
    PngWriter(ByteSink& file, Extent size, const PixelFormat& format, const EncodeSettings& settings)
        : file_(file) {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, on_png_error, note_warning);
        if (png_) info_ = png_create_info_struct(png_);
        if (!info_) {
            png_destroy_write_struct(&png_, nullptr);
            throw std::bad_alloc();
        }
        png_set_benign_errors(png_, 1); // a profile that does not fit is left out, and said
        // Or else it warns of profiles that it knows to be sRGB, and writes gAMA and cHRM beside those that are kept.
        png_set_option(png_, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
        png_set_write_fn(png_, this, write_bytes, [](png_structp) {});
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        try {
            begin(size, format, settings);
        } catch (...) { // the destructor does not run
            png_destroy_write_struct(&png_, &info_);
            throw;
        }
    }
    PngWriter(PngWriter&&) = delete;
    ~PngWriter() override { png_destroy_write_struct(&png_, &info_); }

    void write(const ConstImageView& rows) override {
        if (packing_) return packing_->add(rows);
        guarded(png_, failure_, [this, &rows] {
            for (std::int64_t y = 0; y < rows.size.height; ++y) png_write_row(png_, rows.row<png_byte>(y));
        });
    }
    std::vector<std::string> finish() override {
        const auto packed = packing_ ? packing_->packed() : std::string();
        guarded(png_, failure_, [this, &packed] {
            if (!packing_) return png_write_end(png_, nullptr); // with the info it would write EXIF again
            write_chunk("IDAT", packed);
            write_chunk("IEND", {}); // libpng would miss the pixels, which it has not seen
        });
        if (!*failure_.text) return {};
        return {"PNG does not take the metadata as it is: " + std::string(failure_.text)};
    }
    std::size_t memory() const override { return packing_ ? packing_memory_ : 0; }

private:
    void begin(Extent size, const PixelFormat& format, const EncodeSettings& settings) {
        const auto& metadata = *settings.metadata;
        guarded(png_, failure_, [&] {
            constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                      PNG_COLOR_TYPE_RGB_ALPHA};
            png_set_IHDR(png_, info_, static_cast<png_uint_32>(size.width),
                         static_cast<png_uint_32>(size.height), format.depth == Depth::u16 ? 16 : 8,
                         kTypes[format.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                         PNG_FILTER_TYPE_DEFAULT);
            set_metadata(metadata);
            png_write_info(png_, info_);
            for (const auto& chunk : metadata.chunks) write_chunk(chunk.type, chunk.data);
            // A quarter of the time of the defaults for a few per cent more bytes.
            png_set_compression_level(png_, 3);
            png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
            if (format.depth == Depth::u16) png_set_swap(png_);
        });
        if (!PngPacking::is_for(size, format)) return;
        packing_memory_ = PngPacking::memory(size, format);
        if (packing_memory_ <= settings.most_bytes_held / 2) packing_.emplace(size, format);
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
    static void write_bytes(png_structp png, png_bytep from, std::size_t count) {
        auto& self = *static_cast<PngWriter*>(png_get_io_ptr(png));
        called(png, self.failure_, [&] { self.file_.append({reinterpret_cast<const char*>(from), count}); });
    }

    ByteSink& file_;
    PngFailure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::size_t packing_memory_ = 0;
    std::optional<PngPacking>
        packing_; ///< of all rows, where they are few enough; else they go out as they come
};

} // namespace

std::unique_ptr<RowWriter> write_png_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                          const EncodeSettings& settings) {
    return std::make_unique<PngWriter>(file, size, format, settings);
}

} // namespace kg::io
