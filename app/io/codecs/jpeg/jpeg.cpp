// JPEG through libjpeg, the reader. OpenCV does not report files that are damaged or end early (the rest
// becomes grey), prints on stderr, and copies images into its own channel order.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/jpeg/jpeg_markers.hpp"
#include "app/io/codecs/jpeg/jpeg_writer.hpp"
#include "app/io/codecs/jpeg/mpf.hpp"
#include "app/io/metadata/orientation.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>

#include <jpeglib.h>

#include <jerror.h>

namespace kg::io {

namespace {

/// libjpeg's errors and warnings, as text and without printing.
struct Events {
    jpeg_error_mgr base; // first, so that libjpeg's pointer to it is a pointer to this
    std::jmp_buf escape;
    char failure[JMSG_LENGTH_MAX];
    char warning[JMSG_LENGTH_MAX]; // the first one
    bool ends_early;
};

Events& events_of(j_common_ptr info) { return *reinterpret_cast<Events*>(info->err); }

[[noreturn]] void on_error(j_common_ptr info) {
    info->err->format_message(info, events_of(info).failure);
    std::longjmp(events_of(info).escape, 1);
}

void on_message(j_common_ptr info, int level) {
    if (level >= 0) return; // traces
    auto& events = events_of(info);
    if (info->err->num_warnings++ == 0) info->err->format_message(info, events.warning);
    if (info->err->msg_code == JWRN_JPEG_EOF) events.ends_early = true;
}

/// Limits the scans: a progressive file can declare thousands of scans of a large image in a few bytes.
void on_progress(j_common_ptr info) {
    constexpr int kMostScans = 200; // cameras and converters write about ten
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMostScans) return;
    std::snprintf(events_of(info).failure, JMSG_LENGTH_MAX, "more than %d scans", kMostScans);
    std::longjmp(events_of(info).escape, 1);
}

/// The data source of libjpeg, which reads the file in chunks.
class Input {
public:
    explicit Input(const ByteSource& bytes) : bytes_(bytes) {
        base_.init_source = [](j_decompress_ptr) {};
        base_.fill_input_buffer = fill;
        base_.skip_input_data = skip;
        base_.resync_to_restart = jpeg_resync_to_restart;
        base_.term_source = [](j_decompress_ptr) {};
    }
    Input(Input&&) = delete;
    jpeg_source_mgr* get() { return &base_; }
    /// The exception of the byte source: exceptions must not pass through libjpeg.
    const std::exception_ptr& thrown() const { return thrown_; }
    /// The place in the file of the byte that libjpeg reads next.
    std::uint64_t place() const { return at_ - std::min<std::uint64_t>(at_, base_.bytes_in_buffer); }

private:
    static Input& of(j_decompress_ptr info) { return *reinterpret_cast<Input*>(info->src); }

    static boolean fill(j_decompress_ptr info) {
        auto& self = of(info);
        std::size_t got = 0;
        try {
            got = self.bytes_.read(self.at_, self.buffer_, sizeof self.buffer_);
        } catch (...) {
            self.thrown_ = std::current_exception();
        }
        if (self.thrown_) ERREXIT(info, JERR_FILE_READ);
        self.at_ += got;
        if (got == 0) { // the end of image, as libjpeg substitutes it for files that end early
            WARNMS(info, JWRN_JPEG_EOF);
            self.buffer_[0] = '\xff', self.buffer_[1] = static_cast<char>(JPEG_EOI);
            got = 2;
        }
        self.base_.next_input_byte = reinterpret_cast<const JOCTET*>(self.buffer_);
        self.base_.bytes_in_buffer = got;
        return TRUE;
    }
    static void skip(j_decompress_ptr info, long count) {
        auto& self = of(info);
        for (auto left = static_cast<std::size_t>(std::max(0L, count)); left > 0;) {
            const auto step = std::min(left, self.base_.bytes_in_buffer);
            self.base_.next_input_byte += step;
            self.base_.bytes_in_buffer -= step;
            left -= step;
            if (left > 0) fill(info);
        }
    }

    jpeg_source_mgr base_{}; // first, so that libjpeg's pointer to it is a pointer to this
    const ByteSource& bytes_;
    std::uint64_t at_ = 0;
    std::exception_ptr thrown_;
    char buffer_[1 << 16];
};

class Reader {
public:
    explicit Reader(const ByteSource& bytes) : input_(bytes) {
        info_.err = jpeg_std_error(&events_.base);
        events_.base.error_exit = on_error;
        events_.base.emit_message = on_message;
        guarded([this] { jpeg_create_decompress(&info_); });
        progress_.progress_monitor = on_progress;
        info_.progress = &progress_;
        info_.src = input_.get();
        try {
            guarded([this] {
                jpeg_save_markers(&info_, JPEG_COM, 0xFFFF);
                for (int i = 1; i < 16; ++i) jpeg_save_markers(&info_, JPEG_APP0 + i, 0xFFFF);
                jpeg_read_header(&info_, TRUE);
            });
        } catch (...) { // the destructor does not run
            jpeg_destroy_decompress(&info_);
            throw;
        }
    }
    Reader(Reader&&) = delete;
    ~Reader() { jpeg_destroy_decompress(&info_); }

