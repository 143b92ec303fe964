#include "app/io/formats.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace kg {

namespace {

constexpr FileFormat kFormats[] = {
    {"png", "PNG", {"png"}, {true, true}, {true, true}, true, true, ""},
    {"jpeg",
     "JPEG",
     {"jpg", "jpeg", "jpe", "jfif"},
     {true},
     {true},
     false,
     true,
     "CMYK is converted to RGB when read; written at quality 95; 12 bits a sample are refused."},
    {"tiff",
     "TIFF",
     {"tif", "tiff"},
     {true, true, true, true},
     {true, true, false, true},
     true,
     true,
     "Of several pages one is read; written without loss (Deflate)."},
    {"webp",
     "WebP",
     {"webp"},
     {true},
     {true},
     true,
     true,
     "Written without loss, but colour where alpha is 0 is not kept."},
    {"bmp", "BMP", {"bmp", "dib"}, {true}, {true}, true, false, ""},
    {"pnm",
     "PBM, PGM, PPM",
     {"ppm", "pgm", "pnm", "pbm"},
     {true, true},
     {true, true},
     false,
     false,
     ".pgm holds grey only; .pbm is read only."},
    {"pam", "PAM", {"pam"}, {true, true}, {true, true}, true, false, ""},
    {"pfm", "PFM", {"pfm"}, {false, false, false, true}, {false, false, false, true}, false, false, ""},
    {"exr",
     "OpenEXR",
     {"exr"},
     {false, false, true, true},
     {false, false, true, true},
     true,
     false,
     "Linear light, alpha premultiplied; the first part's R, G, B, A or Y is read.",
     true,
     true},
    {"hdr",
     "Radiance HDR",
     {"hdr", "pic", "rgbe"},
     {false, false, false, true},
     {false, false, false, true},
     false,
     false,
     "Linear light; 8 bits of precision with an exponent, negative values become 0.",
     true},
};

const FileFormat* with_id(std::string_view id) {
    const auto* found = std::ranges::find(kFormats, id, &FileFormat::id);
    return found == std::end(kFormats) ? nullptr : found;
}

bool is_netpbm(std::string_view b, std::string_view kinds) {
    return b.size() > 2 && b[0] == 'P' && kinds.find(b[1]) != std::string_view::npos &&
           (std::isspace(static_cast<unsigned char>(b[2])) || b[2] == '#');
}

} // namespace

std::span<const FileFormat> formats() { return kFormats; }

const FileFormat& format_of(std::string_view id_or_extension) {
    std::string wanted(id_or_extension.starts_with('.') ? id_or_extension.substr(1) : id_or_extension);
    std::ranges::transform(wanted, wanted.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (wanted == "pbm") throw Error("a PBM file holds black and white only and is not written; use .pgm");
    std::string known;
    for (const auto& format : kFormats) {
        const bool named = std::ranges::find(format.extensions, wanted) != format.extensions.end();
        if (!wanted.empty() && (named || format.id == wanted)) return format;
        known += (known.empty() ? "" : ", ") + std::string(format.extensions.front());
    }
    throw Error(in_quotes(id_or_extension) + " is not an image format that can be written; use " + known);
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
