#include "app/io/metadata/metadata.hpp"
#include "core/support/error.hpp"

#include <exiv2/exiv2.hpp>

#include <algorithm>
#include <mutex>

namespace kg::io {

namespace {

/// Initialises Exiv2 once: disables its output, and sets the lock of its XMP toolkit, which threads share.
void prepare() {
    static std::mutex toolkit;
    static const bool done = [] {
        Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
        const auto lock = [](void* mutex, bool locked) {
            locked ? static_cast<std::mutex*>(mutex)->lock() : static_cast<std::mutex*>(mutex)->unlock();
        };
        return Exiv2::XmpParser::initialize(lock, &toolkit);
    }();
    static_cast<void>(done);
}

constexpr const char* kInteroperability = "Exif.Iop.InteroperabilityIndex";

const Exiv2::byte* bytes_of(std::string_view text) {
    return reinterpret_cast<const Exiv2::byte*>(text.data());
}

Exiv2::Image::AutoPtr open(std::string_view file) {
    prepare();
    return Exiv2::ImageFactory::open(bytes_of(file), static_cast<long>(file.size()));
}

std::string encoded(Exiv2::ExifData& exif, Exiv2::ByteOrder order) {
    if (exif.empty()) return {};
    Exiv2::Blob blob;
    Exiv2::ExifParser::encode(blob, order, exif);
    return {blob.begin(), blob.end()};
}

void drop_thumbnail(Exiv2::ExifData& exif) {
    Exiv2::ExifThumb(exif).erase();
    for (auto datum = exif.begin(); datum != exif.end();)
        datum = datum->groupName() == "Thumbnail" ? exif.erase(datum) : std::next(datum);
}

/// Keeps the tags that describe the image. In a TIFF file they are among the tags for the layout of the
/// pixels. The codec handles the density.
void keep_descriptions(Exiv2::ExifData& exif) {
    constexpr std::string_view kKept[] = {"ImageDescription",
                                          "Make",
                                          "Model",
                                          "Orientation",
                                          "Software",
                                          "DateTime",
                                          "Artist",
                                          "HostComputer",
                                          "Rating",
                                          "RatingPercent",
                                          "Copyright",
                                          "XPTitle",
                                          "XPComment",
                                          "XPAuthor",
                                          "XPKeywords",
                                          "XPSubject",
                                          "DocumentName",
                                          "PageName",
                                          "CameraSerialNumber",
                                          "UniqueCameraModel",
                                          "DateTimeOriginal",
                                          "ImageHistory",
                                          "ImageNumber",
                                          "ExifTag",
                                          "GPSTag"};
    constexpr std::string_view kGroups[] = {"Image", "Photo", "GPSInfo", "Iop"};
    for (auto datum = exif.begin(); datum != exif.end();) {
        const bool kept = std::ranges::find(kGroups, datum->groupName()) != std::end(kGroups) &&
                          (datum->groupName() != "Image" ||
                           std::ranges::find(kKept, datum->tagName()) != std::end(kKept));
        datum = kept ? std::next(datum) : exif.erase(datum);
    }
}

} // namespace

bool keeps_exif() { return true; }

std::string clean_exif(const std::string& block, Extent size) {
    prepare();
    try {
        Exiv2::ExifData exif;
        const auto order = Exiv2::ExifParser::decode(exif, bytes_of(block),
                                                     static_cast<std::uint32_t>(block.size()));
        drop_thumbnail(exif);
        const auto replace = [&](const char* key, auto value) {
            if (exif.findKey(Exiv2::ExifKey(key)) != exif.end()) exif[key] = value;
        };
        replace("Exif.Image.Orientation", std::uint16_t{1});
        replace("Exif.Photo.PixelXDimension", static_cast<std::uint32_t>(size.width));
        replace("Exif.Photo.PixelYDimension", static_cast<std::uint32_t>(size.height));
        return encoded(exif, order);
    } catch (const std::exception&) {
        return {};
    }
}

bool declares_adobe_rgb(const std::string& block) {
    if (block.find("R03") == block.npos) return false; // avoids parsing most blocks
    prepare();
    try {
        Exiv2::ExifData exif;
        Exiv2::ExifParser::decode(exif, bytes_of(block), static_cast<std::uint32_t>(block.size()));
        const auto index = exif.findKey(Exiv2::ExifKey(kInteroperability));
        return index != exif.end() && index->toString().substr(0, 3) == "R03";
    } catch (const std::exception&) {
        return false;
    }
}

std::string exif_in_srgb(const std::string& block) {
    if (block.empty()) return block;
    prepare();
    try {
        Exiv2::ExifData exif;
        const auto order = Exiv2::ExifParser::decode(exif, bytes_of(block),
                                                     static_cast<std::uint32_t>(block.size()));
        constexpr const char* kSpace = "Exif.Photo.ColorSpace";
        if (exif.findKey(Exiv2::ExifKey(kSpace)) != exif.end()) exif[kSpace] = std::uint16_t{1};
        if (exif.findKey(Exiv2::ExifKey(kInteroperability)) != exif.end()) exif[kInteroperability] = "R98";
        return encoded(exif, order);
    } catch (const std::exception&) { // clean_exif() will report it
        return block;
    }
}

std::string exif_of_tiff(std::string_view file) {
    try {
        const auto image = open(file);
        image->readMetadata();
        auto exif = image->exifData();
        keep_descriptions(exif);
        // The codec reads the orientation itself; without other tags there is no EXIF to keep.
        const bool only_turned = std::ranges::all_of(
            exif, [](const auto& datum) { return datum.key() == "Exif.Image.Orientation"; });
        if (only_turned) return {};
        return encoded(exif, image->byteOrder() == Exiv2::bigEndian ? Exiv2::bigEndian : Exiv2::littleEndian);
    } catch (const std::exception&) { // the pixels can be read without it
        return {};
    }
}

std::string add_exif_to_tiff(std::string file, const std::string& block, const std::string& xmp) {
    if (block.empty()) return file;
    try {
        const auto image = open(file);
        image->readMetadata();
        auto& own = image->exifData();
        Exiv2::ExifData added;
        Exiv2::ExifParser::decode(added, bytes_of(block), static_cast<std::uint32_t>(block.size()));
        for (const auto& datum : added) // the file's own tags, such as its width, take precedence
            if (own.findKey(Exiv2::ExifKey(datum.key())) == own.end()) own.add(datum);
        image->xmpData().setPacket(xmp); // byte for byte, not as Exiv2 would write it
        image->writeXmpFromPacket(true);
        image->writeMetadata();
        auto& io = image->io();
        if (io.open() != 0) throw Error("cannot-write-exif", "its EXIF cannot be written");
        const auto whole = io.read(static_cast<long>(io.size()));
        return {reinterpret_cast<const char*>(whole.pData_), static_cast<std::size_t>(whole.size_)};
    } catch (const Exiv2::Error& error) {
        throw Error("cannot-write-exif", "its EXIF cannot be written: {}", error.what());
    }
}

} // namespace kg::io
