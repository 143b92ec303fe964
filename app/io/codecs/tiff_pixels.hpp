#pragma once
// Samples of a TIFF page, in strips or tiles, packed or planar, from 1 to 64 bits, to and from our rows.

#include "app/io/codecs/tiff_file.hpp"
#include "core/image.hpp"

namespace kg::io {

struct TiffLayout {
    enum class Meaning : std::uint8_t {
        channels, ///< samples are grey or RGB, with alpha or not
        palette,
        cmyk,
        other ///< whatever libtiff itself can turn into 8-bit RGB
    };
    Extent size;
    int bits = 8, samples = 1;
    bool floats = false, planar = false;
    bool inverted = false; ///< 0 is white
    Meaning meaning = Meaning::channels;
};

/// Fills the picture, whose format says which samples are wanted. Throws Error at the first damage.
void read_pixels(TiffFile& file, const TiffLayout& layout, const ImageView& to);

/// Writes all strips of `rows` rows each; the tags are set. Throws Error.
void write_pixels(TiffFile& file, const ConstImageView& picture, std::int64_t rows);

} // namespace kg::io
