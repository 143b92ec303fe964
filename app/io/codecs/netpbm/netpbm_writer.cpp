// PGM, PPM, PAM and PFM, the writer.

#include "app/io/codecs/netpbm/netpbm_writer.hpp"
#include "core/support/text.hpp"

#include <bit>

namespace kg::io {

namespace {

/// Appends the samples of a row, 16 bits with the high byte first. `copies` of each turn grey into colour.
void append_row(std::string& bytes, const ConstImageView& rows, std::int64_t y, int copies) {
    const auto sample = kg::bytes(rows.format.depth);
    const auto* row = rows.row<char>(y);
    for (std::int64_t i = 0; i < rows.size.width * rows.format.channels; ++i, row += sample)
        for (int copy = 0; copy < copies; ++copy)
            for (std::size_t b = 0; b < sample; ++b)
                bytes += row[std::endian::native == std::endian::little ? sample - 1 - b : b];
}

/// Writes PGM, PPM and PAM.
class IntegerRows final : public RowWriter {
public:
    IntegerRows(ByteSink& file, const std::string& head, int copies) : file_(file), copies_(copies) {
        file.append(head);
    }
    void write(const ConstImageView& rows) override {
        constexpr std::size_t kChunk = std::size_t{1} << 20;
        for (std::int64_t y = 0; y < rows.size.height; ++y) {
            append_row(chunk_, rows, y, copies_);
            if (chunk_.size() > kChunk || y + 1 == rows.size.height) file_.append(chunk_), chunk_.clear();
        }
    }
    std::vector<std::string> finish() override { return {}; }

private:
    ByteSink& file_;
    const int copies_;
    std::string chunk_;
};

/// Writes PFM, in the machine's byte order, which the sign of the scale declares; the bottom row comes first.
class FloatRows final : public RowWriter {
public:
    FloatRows(ByteSink& file, const std::string& head, Extent size, const PixelFormat& format)
        : file_(file), row_bytes_(static_cast<std::size_t>(size.width) * bytes_per_pixel(format)),
          begin_(head.size()), left_(static_cast<std::uint64_t>(size.height)) {
        file.append(head);
        const auto end = begin_ + row_bytes_ * left_;
        file.write(end - 1, std::string_view("\0", 1)); // extends the file to its final length
    }
    void write(const ConstImageView& rows) override {
        for (std::int64_t y = 0; y < rows.size.height; ++y)
            file_.write(begin_ + --left_ * row_bytes_, {rows.row<char>(y), row_bytes_});
    }
    std::vector<std::string> finish() override { return {}; }

private:
    ByteSink& file_;
    const std::size_t row_bytes_;
    const std::uint64_t begin_;
    std::uint64_t left_; ///< rows that remain
};

std::string size_text(Extent size, char between) {
    return std::to_string(size.width) + between + std::to_string(size.height);
}

} // namespace

std::unique_ptr<RowWriter> write_pnm(ByteSink& file, Extent size, const PixelFormat& format,
                                     const EncodeSettings& settings) {
    const bool grey = format.channels == 1;
    const auto extension = lower_case(settings.extension);
    if (extension == "pgm" && !grey)
        throw Error("format-cannot-hold", "a PGM file holds grey only; use .ppm");
    const bool as_grey = grey && extension != "ppm";
    const auto head = (as_grey ? "P5\n" : "P6\n") + size_text(size, ' ') +
                      (format.depth == Depth::u16 ? "\n65535\n" : "\n255\n");
    return std::make_unique<IntegerRows>(file, head, grey && !as_grey ? 3 : 1);
}

std::unique_ptr<RowWriter> write_pam(ByteSink& file, Extent size, const PixelFormat& format,
                                     const EncodeSettings&) {
    constexpr const char* kTypes[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
    const auto head = "P7\nWIDTH " + std::to_string(size.width) + "\nHEIGHT " + std::to_string(size.height) +
                      "\nDEPTH " + std::to_string(format.channels) + "\nMAXVAL " +
                      (format.depth == Depth::u16 ? "65535" : "255") + "\nTUPLTYPE " +
                      kTypes[format.channels - 1] + "\nENDHDR\n";
    return std::make_unique<IntegerRows>(file, head, 1);
}

std::unique_ptr<RowWriter> write_pfm(ByteSink& file, Extent size, const PixelFormat& format,
                                     const EncodeSettings&) {
    constexpr const char* kScale = std::endian::native == std::endian::little ? "\n-1.0\n" : "\n1.0\n";
    const auto head = (format.channels == 1 ? "Pf\n" : "PF\n") + size_text(size, ' ') + kScale;
    return std::make_unique<FloatRows>(file, head, size, format);
}

} // namespace kg::io
