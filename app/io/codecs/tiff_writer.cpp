#include "app/io/codecs/tiff_writer.hpp"

#include "app/io/codecs/tiff_file.hpp"
#include "app/io/metadata.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <tiffio.h>

namespace kg::io {

namespace {

/// Beyond it, offsets of 32 bits may not do, even if packing makes the file longer.
constexpr std::uint64_t kSmallTiff = 3'500'000'000u;
constexpr std::uint64_t kStripBytes = 1 << 20;

class TiffWriter final : public RowWriter {
public:
    TiffWriter(ByteSink& sink, Extent size, const PixelFormat& format, const EncodeSettings& settings)
        : sink_(sink), height_(size.height),
          row_bytes_(static_cast<std::uint64_t>(size.width) * bytes_per_pixel(format)),
          strip_rows_(static_cast<std::int64_t>(std::max<std::uint64_t>(1, kStripBytes / row_bytes_))),
          big_(row_bytes_ * static_cast<std::uint64_t>(size.height) > kSmallTiff), file_(sink, big_),
          exif_(settings.metadata->exif), xmp_(settings.metadata->xmp),
          most_bytes_held_(settings.most_bytes_held) {
        set_layout(size, format);
        set_metadata(*settings.metadata);
        strip_.reserve(row_bytes_ * static_cast<std::size_t>(std::min(strip_rows_, height_)));
    }

    void write(const ConstImageView& rows) override {
        for (std::int64_t y = 0; y < rows.size.height; ++y) {
            const auto* row = rows.row<char>(y);
            strip_.insert(strip_.end(), row, row + row_bytes_);
            ++written_;
            if (written_ % strip_rows_ == 0 || written_ == height_) flush();
        }
    }

    std::vector<std::string> finish() override {
        file_.finish();
        if (exif_.empty()) return {};
        if (big_) return {"EXIF is left out, because it is not added to TIFF files beyond 4 GB"};
        constexpr std::size_t kCopies = 3; // that adding it takes
        if (sink_.size() > most_bytes_held_ / kCopies)
            return {"EXIF is left out, because adding it needs more memory than there is for this picture"};
        sink_.replace(add_exif_to_tiff(sink_.take(), exif_, xmp_));
        return {};
    }

private:
    void set_layout(Extent size, const PixelFormat& format) {
        auto* tiff = file_.get();
        const int channels = format.channels;
        const bool floats = format.depth == Depth::f32;
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(size.width));
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(size.height));
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes(format.depth)));
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
        if (format.alpha >= 0) {
            const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
            TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
        }
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 3);
        if (!floats) TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(strip_rows_));
    }

    void set_metadata(const Metadata& metadata) {
        auto* tiff = file_.get();
        const auto set_blob = [&](std::uint32_t tag, const std::string& blob) {
            if (!blob.empty()) TIFFSetField(tiff, tag, static_cast<std::uint32_t>(blob.size()), blob.data());
        };
        set_blob(TIFFTAG_ICCPROFILE, metadata.icc);
        set_blob(TIFFTAG_XMLPACKET, metadata.xmp);
        set_blob(TIFFTAG_PHOTOSHOP, metadata.photoshop);
        if (const auto& density = metadata.density; density.x > 0) {
            const double scale = density.per_metre ? 0.0254 : 1;
            TIFFSetField(tiff, TIFFTAG_XRESOLUTION, density.x * scale);
            TIFFSetField(tiff, TIFFTAG_YRESOLUTION, density.y * scale);
            TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, density.per_metre ? RESUNIT_INCH : RESUNIT_NONE);
        }
    }

    void flush() {
        const auto bytes = static_cast<tmsize_t>(strip_.size());
        file_.require(TIFFWriteEncodedStrip(file_.get(), number_++, strip_.data(), bytes) == bytes);
        strip_.clear();
    }

    ByteSink& sink_;
    const std::int64_t height_;
    const std::size_t row_bytes_;
    const std::int64_t strip_rows_;
    const bool big_;
    TiffFile file_;
    const std::string exif_, xmp_;
    const std::size_t most_bytes_held_;
    std::vector<char> strip_;
    std::int64_t written_ = 0;
    std::uint32_t number_ = 0; ///< of the strip
};

} // namespace

std::unique_ptr<RowWriter> write_tiff_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings) {
    return std::make_unique<TiffWriter>(file, size, format, settings);
}

} // namespace kg::io
