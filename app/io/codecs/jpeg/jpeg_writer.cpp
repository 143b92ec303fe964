// JPEG, the writer.

#include "app/io/codecs/jpeg/jpeg_writer.hpp"

#include "app/io/codecs/jpeg/jpeg_markers.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <utility>

#include <jpeglib.h>

#include <jerror.h>

namespace kg::io {

namespace {

void put_marker(std::string& file, unsigned char kind, std::string_view signature, std::string_view data) {
    const auto length = signature.size() + data.size() + 2;
    file += {'\xff', static_cast<char>(kind), static_cast<char>(length >> 8),
             static_cast<char>(length & 255)};
    file += signature;
    file += data;
}

/// The markers for metadata, which precede the image in a file. Metadata too large for a marker is left out
/// and named in `notes`.
std::string markers_of(const Metadata& metadata, std::vector<std::string>& notes) {
    std::string markers;
    const auto put = [&](const char* what, unsigned char kind, std::string_view signature,
                         std::string_view data) {
        if (data.size() + signature.size() > kMostOfMarker)
            notes.push_back(std::string(what) + " is larger than JPEG can hold: left out");
        else if (!data.empty()) put_marker(markers, kind, signature, data);
    };
    put("EXIF", JPEG_APP0 + 1, kExif, metadata.exif);
    put("XMP", JPEG_APP0 + 1, kXmp, metadata.xmp);
    put("IPTC", JPEG_APP0 + 13, kPhotoshop, metadata.photoshop);
    for (const auto& comment : metadata.comments) put("the comment", JPEG_COM, "", comment);
    constexpr std::size_t kChunk = kMostOfMarker - kIcc.size() - 2;
    const auto chunks = (metadata.icc.size() + kChunk - 1) / kChunk;
    if (chunks > 255) notes.push_back("the colour profile is larger than JPEG can hold: left out");
    for (std::size_t i = 0; i < chunks && chunks <= 255; ++i) {
        const std::string numbered = std::string(kIcc) + static_cast<char>(i + 1) + static_cast<char>(chunks);
        put_marker(markers, JPEG_APP0 + 2, numbered,
                   std::string_view(metadata.icc).substr(i * kChunk, kChunk));
    }
    return markers;
}

/// The density as two numbers of 16 bits: pixels per inch, or else the aspect ratio of a pixel.
void set_density(jpeg_compress_struct& info, const Metadata::Density& density) {
    if (density.x <= 0) return;
    double x = density.x, y = density.y;
    if (density.per_metre) x /= kInchesPerMetre, y /= kInchesPerMetre;
    else if (const double most = std::max(x, y); most > 65535) x *= 65535 / most, y *= 65535 / most;
    const auto whole = [](double value) {
        return static_cast<UINT16>(std::clamp(std::round(value), 1.0, 65535.0));
    };
    info.density_unit = density.per_metre ? 1 : 0;
    info.X_density = whole(x), info.Y_density = whole(y);
}

/// The data destination of libjpeg, which writes the file in chunks.
class Output {
public:
    /// `markers` are inserted after the file's first marker.
    Output(ByteSink& file, std::string markers) : file_(file), markers_(std::move(markers)) {
        base_.init_destination = [](j_compress_ptr info) { of(info).begin_chunk(); };
        base_.empty_output_buffer = [](j_compress_ptr info) -> boolean {
            of(info).end_chunk(info, kChunk);
            return TRUE;
        };
        base_.term_destination = [](j_compress_ptr info) {
            of(info).end_chunk(info, kChunk - of(info).base_.free_in_buffer);
        };
    }
    Output(Output&&) = delete;
    jpeg_destination_mgr* get() { return &base_; }
    /// The exception of the sink: exceptions must not pass through libjpeg.
    const std::exception_ptr& thrown() const { return thrown_; }

private:
    static constexpr std::size_t kChunk = 1 << 16;