    jpeg_decompress_struct& info() { return info_; }
    std::uint64_t place() const { return input_.place(); }
    const jpeg_decompress_struct& info() const { return info_; }

    /// libjpeg leaves by longjmp: `work` must not own objects with destructors.
    template <typename Work>
    void guarded(Work work) {
        if (setjmp(events_.escape)) {
            if (input_.thrown()) std::rethrow_exception(input_.thrown());
            if (events_.base.msg_code == JERR_BAD_PRECISION)
                throw Error(
                    "unsupported-depth",
                    "it is a JPEG of more than 8 bits a sample, which is not supported; save it as a 16-bit "
                    "PNG or TIFF");
            throw Error("damaged-file", "it is damaged: {}", events_.failure);
        }
        work();
    }

    void begin() {
        guarded([this] {
            info_.out_color_space = info_.num_components == 1   ? JCS_GRAYSCALE
                                    : info_.num_components == 3 ? JCS_RGB
                                                                : JCS_CMYK;
            jpeg_start_decompress(&info_);
            early_but_whole_ = events_.ends_early; // a progressive file has all rows, only coarser
        });
    }
    /// Reads the next row; false if the file ends early.
    bool read(JSAMPROW to) {
        if (has_ended()) return false;
        guarded([this, to]() mutable { jpeg_read_scanlines(&info_, &to, 1); });
        return !has_ended();
    }
    bool ends_early() const { return events_.ends_early; }
    std::string warning() const { return events_.warning; }

private:
    bool has_ended() const { return events_.ends_early && !early_but_whole_; }

    jpeg_decompress_struct info_{};
    Events events_{};
    jpeg_progress_mgr progress_{};
    Input input_;
    bool early_but_whole_ = false;
};

Metadata::Density density_of(const jpeg_decompress_struct& info) {
    if (!info.saw_JFIF_marker || info.X_density == 0 || info.Y_density == 0) return {};
    const bool square = info.X_density == info.Y_density;
    if (info.density_unit == 0 && square) return {}; // the default, which carries no information
    const double scale = info.density_unit == 1 ? kInchesPerMetre : info.density_unit == 2 ? 100 : 1;
    return {info.X_density * scale, info.Y_density * scale, info.density_unit != 0};
}

std::string images_text(std::size_t count, const char* kind, const char* where) {
    return std::to_string(count) + " " + kind + (count == 1 ? " image" : " images") + " in the file (" +
           where + (count == 1 ? ") is left out" : ") are left out");
}

/// Adds notes on further images. Previews only become details, because nearly every camera writes them.
void note(const FurtherImages& images, Header& header) {
    if (images.previews) header.details.push_back(images_text(images.previews, "preview", "MPF"));
    if (images.others) header.notes.push_back(images_text(images.others, "further", "MPF"));
    if (images.undefined)
        header.notes.push_back(
            images_text(images.undefined, "further", "MPF, where phones keep the gain map of HDR"));
}

/// Reads the metadata from the markers, and adds notes to the header on what is not kept.
Metadata metadata_of(Reader& reader, Header& header) {
    Metadata metadata;
    std::string lost;
    metadata.density = density_of(reader.info());
    for (const auto* marker = reader.info().marker_list; marker; marker = marker->next) {
        const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
        const int app = marker->marker - JPEG_APP0;
        if (marker->marker == JPEG_COM) metadata.comments.emplace_back(data);
        else if (app == 1 && data.starts_with(kExif) && metadata.exif.empty())
            metadata.exif = data.substr(kExif.size());
        else if (app == 1 && data.starts_with(kXmp) && metadata.xmp.empty())
            metadata.xmp = data.substr(kXmp.size());
        else if (app == 13 && data.starts_with(kPhotoshop))
            metadata.photoshop += data.substr(kPhotoshop.size());
        else if (const auto images = app == 2 && data.starts_with(kMpf)
                                         ? further_images(data.substr(kMpf.size()))
                                         : std::nullopt)
            note(*images, header);
        else if (!(app == 2 && data.starts_with(kIcc)) && !(app == 14 && data.starts_with(kAdobe))) {
            const auto name = "APP" + std::to_string(app);
            if (lost.find(name) == lost.npos) lost += (lost.empty() ? "" : ", ") + name;
        }
    }
    JOCTET* icc = nullptr;
    unsigned icc_size = 0;
    if (jpeg_read_icc_profile(&reader.info(), &icc, &icc_size))
        metadata.icc.assign(reinterpret_cast<const char*>(icc), icc_size);
    std::free(icc);
    if (!lost.empty()) header.notes.push_back("its " + lost + " data is not kept");
    return metadata;
}

Header header_of(Reader& reader) {
    const int components = reader.info().num_components;
    if (components == 2 || components > 4)
        throw Error("unsupported-channels", "it is a JPEG of {} components, which is not supported",
                    components);
    Header header;
    header.size = {reader.info().image_width, reader.info().image_height};
    header.pixels = {Depth::u8, components == 1 ? 1 : 3};
    header.metadata = metadata_of(reader, header);
    header.orientation = orientation_of(header.metadata.exif);
    if (components == 4) {
        header.original = reader.info().jpeg_color_space == JCS_YCCK ? "YCCK" : "CMYK";
        header.notes.push_back("converted to RGB without a profile");
        header.metadata.icc.clear(); // a profile for four inks
    }
    return header;
}

Header header(const Source& source) {
    const MemoryBytes bytes(source.bytes);
    Reader reader(bytes);
    auto header = header_of(reader);
    // The coded samples follow, in which this marker does not occur.
    constexpr std::string_view kEndOfImage = "\xff\xd9";
    if (source.bytes.find(kEndOfImage, reader.place()) == std::string_view::npos)
        header.damage = "it ends early, rows are missing or coarse";
    return header;
}

/// In Adobe's convention 255 is no ink; all readers assume it, with or without Adobe's marker.
void rgb_from_cmyk(const JSAMPLE* cmyk, JSAMPLE* rgb, std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels; ++i, cmyk += 4, rgb += 3)
        for (int c = 0; c < 3; ++c) rgb[c] = static_cast<JSAMPLE>((cmyk[c] * cmyk[3] + 127) / 255);
}

