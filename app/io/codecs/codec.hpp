#pragma once
// What app/io asks of each file format, behind image_file.hpp. A codec reads bytes in memory and throws Error with the bare
// reason ("it ends early"); image_file.cpp adds the file's name, checks sizes between header() and decode(), turns pictures
// upright and cleans metadata.

#include "app/io/row_files.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace kg::io {

struct Source {
    std::string_view bytes;
    int page = 1; ///< from 1
};

/// What a file declares; nothing of the size of the picture has been allocated for it.
struct Header {
    Extent size;        ///< as the file stores it, not yet upright
    PixelFormat pixels; ///< what decode() gives
    Depth stored = Depth::u8;
    std::string title{}; ///< which one, where the format's own title names several
    std::string original{};
    int pages = 1;
    int orientation = 1;
    bool linear = false;
    Metadata metadata{};
    std::vector<std::string> notes{}, details{}; ///< as a Picture's
};

struct Decoded {
    Image image;
    std::string damage{}; ///< why a part is missing (and empty); empty = whole
};

struct EncodeSettings {
    std::string_view ending; ///< as the person wrote it: .pgm and .ppm are one format
    int jpeg_quality;
    const Metadata* metadata = nullptr; ///< clean already
    std::size_t most_bytes_held =
        SIZE_MAX; ///< for what a writer does with all of a picture or a file at once
};

/// Rows of a picture as its file has them, from the first to the last.
class RowReader {
public:
    virtual ~RowReader() = default;
    const Header& header() const { return header_; }
    /// As whoever opened the file understands it.
    void set_header(Header header) { header_ = std::move(header); }
    /// As many of the next rows as the view has. What is missing becomes empty, or is an Error, as in Codec::decode().
    virtual void read(const ImageView& rows) = 0;
    /// As Decoded's, once all rows are read.
    virtual std::string damage() = 0;
    /// Bytes that it keeps beside the rows that it is given.
    virtual std::size_t memory() const = 0;

protected:
    Header header_;
};

/// Makes a file of rows, from the first to the last.
class RowWriter {
public:
    virtual ~RowWriter() = default;
    virtual void write(const ConstImageView& rows) = 0;
    /// After the last row. Returns what could not be kept.
    virtual std::vector<std::string> finish() = 0;
    /// Bytes that it keeps, where they grow with the picture.
    virtual std::size_t memory() const { return 0; }
};

/// What its files have room for, beside EXIF, ICC and XMP (FileFormat::metadata).
struct Room {
    bool density = false, comments = false, photoshop = false, chunks = false, attributes = false,
         associated_alpha = false;      ///< its files say whether colour is multiplied by alpha
    std::size_t xmp_bytes = UINT32_MAX; ///< the largest packet
};

struct Codec {
    std::string_view id; ///< of formats()
    Header (*header)(const Source&);
    Decoded (*decode)(const Source&, const Header&);
    /// The picture has a depth that the format writes, alpha as fitted_format() says, and none where the format has none. Null
    /// where there is write_rows.
    Encoded (*encode)(const ConstImageView&, const EncodeSettings&) = nullptr;
    Room room{};
    /// Null where no file of the format is read by rows; throws NotByRows where this one is not. The bytes must outlive it.
    std::unique_ptr<RowReader> (*read_rows)(const ByteSource&, int page) = nullptr;
    /// Null where the format is written as a whole. Of the settings nothing is kept; the sink must outlive it.
    std::unique_ptr<RowWriter> (*write_rows)(ByteSink&, Extent, const PixelFormat&,
                                             const EncodeSettings&) = nullptr;
};

/// By the codec's one way of writing.
Encoded encoded(const Codec& codec, const ConstImageView& picture, const EncodeSettings& settings);

std::span<const Codec* const> codecs();
const Codec& codec_of(std::string_view format_id);

} // namespace kg::io