    static Output& of(j_compress_ptr info) { return *reinterpret_cast<Output*>(info->dest); }
    void begin_chunk() {
        base_.next_output_byte = reinterpret_cast<JOCTET*>(chunk_.data());
        base_.free_in_buffer = kChunk;
    }
    void end_chunk(j_compress_ptr info, std::size_t length) {
        try {
            std::string_view chunk(chunk_.data(), length);
            if (file_.size() == 0) {
                constexpr std::size_t kStartMarker = 2;
                file_.append(chunk.substr(0, kStartMarker));
                file_.append(markers_);
                chunk.remove_prefix(kStartMarker);
            }
            file_.append(chunk);
        } catch (...) {
            thrown_ = std::current_exception();
        }
        if (thrown_) ERREXIT(info, JERR_FILE_WRITE);
        begin_chunk();
    }

    jpeg_destination_mgr base_{}; // first, so that libjpeg's pointer to it is a pointer to this
    ByteSink& file_;
    const std::string markers_;
    std::exception_ptr thrown_;
    std::array<char, kChunk> chunk_;
};

class JpegWriter final : public RowWriter {
public:
    JpegWriter(ByteSink& file, Extent size, const PixelFormat& format, const EncodeSettings& settings)
        : output_(file, markers_of(*settings.metadata, notes_)) {
        info_.err = jpeg_std_error(&events_.base);
        events_.base.error_exit = [](j_common_ptr info) {
            auto& events = *reinterpret_cast<Events*>(info->err);
            info->err->format_message(info, events.failure);
            std::longjmp(events.escape, 1);
        };
        events_.base.emit_message = [](j_common_ptr, int) {};
        guarded([this] { jpeg_create_compress(&info_); });
        info_.dest = output_.get();
        try {
            begin(size, format.channels, settings);
        } catch (...) { // the destructor does not run
            jpeg_destroy_compress(&info_);
            throw;
        }
    }
    JpegWriter(JpegWriter&&) = delete;
    ~JpegWriter() override { jpeg_destroy_compress(&info_); }

    void write(const ConstImageView& rows) override {
        guarded([this, &rows] {
            for (std::int64_t y = 0; y < rows.size.height; ++y) {
                auto* row = const_cast<JSAMPLE*>(rows.row<JSAMPLE>(y)); // read only
                jpeg_write_scanlines(&info_, &row, 1);
            }
        });
    }
    std::vector<std::string> finish() override {
        guarded([this] { jpeg_finish_compress(&info_); });
        return std::move(notes_);
    }

private:
    struct Events {
        jpeg_error_mgr base; // first, as in Output
        std::jmp_buf escape;
        char failure[JMSG_LENGTH_MAX];
    };

    void begin(Extent size, int channels, const EncodeSettings& settings) {
        guarded([&] {
            info_.image_width = static_cast<JDIMENSION>(size.width);
            info_.image_height = static_cast<JDIMENSION>(size.height);
            info_.input_components = channels;
            info_.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
            jpeg_set_defaults(&info_);
            jpeg_set_quality(&info_, settings.jpeg_quality, TRUE);
            set_density(info_, settings.metadata->density);
            jpeg_start_compress(&info_, TRUE);
        });
    }

    /// libjpeg leaves by longjmp: `work` must not own objects with destructors.
    template <typename Work>
    void guarded(Work work) {
        if (setjmp(events_.escape)) {
            if (output_.thrown()) std::rethrow_exception(output_.thrown());
            throw Error("encoder-failed", "{}", events_.failure);
        }
        work();
    }

    jpeg_compress_struct info_{};
    Events events_{};
    std::vector<std::string> notes_; // before the output, whose markers may add notes
    Output output_;
};

} // namespace

std::unique_ptr<RowWriter> write_jpeg_rows(ByteSink& file, Extent size, const PixelFormat& format,
                                           const EncodeSettings& settings) {
    constexpr std::int64_t kLargestSide = JPEG_MAX_DIMENSION;
    if (size.width > kLargestSide || size.height > kLargestSide)
        throw Error("too-large-for-format",
                    "JPEG holds at most {} pixels in width and height; use PNG or TIFF", kLargestSide);
    return std::make_unique<JpegWriter>(file, size, format, settings);
}

} // namespace kg::io
