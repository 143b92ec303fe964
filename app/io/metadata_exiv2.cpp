#include "app/io/metadata.hpp"
#include "core/error.hpp"

#include <exiv2/exiv2.hpp>

#include <algorithm>

namespace kg::io {

namespace {

/// Exiv2 prints what it dislikes unless told otherwise, once.
void be_quiet() {
    static const bool done = [] {
        Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
        return true;
    }();
    static_cast<void>(done);
}

const Exiv2::byte* bytes_of(const std::string& text) {
    return reinterpret_cast<const Exiv2::byte*>(text.data());
}

Exiv2::Image::AutoPtr open(std::string_view file) {
    be_quiet();
    return Exiv2::ImageFactory::open(reinterpret_cast<const Exiv2::byte*>(file.data()),
                                     static_cast<long>(file.size()));
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

std::string clean_exif(const std::string& block, Extent size) {
    be_quiet();
    try {
        Exiv2::ExifData exif;
        const auto order = Exiv2::ExifParser::decode(exif, bytes_of(block),
                                                     static_cast<std::uint32_t>(block.size()));
        drop_thumbnail(exif);
        const auto set = [&](const char* key, std::uint32_t value) {
            if (exif.findKey(Exiv2::ExifKey(key)) != exif.end()) exif[key] = value;
        };
        if (exif.findKey(Exiv2::ExifKey("Exif.Image.Orientation")) != exif.end())
            exif["Exif.Image.Orientation"] = std::uint16_t{1};
        set("Exif.Photo.PixelXDimension", static_cast<std::uint32_t>(size.width));
        set("Exif.Photo.PixelYDimension", static_cast<std::uint32_t>(size.height));
        return encoded(exif, order);
    } catch (const std::exception&) {
        return {};
    }
}

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

bool keeps_metadata() { return true; }

Metadata clean(const Metadata& metadata, Extent size) {
    return {metadata.exif.empty() ? "" : clean_exif(metadata.exif, size), metadata.icc,
            clean_xmp(metadata.xmp)};
}

std::string exif_of_tiff(std::string_view file) {
    try {
        const auto image = open(file);
        image->readMetadata();
        auto exif = image->exifData();
        return encoded(exif, image->byteOrder() == Exiv2::bigEndian ? Exiv2::bigEndian : Exiv2::littleEndian);
    } catch (const std::exception&) { // the pixels can be read without it
        return {};
    }
}

std::string embed(std::string file, const Metadata& metadata) {
    if (metadata.empty()) return file;
    try {
        const auto image = open(file);
        image->readMetadata();
        if (!metadata.exif.empty()) {
            Exiv2::ExifData added;
            Exiv2::ExifParser::decode(added, bytes_of(metadata.exif),
                                      static_cast<std::uint32_t>(metadata.exif.size()));
            for (const auto& datum : added) { // a TIFF file's own tags, such as its width, have the say
                const auto key = Exiv2::ExifKey(datum.key());
                if (image->exifData().findKey(key) == image->exifData().end()) image->exifData().add(datum);
            }
        }
        if (!metadata.icc.empty()) {
            Exiv2::DataBuf icc(bytes_of(metadata.icc), static_cast<long>(metadata.icc.size()));
            image->setIccProfile(icc);
        }
        if (!metadata.xmp.empty()) {
            image->setXmpPacket(metadata.xmp);
            image->writeXmpFromPacket(true);
        }
        image->writeMetadata();
        auto& io = image->io();
        if (io.open() != 0) throw Error("its metadata cannot be written");
        const auto whole = io.read(static_cast<long>(io.size()));
        return {reinterpret_cast<const char*>(whole.pData_), static_cast<std::size_t>(whole.size_)};
    } catch (const Exiv2::Error& error) {
        throw Error("its metadata cannot be written: " + std::string(error.what()));
    }
}

} // namespace kg::io
