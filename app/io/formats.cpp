#include "app/io/formats.hpp"

#include "app/io/codecs/opencv/opencv.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <vector>

namespace kg {

namespace {

/// `reads` and `writes` are by depth: u8, u16, f16, f32.
constexpr FileFormat kFormats[] = {
    {
        .id = "png",
        .title = "PNG",
        .extensions = {"png"},
        .reads = {true, true},
        .writes = {true, true},
        .alpha = true,
        .metadata = true,
    },
    {
        .id = "jpeg",
        .title = "JPEG",
        .extensions = {"jpg", "jpeg", "jpe", "jfif"},
        .reads = {true},
        .writes = {true},
        .metadata = true,
        .remark = "CMYK is converted to RGB when read; written at quality 95; 12 bits a sample are refused.",
    },
    {
        .id = "tiff",
        .title = "TIFF",
        .extensions = {"tif", "tiff"},
        .reads = {true, true, true, true},
        .writes = {true, true, false, true},
        .alpha = true,
        .metadata = true,
        .remark = "Of several pages one is read; written without loss (Deflate).",
    },
    {
        .id = "webp",
        .title = "WebP",
        .extensions = {"webp"},
        .reads = {true},
        .writes = {true},
        .alpha = true,
        .metadata = true,
        .remark = "Written without loss, but colour where alpha is 0 is not kept.",
    },
    {
        .id = "bmp",
        .title = "BMP",
        .extensions = {"bmp", "dib"},
        .reads = {true},
        .writes = {true},
        .alpha = true,
    },
    {
        .id = "pnm",
        .title = "PBM, PGM, PPM",
        .extensions = {"ppm", "pgm", "pnm", "pbm"},
        .reads = {true, true},
        .writes = {true, true},
        .remark = ".pgm holds grey only; .pbm is read only.",
    },
    {
        .id = "pam",
        .title = "PAM",
        .extensions = {"pam"},
        .reads = {true, true},
        .writes = {true, true},
        .alpha = true,
    },
    {
        .id = "pfm",
        .title = "PFM",
        .extensions = {"pfm"},
        .reads = {false, false, false, true},
        .writes = {false, false, false, true},
    },
    {
        .id = "exr",
        .title = "OpenEXR",
        .extensions = {"exr"},
        .reads = {false, false, true, true},
        .writes = {false, false, true, true},
        .alpha = true,
        .remark = "Linear light, alpha premultiplied; the first part's R, G, B, A or Y is read.",
        .linear = true,
        .premultiplied = true,
    },
    {
        .id = "hdr",
        .title = "Radiance HDR",
        .extensions = {"hdr", "pic", "rgbe"},
        .reads = {false, false, false, true},
        .writes = {false, false, false, true},
        .remark = "Linear light; 8 bits of precision with an exponent, negative values become 0.",
        .linear = true,
    },
    {
        .id = "jp2",
        .title = "JPEG 2000",
        .extensions = {"jp2", "j2k", "j2c", "jpc"},
        .reads = {true, true},
        .alpha = true,
        .remark = "Read only: grey, RGB or RGB with alpha of 1 to 16 bits; its colour profile is kept.",
        .opencv = ".jp2",
    },
    {
        .id = "ras",
        .title = "Sun raster",
        .extensions = {"ras", "sr"},
        .reads = {true},
        .remark = "Read only: 8, 24 and 32 bits a pixel without run lengths.",
        .opencv = ".ras",
    },
    {
        .id = "gif",
        .title = "GIF",
        .extensions = {"gif"},
        .reads = {true},
        .alpha = true,
        .remark = "Read only: the first image.",
        .opencv = ".gif",
    },
    {
        .id = "avif",
        .title = "AVIF",
        .extensions = {"avif"},
        .reads = {true, true},
        .alpha = true,
        .remark = "Read only: the primary image of 8, 10 or 12 bits; its colour profile is kept.",
        .opencv = ".avif",
    },
};

const FileFormat* with_id(std::string_view id) {
    const auto* found = std::ranges::find(kFormats, id, &FileFormat::id);
    return found == std::end(kFormats) ? nullptr : found;
}

/// Loads OpenCV's codecs if only they know.
bool is_present(const FileFormat& format) {
    return format.opencv.empty() || io::opencv_reads(std::string(format.opencv));
}

template <typename Property>
std::vector<FileFormat> those_of_all(Property property) {
    std::vector<FileFormat> formats;
    std::ranges::copy_if(kFormats, std::back_inserter(formats), property);
    return formats;
}

/// In lower case.
std::string without_dot(std::string_view extension) {
    return lower_case(extension.starts_with('.') ? extension.substr(1) : extension);
}

bool is_netpbm(std::string_view b, std::string_view kinds) {
    return b.size() > 2 && b[0] == 'P' && kinds.find(b[1]) != std::string_view::npos &&
           (std::isspace(static_cast<unsigned char>(b[2])) || b[2] == '#');
}

} // namespace

std::span<const FileFormat> formats() {
    static const auto present = those_of_all(is_present);
    return present;
}

std::span<const FileFormat> written_formats() {
    static const auto written = those_of_all(&FileFormat::is_written);
    return written;
}

const FileFormat* format_by_extension(std::string_view extension) {
    const auto wanted = without_dot(extension);
    if (wanted.empty()) return nullptr;
    for (const auto& format : kFormats)
        if (std::ranges::find(format.extensions, wanted) != format.extensions.end())
            return is_present(format) ? &format : nullptr;
    return nullptr;
}

const FileFormat& format_with_id(std::string_view id) {
    if (const auto* format = with_id(id)) return *format;
    throw Error("unknown-format", "{} is not an image format", in_quotes(id));
}

std::string writable_extension(const std::string& extension) {
    const auto wanted = without_dot(extension);
    if (wanted == "pbm") return ".pgm";
    const bool read_only = !wanted.empty() && std::ranges::any_of(kFormats, [&](const FileFormat& format) {
        return !format.is_written() &&
               std::ranges::find(format.extensions, wanted) != format.extensions.end();
    });
    return read_only ? ".png" : extension;
}

const FileFormat& format_of(std::string_view id_or_extension) {
    const auto wanted = without_dot(id_or_extension);
    if (wanted == "pbm")
        throw Error("read-only-format", "a PBM file holds black and white only and is not written; use .pgm");
    std::string known;
    bool read_only = false;
    for (const auto& format : kFormats) {
        const bool named = std::ranges::find(format.extensions, wanted) != format.extensions.end();
        const bool is_wanted = !wanted.empty() && (named || format.id == wanted);
        if (is_wanted && format.is_written()) return format;
        read_only = read_only || is_wanted;
        if (format.is_written())
            known += (known.empty() ? "" : ", ") + std::string(format.extensions.front());
    }
    throw Error(read_only ? "read-only-format" : "unknown-format",
                "{} is not an image format that can be written; use {}", in_quotes(id_or_extension), known);
}

const FileFormat* format_of_bytes(std::string_view b) {
    using namespace std::string_view_literals;
    if (b.starts_with("\x89PNG\r\n\x1a\n"sv)) return with_id("png");
    if (b.starts_with("\xff\xd8\xff"sv)) return with_id("jpeg");
    for (const auto start : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})
        if (b.starts_with(start)) return with_id("tiff");
    if (b.starts_with("RIFF"sv) && b.substr(0, 12).ends_with("WEBP"sv)) return with_id("webp");
    if (b.starts_with("BM"sv)) return with_id("bmp");
    if (is_netpbm(b, "123456")) return with_id("pnm");
    if (is_netpbm(b, "7")) return with_id("pam");
    if (is_netpbm(b, "Ff")) return with_id("pfm");
    if (b.starts_with("\x76\x2f\x31\x01"sv)) return with_id("exr");
    if (b.starts_with("#?RADIANCE"sv) || b.starts_with("#?RGBE"sv)) return with_id("hdr");
    if (b.starts_with("\0\0\0\x0cjP  \r\n\x87\n"sv) || b.starts_with("\xff\x4f\xff\x51"sv))
        return with_id("jp2");
    if (b.starts_with("\x59\xa6\x6a\x95"sv)) return with_id("ras");
    if (b.starts_with("GIF87a"sv) || b.starts_with("GIF89a"sv)) return with_id("gif");
    if (const auto brand = b.substr(0, 12); brand.ends_with("ftypavif") || brand.ends_with("ftypavis"))
        return with_id("avif");
    return nullptr;
}

Storable storable(std::string_view id_or_extension, Depth wanted) {
    const auto& format = format_of(id_or_extension);
    const auto holds = [&](Depth depth) { return format.writes[static_cast<std::size_t>(depth)]; };
    if (holds(wanted)) return {wanted, format.alpha};
    for (const auto depth : {Depth::f32, Depth::u16, Depth::u8}) // the deepest one available loses least
        if (holds(depth)) return {depth, format.alpha};
    return {Depth::u8, format.alpha};
}

} // namespace kg
