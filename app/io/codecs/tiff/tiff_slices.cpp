#include "app/io/codecs/tiff/tiff_slices.hpp"

#include "app/io/codecs/tiff/tiff_file.hpp"

#include <algorithm>

#include <tiffio.h>

namespace kg::io {

namespace {

/// Above it, 32-bit offsets may not suffice, because compression can enlarge the data.
constexpr std::uint64_t kSmallTiff = 3'500'000'000u;
constexpr std::int64_t kStripBytes = 1 << 20;

void set_layout(tiff* file, Extent size, std::int64_t strip_rows) {
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(size.width));
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(size.height));
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(file, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(file, TIFFTAG_ZIPQUALITY, 3);
    TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(strip_rows));
}

} // namespace

std::string tiff_of_slices(const ConstTensorView& slices) {
    const auto [width, height] = slices.size;
    const auto row_bytes = static_cast<std::int64_t>(sizeof(float)) * width;
    const auto strip_rows = std::clamp<std::int64_t>(kStripBytes / row_bytes, 1, height);
    const auto bytes = static_cast<std::uint64_t>(row_bytes * height * slices.format.channels);
    StringSink sink;
    TiffFile file(sink, bytes > kSmallTiff);
    std::string strip;
    for (std::int64_t slice = 0; slice < slices.format.channels; ++slice) {
        if (slice > 0) file.require(TIFFWriteDirectory(file.get()) == 1);
        set_layout(file.get(), slices.size, strip_rows);
        for (std::int64_t y = 0; y < height; y += strip_rows) {
            strip.clear();
            for (auto row = y; row < std::min(y + strip_rows, height); ++row)
                strip.append(reinterpret_cast<const char*>(slices.at(0, row, slice)),
                             static_cast<std::size_t>(row_bytes));
            const auto size = static_cast<tmsize_t>(strip.size());
            file.require(TIFFWriteEncodedStrip(file.get(), static_cast<std::uint32_t>(y / strip_rows),
                                               strip.data(), size) == size);
        }
    }
    file.finish();
    return sink.take();
}

} // namespace kg::io
