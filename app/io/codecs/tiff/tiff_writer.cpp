#include "app/io/codecs/tiff/tiff_writer.hpp"

#include "app/io/codecs/tiff/tiff_exif.hpp"
#include "app/io/codecs/tiff/tiff_file.hpp"
#include "app/io/metadata/metadata.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <tiffio.h>

namespace kg::io {

namespace {

/// Above it, 32-bit offsets may not suffice, because compression can enlarge the data.
constexpr std::uint64_t kSmallTiff = 3'500'000'000u;
constexpr std::uint64_t kStripBytes = 1 << 20;

class TiffWriter final : public RowWriter {
public:
    TiffWriter(ByteSink& sink, Extent size, const PixelFormat& format, const EncodeSettings& settings)
        : sink_(sink), height_(size.height),
          row_bytes_(static_cast<std::uint64_t>(size.width) * bytes_per_pixel(format)),
          strip_rows_(static_cast<std::int64_t>(std::max<std::uint64_t>(1, kStripBytes / row_bytes_))),
          big_(row_bytes_ * static_cast<std::uint64_t>(size.height) > kSmallTiff), file_(sink, big_),
          loses_exif_(big_ && !settings.metadata->exif.empty()) {
        set_layout(size, format);
        if (big_ || settings.metadata->exif.empty()) {
            set_metadata(*settings.metadata);
        } else {
            start_ = start_with(*settings.metadata, format);
            sink.write(0, start_); // libtiff's output follows it
        }
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
        const auto directory = file_.finish();
        if (loses_exif_) return {"EXIF is left out, because it is not added to TIFF files beyond 4 GB"};
        if (!start_.empty()) add_start(directory);
        return {};
    }

private:
    /// A file of one pixel with all metadata of the image.
    static std::string start_with(const Metadata& metadata, const PixelFormat& format) {
        auto without = metadata;
        without.exif.clear();
        StringSink file;
        Image pixel({1, 1}, format);
        std::memset(pixel.view().data, 0, bytes_per_pixel(format));
        TiffWriter writer(file, {1, 1}, format, {.extension = {}, .jpeg_quality = 0, .metadata = &without});
        writer.write(std::as_const(pixel).view());
        writer.finish();
        auto bytes = add_exif_to_tiff(file.take(), metadata.exif, metadata.xmp);
        bytes.resize((bytes.size() + 1) / 2 * 2); // directories begin at even offsets
        return bytes;
    }

    /// Points the file's header to the directory that has the tags of both.
    void add_start(const std::string& directory) {
        const auto end = (sink_.size() + 1) / 2 * 2;
        if (end > UINT32_MAX - directory.size() - start_.size())
            throw Error("too-large-for-format",
                        "it became longer than 4 GB with its EXIF; --strip leaves that out");
        const auto place = static_cast<std::uint32_t>(end);
        sink_.write(end, with_tags_of(start_, directory));
        constexpr std::uint64_t kLink = 4;
        sink_.write(kLink, {reinterpret_cast<const char*>(&place), sizeof place});
    }

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
            const std::uint16_t kind = format.premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
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
    const bool loses_exif_;
    std::string start_; ///< first bytes of a file with EXIF
    std::vector<char> strip_;
    std::int64_t written_ = 0;
    std::uint32_t number_ = 0; ///< number of the strip
};

} // namespace

std::unique_ptr<RowWriter> write_tiff_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings) {
    return std::make_unique<TiffWriter>(file, size, format, settings);
}

} // namespace kg::io
