#include "app/io/metadata.hpp"

#include "app/io/colour.hpp"

namespace kg::io {

namespace {

/// XMP may say the orientation too; its packet is kept to the byte but for that digit.
std::string clean_xmp(std::string xmp) {
    constexpr std::string_view kName = "tiff:Orientation";
    for (auto at = xmp.find(kName); at != xmp.npos; at = xmp.find(kName, at + 1)) {
        const auto digit = xmp.find_first_not_of(" =\"'>\t\r\n", at + kName.size());
        if (digit != xmp.npos && xmp[digit] >= '2' && xmp[digit] <= '8') xmp[digit] = '1';
    }
    return xmp;
}

} // namespace

Metadata clean(const Metadata& metadata, Extent size, std::vector<std::string>& notes) {
    Metadata cleaned;
    cleaned.xmp = clean_xmp(metadata.xmp);
    if (is_profile(metadata.icc)) cleaned.icc = metadata.icc;
    else if (!metadata.icc.empty()) notes.push_back("the colour profile is damaged: left out");
    if (metadata.exif.empty()) return cleaned;
    if (keeps_exif()) cleaned.exif = clean_exif(metadata.exif, size);
    if (cleaned.exif.empty())
        notes.push_back(keeps_exif() ? "EXIF is damaged: left out" : "built without Exiv2: EXIF left out");
    return cleaned;
}

} // namespace kg::io
