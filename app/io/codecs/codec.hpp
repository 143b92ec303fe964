#pragma once
// The interface of file formats behind image_file.hpp. A codec reads bytes in memory and throws Error with
// the bare reason ("it ends early"). image_file.cpp adds the file's name, checks sizes between header() and
// decode(), applies the orientation and cleans metadata.

#include "app/io/row_files.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace kg::io {

struct Source {
    std::string_view bytes;
    int page = 1;                        ///< from 1
    ImageMemorySource* memory = nullptr; ///< memory for the decoded image; null: the usual one
};

/// What a file declares. Nothing of the size of the image has been allocated yet.
struct Header {
    Extent size;        ///< as stored, before the orientation is applied
    PixelFormat pixels; ///< format of decode()'s result
    Depth stored = Depth::u8;
    std::string title{}; ///< the specific format, where the format's own title covers several
    std::string original{};
    int pages = 1;
    int orientation = 1;
    bool linear = false;
    Metadata metadata{};
    std::vector<std::string> notes{}, details{}; ///< as in LoadedImage
    std::string damage{}; ///< what is known of Decoded::damage without decoding; empty = nothing
};

struct Decoded {
    Image image;
    std::string damage{}; ///< why rows are missing (and empty); empty = complete
};

struct EncodeSettings {
    std::string_view extension; ///< as given by the user: .pgm and .ppm are one format
    int jpeg_quality;
    const Metadata* metadata = nullptr; ///< clean already
    /// Limits what a writer does with all of an image or a file at once.
    std::size_t most_bytes_held = SIZE_MAX;
    int threads = 1; ///< threads that may compress, the calling one among them
};

/// Reads the rows of an image in the order of its file, from the first to the last.
class RowReader {
public:
    virtual ~RowReader() = default;
    const Header& header() const { return header_; }
    /// Replaces the header by one that the caller has completed.
    void set_header(Header header) { header_ = std::move(header); }
    /// Reads as many rows as the view has. Missing rows become empty, or throw Error, as in Codec::decode().
    virtual void read(const ImageView& rows) = 0;
    /// As Decoded::damage, once all rows are read.
    virtual std::string damage() = 0;
    /// Bytes that the reader holds, without the caller's rows.
    virtual std::size_t memory() const = 0;

protected:
    Header header_;
};

/// Writes a file row by row, from the first to the last.
class RowWriter {
public:
    virtual ~RowWriter() = default;
    virtual void write(const ConstImageView& rows) = 0;
    /// Called after the last row. Returns notes on what could not be kept.
    virtual std::vector<std::string> finish() = 0;
    /// Bytes that the writer holds, where they grow with the image.
    virtual std::size_t memory() const { return 0; }
};

/// Metadata that the format's files can hold beside EXIF, ICC and XMP (FileFormat::metadata).
struct Room {
    bool density = false, comments = false, photoshop = false, chunks = false, attributes = false;
    /// Files declare whether colour is premultiplied.
    bool associated_alpha = false;
    std::size_t xmp_bytes = UINT32_MAX; ///< the largest packet
};

struct Codec {
    std::string_view id; ///< id in formats()
    Header (*header)(const Source&);
    Decoded (*decode)(const Source&, const Header&);
    /// The image has a depth that the format can write, and the alpha channel that fitted_format() returns.
    /// Null if there is write_rows.
    Encoded (*encode)(const ConstImageView&, const EncodeSettings&) = nullptr;
    Room room{};
    /// Null if the format cannot be read by rows; throws NotByRows if this file cannot. The bytes must
    /// outlive the reader.
    std::unique_ptr<RowReader> (*read_rows)(const ByteSource&, int page) = nullptr;
    /// Null if the format is written as a whole. The settings are not retained; the sink must outlive the
    /// writer.
    std::unique_ptr<RowWriter> (*write_rows)(ByteSink&, Extent, const PixelFormat&,
                                             const EncodeSettings&) = nullptr;
};

std::span<const Codec* const> codecs();
const Codec& codec_of(std::string_view format_id);

} // namespace kg::io
