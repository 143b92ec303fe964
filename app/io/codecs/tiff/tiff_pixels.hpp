#pragma once
// Reads the samples of a TIFF page, in strips or tiles, interleaved or planar, from 1 to 64 bits.

#include "app/io/codecs/tiff/tiff_file.hpp"
#include "core/image/image.hpp"

#include <memory>

namespace kg::io {

struct TiffLayout {
    enum class Meaning : std::uint8_t {
        channels, ///< grey or RGB, with or without alpha
        palette,
        cmyk,
        other ///< whatever libtiff can convert to 8-bit RGB
    };
    Extent size;
    int bits = 8, samples = 1;
    bool floats = false, planar = false;
    bool inverted = false; ///< 0 is white
    Meaning meaning = Meaning::channels;
};

/// Reads the rows of a page from the first to the last, in a format that selects the samples.
class TiffPixels {
public:
    /// `sparing`: the rows are read a few at a time, so long strips are decoded line by line. Throws Error if
    /// the header contradicts itself.
    TiffPixels(TiffFile& file, const TiffLayout& layout, const PixelFormat& format, bool sparing);
    ~TiffPixels();
    TiffPixels(const TiffPixels&) = delete;
    TiffPixels& operator=(const TiffPixels&) = delete;

    /// Reads the next rows. Throws Error at the first damage.
    void read(const ImageView& rows);
    /// Bytes that it holds.
    std::size_t memory() const;

private:
    struct Blocks;
    class Placer;

    void read_blocks(const ImageView& rows);
    void read_line(const ImageView& row);
    void place(const std::byte* from, std::int64_t x, std::int64_t count, int plane, const ImageView& rows,
               std::int64_t y) const;

    TiffFile& file_;
    const TiffLayout layout_;
    const PixelFormat format_;
    std::unique_ptr<Blocks> blocks_;
    std::unique_ptr<Placer> placer_; ///< null if whole rows are copied
    bool by_lines_;
    std::unique_ptr<std::byte[]> buffer_; ///< a block, or a line
    std::int64_t next_ = 0;               ///< next row to return
    Image left_;                          ///< rows of a block that are not returned yet
    Rect left_rows_{};                    ///< their region of the page
};

/// Reads a whole page that only libtiff can convert to 8-bit RGB.
void read_converted(TiffFile& file, const TiffLayout& layout, const ImageView& to);

} // namespace kg::io
