// JPEG by libjpeg itself: OpenCV does not say when a file ends early or is damaged (the rest becomes grey), prints on stderr, and
// copies pictures for its own order of channels. This is the reading half.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/jpeg_markers.hpp"
#include "app/io/codecs/jpeg_writer.hpp"
#include "app/io/codecs/mpf.hpp"
#include "app/io/orientation.hpp"
#include "core/error.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <jpeglib.h>

#include <jerror.h>

namespace kg::io {

namespace {

/// libjpeg's errors and warnings, in words and without printing.
struct Events {
    jpeg_error_mgr base; // first, so that libjpeg's pointer to it is a pointer to this
    std::jmp_buf escape;
    char failure[JMSG_LENGTH_MAX];
    char warning[JMSG_LENGTH_MAX]; // the first
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

/// A progressive file may name thousands of scans of a large picture in a few bytes.
void on_progress(j_common_ptr info) {
    constexpr int kMostScans = 200; // cameras and converters write about ten
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMostScans) return;
    std::snprintf(events_of(info).failure, JMSG_LENGTH_MAX, "more than %d scans", kMostScans);
    std::longjmp(events_of(info).escape, 1);
}

class Reader {
public:
    Reader() {
        info_.err = jpeg_std_error(&events_.base);
        events_.base.error_exit = on_error;
        events_.base.emit_message = on_message;
        guarded([this] { jpeg_create_decompress(&info_); });
        progress_.progress_monitor = on_progress;
        info_.progress = &progress_;
    }
    void open(std::string_view bytes) {
        guarded([this, bytes] {
            jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
            jpeg_save_markers(&info_, JPEG_COM, 0xFFFF);
            for (int i = 1; i < 16; ++i) jpeg_save_markers(&info_, JPEG_APP0 + i, 0xFFFF);
            jpeg_read_header(&info_, TRUE);
        });
    }
    Reader(Reader&&) = delete;
    ~Reader() { jpeg_destroy_decompress(&info_); }

    jpeg_decompress_struct& info() { return info_; }

    /// libjpeg leaves by longjmp: `work` must have nothing to destroy.
    template <typename Work>
    void guarded(Work work) {
        if (setjmp(events_.escape)) {
            if (events_.base.msg_code == JERR_BAD_PRECISION)
                throw Error(
                    "it is a JPEG of more than 8 bits a sample, which is not read; save it as a 16-bit PNG "
                    "or TIFF");
            throw Error("it is damaged: " + std::string(events_.failure));
        }
        work();
    }