/// Bytes of the coefficients, which libjpeg holds for a file with several scans before the first row.
std::size_t coefficients(const jpeg_decompress_struct& info) {
    std::size_t blocks = 0;
    for (int i = 0; i < info.num_components; ++i) {
        const auto& component = info.comp_info[i];
        blocks += static_cast<std::size_t>(component.width_in_blocks) * component.height_in_blocks;
    }
    return blocks * DCTSIZE2 * sizeof(JCOEF);
}

class JpegRows final : public RowReader {
public:
    explicit JpegRows(const ByteSource& bytes) : reader_(bytes) {
        header_ = header_of(reader_);
        const auto& info = reader_.info();
        const auto samples = static_cast<std::size_t>(header_.size.width) *
                             static_cast<std::size_t>(info.num_components);
        constexpr std::size_t kRowsOfSamples = 4 * DCTSIZE * 2; // rows of samples that upsampling buffers
        memory_ = samples * kRowsOfSamples +
                  (jpeg_has_multiple_scans(&reader_.info()) ? coefficients(info) : 0);
    }
    void read(const ImageView& rows) override {
        if (next_ == 0) begin();
        const auto width = header_.size.width;
        for (std::int64_t y = 0; y < rows.size.height; ++y, ++next_) {
            auto* row = rows.row<JSAMPLE>(y);
            if (reader_.read(inks_.empty() ? row : inks_.data())) {
                if (!inks_.empty()) rgb_from_cmyk(inks_.data(), row, width);
                ++there_;
            } else {
                if (there_ == 0) throw Error("truncated-file", "it ends before its first row");
                std::memset(row, 0, static_cast<std::size_t>(width) * bytes_per_pixel(header_.pixels));
            }
        }
    }
    std::string damage() override {
        const auto height = header_.size.height;
        if (there_ < height)
            return "it ends after " + std::to_string(there_) + " of " + std::to_string(height) +
                   " rows, the rest is empty";
        return reader_.ends_early() ? "it ends early, the image is coarse or partly empty"
                                    : reader_.warning();
    }
    std::size_t memory() const override { return memory_; }

private:
    void begin() {
        reader_.begin();
        constexpr std::size_t kInks = 4;
        if (reader_.info().num_components == kInks)
            inks_.resize(kInks * static_cast<std::size_t>(header_.size.width));
    }

    Reader reader_;
    std::vector<JSAMPLE> inks_; ///< samples of a row in CMYK
    std::size_t memory_ = 0;
    std::int64_t next_ = 0, there_ = 0;
};

std::unique_ptr<RowReader> read_rows(const ByteSource& bytes, int) {
    return std::make_unique<JpegRows>(bytes);
}

Decoded decode(const Source& source, const Header& header) {
    const MemoryBytes bytes(source.bytes);
    JpegRows rows(bytes);
    Decoded decoded{Image(header.size, header.pixels, source.memory)};
    rows.read(decoded.image.view());
    decoded.damage = rows.damage();
    return decoded;
}

} // namespace

extern const Codec kJpegCodec;
const Codec kJpegCodec{
    "jpeg",
    header,
    decode,
    nullptr,
    {.density = true, .comments = true, .photoshop = true, .xmp_bytes = kMostOfMarker - kXmp.size()},
    read_rows,
    write_jpeg_rows};

} // namespace kg::io
