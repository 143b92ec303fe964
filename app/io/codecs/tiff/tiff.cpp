// TIFF through libtiff: OpenCV mixes up the planes of planar files, ignores the alpha tag, prints on stderr,
// and writes alpha without a tag. This file interprets the tags; tiff_pixels.cpp reads the samples,
// tiff_writer.cpp writes files.

#include "app/io/codecs/codec.hpp"
#include "app/io/codecs/tiff/tiff_file.hpp"
#include "app/io/codecs/tiff/tiff_pixels.hpp"
#include "app/io/codecs/tiff/tiff_tags.hpp"
#include "app/io/codecs/tiff/tiff_writer.hpp"
#include "core/support/error.hpp"

#include <optional>
#include <utility>

#include <tiffio.h>

namespace kg::io {

namespace {

std::string name_of(std::uint32_t photometric) {
    switch (photometric) {
    case PHOTOMETRIC_SEPARATED: return "CMYK";
    case PHOTOMETRIC_YCBCR: return "YCbCr";
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB: return "Lab";
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV: return "LogLuv";
    default: return "colour model " + std::to_string(photometric); // TIFF does not close the list
    }
}

/// Interprets the extra samples beside `colours`: whether the first is alpha, and whether colour is
/// premultiplied by it.
void find_alpha(const TiffFile& file, int samples, int colours, Header& header) {
    std::uint16_t count = 0, *kinds = nullptr;
    TIFFGetFieldDefaulted(file.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds);
    const int extra = samples - colours, kind = count ? kinds[0] : EXTRASAMPLE_UNSPECIFIED;
    const bool alone = extra == 1 && kind == EXTRASAMPLE_UNSPECIFIED;
    if (alone || (extra >= 1 && kind != EXTRASAMPLE_UNSPECIFIED)) {
        header.pixels.channels = colours + 1;
        header.pixels.alpha = colours;
        header.pixels.premultiplied = kind == EXTRASAMPLE_ASSOCALPHA;
        header.metadata.associated_alpha = header.pixels.premultiplied;
        if (alone) header.notes.push_back("its last channel is not marked and taken as alpha");
    }
    if (samples > header.pixels.channels)
        header.notes.push_back(std::to_string(samples - header.pixels.channels) + " extra channels left out");
}

/// The depth for samples of this kind.
Depth depth_of(int bits, std::uint32_t kind, Header& header) {
    if (kind == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32 || bits == 64)) {
        header.stored = bits == 16 ? Depth::f16 : Depth::f32;
        if (bits == 64) header.notes.push_back("64-bit float read as 32-bit");
        return Depth::f32;
    }
    if ((kind != SAMPLEFORMAT_UINT && kind != SAMPLEFORMAT_VOID) || bits < 1 || bits > 16)
        throw Error("unsupported-depth", "its samples are {}-bit {}, which are not supported", bits,
                    kind == SAMPLEFORMAT_INT ? "signed integers" : "numbers");
    header.stored = bits > 8 ? Depth::u16 : Depth::u8;
    if (bits != 8 && bits != 16) header.original = std::to_string(bits) + "-bit samples";
    return header.stored;
}

struct Page {
    Header header;
    TiffLayout layout;
};

Page page_of(TiffFile& file) {
    Page page;
    auto& [header, layout] = page;
    auto* tiff = file.get();
    header.size = layout.size = {file.number(TIFFTAG_IMAGEWIDTH), file.number(TIFFTAG_IMAGELENGTH)};
    auto photometric = file.number(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    if (photometric == PHOTOMETRIC_YCBCR && file.number(TIFFTAG_COMPRESSION) == COMPRESSION_JPEG) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    layout.bits = static_cast<int>(file.number(TIFFTAG_BITSPERSAMPLE));
    layout.samples = static_cast<int>(file.number(TIFFTAG_SAMPLESPERPIXEL));
    if (layout.samples < 1 || layout.samples > 64)
        throw Error("damaged-file", "it is damaged: {} samples a pixel", layout.samples);
    layout.planar = file.number(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && layout.samples > 1;
    const auto kind = file.number(TIFFTAG_SAMPLEFORMAT);
    layout.floats = kind == SAMPLEFORMAT_IEEEFP;
    layout.inverted = photometric == PHOTOMETRIC_MINISWHITE;
    const bool grey = layout.inverted || photometric == PHOTOMETRIC_MINISBLACK;
    const bool palette = photometric == PHOTOMETRIC_PALETTE && layout.bits <= 8 && layout.samples == 1;
    const bool inks = photometric == PHOTOMETRIC_SEPARATED && layout.samples == 4 && !layout.planar &&
                      !layout.floats;
    if (palette) {
        layout.meaning = TiffLayout::Meaning::palette;
        header.pixels = {Depth::u8, 3};
        header.original = "palette";
    } else if ((grey) || (photometric == PHOTOMETRIC_RGB && layout.samples >= 3) || inks) {
        layout.meaning = inks ? TiffLayout::Meaning::cmyk : TiffLayout::Meaning::channels;
        const auto depth = depth_of(layout.bits, kind, header);
        header.pixels = {depth, grey ? 1 : 3};
        if (!inks) find_alpha(file, layout.samples, header.pixels.channels, header);
    } else if (layout.bits == 8 && photometric != PHOTOMETRIC_LOGLUV && photometric != PHOTOMETRIC_LOGL) {
        char reason[1024] = "";
        if (!TIFFRGBAImageOK(tiff, reason)) throw Error("unsupported-colours", "it is not read: {}", reason);
        layout.meaning = TiffLayout::Meaning::other;
        header.pixels = {Depth::u8, 3};
    } else {
        throw Error("unsupported-colours", "its colours are {}, which is not supported",
                    name_of(photometric));
    }
    if (inks || layout.meaning == TiffLayout::Meaning::other) {
        header.original = name_of(photometric);
        header.notes.push_back("converted to RGB without a profile");
    }
    return page;
}

Metadata::Density density_of(const TiffFile& file) {
    float x = 0, y = 0;
    TIFFGetField(file.get(), TIFFTAG_XRESOLUTION, &x);
    TIFFGetField(file.get(), TIFFTAG_YRESOLUTION, &y);
    const auto unit = file.number(TIFFTAG_RESOLUTIONUNIT);
    if (!(x > 0 && y > 0) || (unit == RESUNIT_NONE && x == y)) return {};
    const double scale = unit == RESUNIT_INCH ? 1 / 0.0254 : unit == RESUNIT_CENTIMETER ? 100 : 1;
    return {static_cast<double>(x) * scale, static_cast<double>(y) * scale, unit != RESUNIT_NONE};
}

int pages_of(const ByteSource& bytes) { return TiffFile(bytes, 1).pages(); }

/// Reads the tags that do not describe the samples.
void read_tags(const TiffFile& file, const ByteSource& bytes, int page, Header& header) {
    const auto orientation = static_cast<int>(file.number(TIFFTAG_ORIENTATION, 1));
    header.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    header.metadata.xmp = file.blob(TIFFTAG_XMLPACKET);
    if (header.original != "CMYK") header.metadata.icc = file.blob(TIFFTAG_ICCPROFILE);
    header.metadata.photoshop = file.blob(TIFFTAG_PHOTOSHOP);
    header.metadata.density = density_of(file);
    const bool has_iptc = header.metadata.photoshop.find("8BIM\x04\x04") != std::string::npos;
    if (!has_iptc && TIFFFindField(file.get(), TIFFTAG_RICHTIFFIPTC, TIFF_ANY) &&
        !file.blob(TIFFTAG_RICHTIFFIPTC).empty())
        header.notes.push_back("its IPTC data is not kept");
    header.metadata.exif = exif_of_page(file, bytes, page);
}

Header header(const Source& source) {
    const MemoryBytes bytes(source.bytes);
    Header header;
    const int pages = pages_of(bytes);
    if (source.page <= pages) { // else the caller throws
        TiffFile file(bytes, source.page);
        header = page_of(file).header;
        read_tags(file, bytes, source.page, header);
    }
    header.pages = pages;
    return header;
}

Decoded decode(const Source& source, const Header& header) {
    const MemoryBytes bytes(source.bytes);
    TiffFile file(bytes, source.page);
    const auto page = page_of(file);
    Decoded decoded{Image(header.size, header.pixels, source.memory)};
    file.forget(); // its messages about tags do not matter
    if (page.layout.meaning == TiffLayout::Meaning::other)
        read_converted(file, page.layout, decoded.image.view());
    else TiffPixels(file, page.layout, header.pixels, false).read(decoded.image.view());
    decoded.damage = file.complaint();
    return decoded;
}

class TiffRows final : public RowReader {
public:
    TiffRows(const ByteSource& bytes, int page) : file_(bytes, page) {
        auto [header, layout] = page_of(file_);
        if (layout.meaning == TiffLayout::Meaning::other)
            throw NotByRows("converted-colours", "its colours ({}) are converted all at once",
                            header.original);
        header_ = std::move(header);
        header_.pages = pages_of(bytes);
        read_tags(file_, bytes, page, header_);
        file_.forget();
        pixels_.emplace(file_, layout, header_.pixels, true);
    }
    void read(const ImageView& rows) override { pixels_->read(rows); }
    std::string damage() override { return file_.complaint(); }
    std::size_t memory() const override { return pixels_->memory(); }

private:
    TiffFile file_;
    std::optional<TiffPixels> pixels_;
};

std::unique_ptr<RowReader> read_rows(const ByteSource& bytes, int page) {
    return std::make_unique<TiffRows>(bytes, page);
}

} // namespace

extern const Codec kTiffCodec;
const Codec kTiffCodec{"tiff",
                       header,
                       decode,
                       nullptr,
                       {.density = true, .photoshop = true, .associated_alpha = true},
                       read_rows,
                       write_tiff_rows};

} // namespace kg::io
