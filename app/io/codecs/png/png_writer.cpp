// PNG, the writer.

#include "app/io/codecs/png/png_writer.hpp"

#include "app/io/codecs/png/png_chunks.hpp"
#include "app/io/codecs/png/png_compression.hpp"
#include "app/io/codecs/png/png_library.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
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
        png_set_benign_errors(png_, 1); // a profile that does not fit is left out and reported
        // Without it libpng warns of profiles that it recognises as sRGB, and writes gAMA and cHRM beside the
        // chunks that are kept.
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

    void write(const ConstImageView& rows) override { compression_->add(rows); }
    std::vector<std::string> finish() override {
        compression_->finish();
        // png_write_end() would report missing pixels
        guarded(png_, failure_, [this] { write_chunk("IEND", {}); });
        if (!*failure_.text) return {};
        return {"PNG does not take the metadata as it is: " + std::string(failure_.text)};
    }
    std::size_t memory() const override { return compression_memory_; }

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
        });
        choose_packing(size, format, settings);
    }
    void choose_packing(Extent size, const PixelFormat& format, const EncodeSettings& settings) {
        auto write_pixels = [this](std::string_view data) {
            guarded(png_, failure_, [&] { write_chunk("IDAT", data); });
        };
        const auto at_once = memory_to_compress_at_once(size, format);
        if (is_compressed_at_once(size, format) && at_once <= settings.most_bytes_held / 2) {
            compression_memory_ = at_once;
            compression_ = compress_png_at_once(size, format, write_pixels);
            return;
        }
        const auto pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
        constexpr std::size_t kFraction = 8; // fraction of the available memory, or of the image's
        const auto memory = std::min(settings.most_bytes_held, pixels * bytes_per_pixel(format)) / kFraction;
        const auto block = memory_to_compress_a_block();
        const auto blocks = std::clamp<std::size_t>(memory / block, 1,
                                                    static_cast<std::size_t>(settings.threads));
        compression_memory_ = (blocks - 1) * block; // one block is within the memory of any codec
        compression_ = compress_png_in_blocks(size, format, static_cast<int>(blocks), write_pixels);
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
    std::size_t compression_memory_ = 0;
    std::unique_ptr<PngCompression> compression_;
};

} // namespace

std::unique_ptr<RowWriter> write_png_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                          const EncodeSettings& settings) {
    return std::make_unique<PngWriter>(file, size, format, settings);
}

} // namespace kg::io