    /// Decodes rows into what row(y) points to, then calls done(y). Returns how many rows there are before the file
    /// ends; a progressive file has all of them, only coarser.
    template <typename Row, typename Done>
    std::int64_t decode(Row row, Done done) {
        guarded([this, row, done] {
            info_.out_color_space = info_.num_components == 1   ? JCS_GRAYSCALE
                                    : info_.num_components == 3 ? JCS_RGB
                                                                : JCS_CMYK;
            jpeg_start_decompress(&info_);
            const bool early_but_whole = events_.ends_early;
            while (info_.output_scanline < info_.output_height) {
                JSAMPROW to = row(info_.output_scanline);
                jpeg_read_scanlines(&info_, &to, 1);
                if (events_.ends_early && !early_but_whole) return;
                done(info_.output_scanline - 1);
                rows_ = info_.output_scanline;
            }
        });
        return rows_;
    }
    bool ends_early() const { return events_.ends_early; }
    std::string warning() const { return events_.warning; }

private:
    jpeg_decompress_struct info_{};
    Events events_{};
    jpeg_progress_mgr progress_{};
    std::int64_t rows_ = 0; // a member, so that longjmp cannot lose it
};

Metadata::Density density_of(const jpeg_decompress_struct& info) {
    if (!info.saw_JFIF_marker || info.X_density == 0 || info.Y_density == 0) return {};
    const bool square = info.X_density == info.Y_density;
    if (info.density_unit == 0 && square) return {}; // says nothing
    const double scale = info.density_unit == 1 ? kInchesPerMetre : info.density_unit == 2 ? 100 : 1;
    return {info.X_density * scale, info.Y_density * scale, info.density_unit != 0};
}

std::string pictures_text(std::size_t count, const char* kind, const char* where) {
    return std::to_string(count) + " " + kind + (count == 1 ? " picture" : " pictures") + " in the file (" +
           where + (count == 1 ? ") is left out" : ") are left out");
}

/// Previews show nothing new, and nearly every camera writes them: a note would be noise.
void say(const FurtherPictures& pictures, Header& header) {
    if (pictures.previews) header.details.push_back(pictures_text(pictures.previews, "preview", "MPF"));
    if (pictures.others) header.notes.push_back(pictures_text(pictures.others, "further", "MPF"));
    if (pictures.undefined)
        header.notes.push_back(
            pictures_text(pictures.undefined, "further", "MPF, where phones keep the gain map of HDR"));
}

/// What the markers hold; says in the header what will be lost.
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
        else if (const auto pictures = app == 2 && data.starts_with(kMpf)
                                           ? further_pictures(data.substr(kMpf.size()))
                                           : std::nullopt)
            say(*pictures, header);
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

Header header(const Source& source) {
    Reader reader;
    reader.open(source.bytes);
    const int components = reader.info().num_components;
    if (components == 2 || components > 4)
        throw Error("it is a JPEG of " + std::to_string(components) + " components, which is not read");
    Header header;
    header.size = {reader.info().image_width, reader.info().image_height};
    header.pixels = {Depth::u8, components == 1 ? 1 : 3};
    header.metadata = metadata_of(reader, header);
    header.orientation = orientation_of(header.metadata.exif);
    if (components == 4) {
        header.original = reader.info().jpeg_color_space == JCS_YCCK ? "YCCK" : "CMYK";
        header.notes.push_back("converted to RGB without a profile");
        header.metadata.icc.clear(); // it speaks of four inks
    }
    return header;
}

/// As Adobe stores it, 255 is no ink; everybody reads it so, with or without Adobe's marker.
void rgb_from_cmyk(const JSAMPLE* cmyk, JSAMPLE* rgb, std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels; ++i, cmyk += 4, rgb += 3)
        for (int c = 0; c < 3; ++c) rgb[c] = static_cast<JSAMPLE>((cmyk[c] * cmyk[3] + 127) / 255);
}

Decoded decode(const Source& source, const Header& header) {
    Reader reader;
    reader.open(source.bytes);
    Decoded decoded{Image(header.size, header.pixels)};
    const auto view = decoded.image.view();
    const auto width = header.size.width;
    std::vector<JSAMPLE> inks(reader.info().num_components == 4 ? static_cast<std::size_t>(width) * 4 : 0);
    auto* const scratch = inks.empty() ? nullptr : inks.data();
    const auto rows = reader.decode(
        [view, scratch](std::int64_t y) { return scratch ? scratch : view.row<JSAMPLE>(y); },
        [view, scratch, width](std::int64_t y) {
            if (scratch) rgb_from_cmyk(scratch, view.row<JSAMPLE>(y), width);
        });
    if (rows == 0) throw Error("it ends before its first row");
    for (auto y = rows; y < header.size.height; ++y)
        std::memset(view.row<std::byte>(y), 0,
                    static_cast<std::size_t>(width) * bytes_per_pixel(header.pixels));
    if (rows < header.size.height)
        decoded.damage = "it ends after " + std::to_string(rows) + " of " +
                         std::to_string(header.size.height) + " rows, the rest is empty";
    else if (reader.ends_early()) decoded.damage = "it ends early, the picture is coarse or partly empty";
    else decoded.damage = reader.warning();
    return decoded;
}

} // namespace

extern const Codec kJpegCodec;
const Codec kJpegCodec{
    "jpeg",
    header,
    decode,
    write_jpeg,
    {.density = true, .comments = true, .photoshop = true, .xmp_bytes = kMostOfMarker - kXmp.size()}};

} // namespace kg::io
