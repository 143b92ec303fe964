#include "app/io/metadata/metadata.hpp"

#include "app/io/metadata/colour.hpp"

#include <algorithm>
#include <iterator>

namespace kg::io {

namespace {

/// Resets the orientation in XMP; the rest of the packet is kept byte for byte.
std::string clean_xmp(std::string xmp) {
    constexpr std::string_view kName = "tiff:Orientation";
    for (auto at = xmp.find(kName); at != xmp.npos; at = xmp.find(kName, at + 1)) {
        const auto digit = xmp.find_first_not_of(" =\"'>\t\r\n", at + kName.size());
        if (digit != xmp.npos && xmp[digit] >= '2' && xmp[digit] <= '8') xmp[digit] = '1';
    }
    return xmp;
}

std::size_t big_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::size_t value = 0;
    for (const char c : bytes.substr(at, count)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

/// Removes thumbnails from image resource blocks (Adobe, "Photoshop File Formats Specification"): "8BIM", a
/// number, a name and the data, the latter two padded to even lengths. Everything after a damaged block is
/// dropped.
std::string without_thumbnails(std::string_view blocks) {
    constexpr std::size_t kThumbnail = 1036, kOldThumbnail = 1033;
    std::string kept;
    while (blocks.size() >= 12 && blocks.starts_with("8BIM")) {
        const auto name_end = 6 + (big_endian(blocks, 6, 1) + 2) / 2 * 2;
        if (name_end + 4 > blocks.size()) break;
        const auto size = big_endian(blocks, name_end, 4);
        const auto end = name_end + 4 + size;
        if (size > blocks.size() || end > blocks.size()) break;
        const auto number = big_endian(blocks, 4, 2);
        const auto whole = blocks.substr(0, end + size % 2);
        if (number != kThumbnail && number != kOldThumbnail) kept += whole;
        if (number != kThumbnail && number != kOldThumbnail && whole.size() < end + size % 2) kept += '\0';
        blocks.remove_prefix(whole.size());
    }
    return kept;
}

} // namespace

Metadata clean(const Metadata& metadata, Extent size, std::vector<std::string>& notes) {
    auto cleaned = metadata;
    cleaned.xmp = clean_xmp(metadata.xmp);
    cleaned.photoshop = without_thumbnails(metadata.photoshop);
    cleaned.exif.clear();
    if (!is_profile(metadata.icc)) cleaned.icc.clear();
    if (cleaned.icc.empty() && !metadata.icc.empty())
        notes.push_back("the colour profile is damaged: left out");
    if (metadata.exif.empty()) return cleaned;
    if (keeps_exif()) cleaned.exif = clean_exif(metadata.exif, size);
    if (cleaned.exif.empty())
        notes.push_back(keeps_exif() ? "EXIF is damaged: left out" : "built without Exiv2: EXIF left out");
    return cleaned;
}

Metadata stripped(const Metadata& metadata) {
    Metadata kept;
    kept.icc = metadata.icc;
    kept.density = metadata.density;
    for (const auto& chunk : metadata.chunks)
        if (!chunk.type.ends_with("Xt")) kept.chunks.push_back(chunk); // tEXt, zTXt and iTXt are texts
    constexpr std::string_view kOfSamples[] = {
        "chromaticities",     "whiteLuminance",    "adoptedNeutral", "pixelAspectRatio",
        "screenWindowCenter", "screenWindowWidth", "envmap"};
    for (const auto& attribute : metadata.attributes)
        if (std::ranges::find(kOfSamples, attribute.name) != std::end(kOfSamples))
            kept.attributes.push_back(attribute);
    return kept;
}

} // namespace kg::io
