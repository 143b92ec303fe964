#pragma once
// Samples of a TIFF page, in strips or tiles, packed or planar, from 1 to 64 bits, to and from our rows.

#include "app/io/codecs/tiff/tiff_file.hpp"
#include "core/image/image.hpp"

#include <memory>

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

/// Rows of a page from the first to the last, in a format that says which samples are wanted.
class TiffPixels {
public:
    /// `sparing` where the rows are wanted a few at a time: long strips are then decoded line by line. Throws Error where the
    /// header contradicts itself.
    TiffPixels(TiffFile& file, const TiffLayout& layout, const PixelFormat& format, bool sparing);
    ~TiffPixels();
    TiffPixels(const TiffPixels&) = delete;
    TiffPixels& operator=(const TiffPixels&) = delete;

    /// The next rows. Throws Error at the first damage.
    void read(const ImageView& rows);
    /// Bytes that it keeps.
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
    std::unique_ptr<Placer> placer_; ///< null where whole rows of exactly our samples are copied
    bool by_lines_;
    std::unique_ptr<std::byte[]> buffer_; ///< a block, or a line
    std::int64_t next_ = 0;               ///< row that is given out next
    Image left_;                          ///< a row of blocks of which only a part was wanted
    Rect left_rows_{};                    ///< what of the page is in it
};

/// The whole of a page that only libtiff itself can turn into 8-bit RGB.
void read_converted(TiffFile& file, const TiffLayout& layout, const ImageView& to);

} // namespace kg::io
