#pragma once
// Images that do not fit in memory: rows are read and written one after the other, with the same bytes as in
// image_file.hpp.

#include "app/io/files/byte_access.hpp"
#include "app/io/image_file.hpp"
#include "core/support/error.hpp"

#include <memory>

namespace kg {

namespace io {
class RowReader;
class RowWriter;
} // namespace io

/// The rows of a file cannot be read or written one after the other. The message is the bare reason: "it is
/// interlaced".
class NotByRows : public Error {
public:
    using Error::Error;
};

/// Reads the rows of an image file, from the first to the last.
class ImageRows {
public:
    /// `name` names the file in messages; empty = its path. Throws Error like read_image(), and NotByRows.
    explicit ImageRows(const std::filesystem::path& path, const ReadOptions& options = {},
                       std::string_view name = {});
    ~ImageRows();
    ImageRows(const ImageRows&) = delete;
    ImageRows& operator=(const ImageRows&) = delete;

    /// The properties of the whole image with these rows as its pixels (in pixels()'s format).
    LoadedImage image(Image rows) const;
    const Metadata& metadata() const;
    Extent size() const;
    const PixelFormat& pixels() const;
    /// Reads as many rows as the view has. Throws Error naming the file.
    void read(const ImageView& rows);
    /// LoadedImage::damage; valid once all rows are read.
    std::string damage_note() const;
    /// Bytes that the reader holds.
    std::size_t memory() const;

private:
    std::string name_;
    std::unique_ptr<ByteSource> bytes_;
    std::unique_ptr<io::RowReader> reader_;
    const FileFormat* format_ = nullptr;
    int page_ = 1;
};

/// Writes an image file row by row, with the bytes of encode_image().
class ImageRowsWriter {
public:
    /// `name` names the file in messages. A writer that compresses all rows at once uses at most half of
    /// `most_bytes_held`. The sink must outlive this. Throws Error like encode_image(), and NotByRows.
    ImageRowsWriter(ByteSink& file, Extent size, const PixelFormat& pixels, std::string_view format,
                    std::string_view name, const WriteOptions& options, std::size_t most_bytes_held);
    ~ImageRowsWriter();
    ImageRowsWriter(const ImageRowsWriter&) = delete;
    ImageRowsWriter& operator=(const ImageRowsWriter&) = delete;

    void write(const ConstImageView& rows);
    /// Called after the last row. Returns encode_image()'s notes.
    std::vector<std::string> finish();
    /// Bytes that the writer holds, and that it takes per row passed to write().
    std::size_t memory() const;
    std::size_t memory_of_row() const { return memory_of_row_; }

private:
    std::string name_;
    PixelFormat pixels_;
    std::size_t memory_of_row_ = 0;
    std::vector<std::string> notes_;
    std::unique_ptr<io::RowWriter> writer_;
};

} // namespace kg
