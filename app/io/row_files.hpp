#pragma once
// Pictures that memory does not hold: rows are read and written as they come, with the same bytes as image_file.hpp's.

#include "app/io/files/byte_access.hpp"
#include "app/io/image_file.hpp"
#include "core/support/error.hpp"

#include <memory>

namespace kg {

namespace io {
class RowReader;
class RowWriter;
} // namespace io

/// A file's rows do not come one after the other; the message is the bare reason: "it is interlaced".
class NotByRows : public Error {
public:
    using Error::Error;
};

/// A picture in a file that is read row by row, from the first to the last.
class PictureRows {
public:
    /// `name` stands for the file in sentences; empty = its path. Throws Error as read_picture() does, and NotByRows.
    explicit PictureRows(const std::filesystem::path& path, const ReadOptions& options = {},
                         std::string_view name = {});
    ~PictureRows();
    PictureRows(const PictureRows&) = delete;
    PictureRows& operator=(const PictureRows&) = delete;

    /// What is said of the whole picture, with these of its pixels (in pixels()'s format).
    Picture picture(Image part) const;
    const Metadata& metadata() const;
    Extent size() const;
    const PixelFormat& pixels() const;
    /// As many of the next rows as the view has. Throws Error naming the file.
    void read(const ImageView& rows);
    /// Once all rows are read: a note "damaged: ..." as read_picture() gives it, or empty.
    std::string damage_note() const;
    /// Bytes that it keeps for itself.
    std::size_t memory() const;

private:
    std::string name_;
    std::unique_ptr<ByteSource> bytes_;
    std::unique_ptr<io::RowReader> reader_;
    const FileFormat* format_ = nullptr;
    int page_ = 1;
};

/// A picture's file that is made row by row: encode_picture() of parts.
class PictureRowsWriter {
public:
    /// `name` stands for the file in sentences. A writer that packs all rows at once does so up to half of
    /// `most_bytes_held`. The sink must outlive this. Throws Error as encode_picture()
    /// does, and NotByRows.
    PictureRowsWriter(ByteSink& file, Extent size, const PixelFormat& pixels, std::string_view format,
                      std::string_view name, const WriteOptions& options, std::size_t most_bytes_held);
    ~PictureRowsWriter();
    PictureRowsWriter(const PictureRowsWriter&) = delete;
    PictureRowsWriter& operator=(const PictureRowsWriter&) = delete;

    void write(const ConstImageView& rows);
    /// After the last row. Returns encode_picture()'s notes.
    std::vector<std::string> finish();
    /// Bytes that it keeps, and that a row takes beside what write() is given.
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
