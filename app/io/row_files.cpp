#include "app/io/row_files.hpp"

#include "app/io/context.hpp"
#include "app/io/fitting.hpp"
#include "app/io/limits.hpp"
#include "app/io/opening.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kStart = 16; ///< enough to recognise a format

} // namespace

ImageRows::ImageRows(const std::filesystem::path& path, const ReadOptions& options, std::string_view name)
    : name_(name.empty() ? quoted(path) : name), bytes_(std::make_unique<FileBytes>(path)) {
    io::with_context("cannot open " + name_, [&] {
        const auto& format = io::format_of_file(bytes_->read_string(0, kStart), options.page);
        const auto& codec = io::codec_of(format.id);
        if (!codec.read_rows)
            throw NotByRows("read-as-a-whole", "{} files are read as a whole", format.title);
        reader_ = codec.read_rows(*bytes_, options.page);
        auto header = reader_->header();
        io::complete(header, options.page);
        io::check_size(header.size, header.pixels, bytes_->size(), options);
        if (header.orientation != 1)
            throw NotByRows("rotated-by-exif", "its orientation must be applied first (EXIF orientation {})",
                            header.orientation);
        reader_->set_header(std::move(header));
        format_ = &format;
        page_ = options.page;
    });
}

ImageRows::~ImageRows() = default;

LoadedImage ImageRows::image(Image rows) const {
    auto image = io::image_of(reader_->header(), *format_, page_);
    image.pixels = std::move(rows);
    return image;
}

const Metadata& ImageRows::metadata() const { return reader_->header().metadata; }
Extent ImageRows::size() const { return reader_->header().size; }
const PixelFormat& ImageRows::pixels() const { return reader_->header().pixels; }
std::size_t ImageRows::memory() const { return reader_->memory(); }

void ImageRows::read(const ImageView& rows) {
    io::with_context("cannot open " + name_, [&] { reader_->read(rows); });
}

std::string ImageRows::damage_note() const { return io::damage_note(reader_->damage()); }

ImageRowsWriter::ImageRowsWriter(ByteSink& file, Extent size, const PixelFormat& pixels,
                                 std::string_view format_word, std::string_view name,
                                 const WriteOptions& options, std::size_t most_bytes_held)
    : name_(name) {
    io::with_context("cannot write " + name_, [&] {
        const auto& format = format_of(format_word);
        const auto& codec = io::codec_of(format.id);
        if (!codec.write_rows)
            throw NotByRows("written-as-a-whole", "{} files are written as a whole", format.title);
        pixels_ = io::fitted_format(pixels, format, options, notes_);
        const auto metadata = io::fitted_metadata(options, format, size, pixels.channels < 3, notes_);
        auto settings = io::settings_of(options, format_word, metadata);
        settings.most_bytes_held = most_bytes_held;
        memory_of_row_ = pixels_ == pixels ? 0 : 2 * aligned_pitch(size.width, pixels);
        writer_ = codec.write_rows(file, size, pixels_, settings);
    });
}

ImageRowsWriter::~ImageRowsWriter() = default;

std::size_t ImageRowsWriter::memory() const { return writer_->memory(); }

void ImageRowsWriter::write(const ConstImageView& rows) {
    io::with_context("cannot write " + name_, [&] {
        const auto changed = io::fitted(rows, pixels_);
        writer_->write(changed.empty() ? rows : changed.view());
    });
}

std::vector<std::string> ImageRowsWriter::finish() {
    return io::with_context("cannot write " + name_, [&] {
        std::ranges::move(writer_->finish(), std::back_inserter(notes_));
        std::ranges::transform(notes_, notes_.begin(), io::printable);
        return std::move(notes_);
    });
}

} // namespace kg
