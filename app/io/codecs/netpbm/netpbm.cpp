// PBM, PGM, PPM, PAM and PFM, the reader: a few words of text, then the samples (netpbm.sourceforge.net/doc).
// OpenCV is not used, because it does not scale by the largest value, orders colours differently in PAM and
// divides PFM by its scale.

#include "app/io/codecs/netpbm/netpbm_writer.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace kg::io {

namespace {

struct Netpbm {
    char kind = 0; // the character after P
    std::int64_t width = 0, height = 0;
    int channels = 1;
    std::uint32_t largest = 255;
    bool alpha = false, little_endian = false; // `little_endian` of PFM
    std::size_t pixels_at = 0;
};

/// Tokens separated by white space; a # begins a comment up to the end of its line.
class Tokens {
public:
    explicit Tokens(std::string_view bytes) : bytes_(bytes) {}

    std::string_view next() {
        while (at_ < bytes_.size() && (space() || bytes_[at_] == '#'))
            if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size());
            else ++at_;
        const auto begin = at_;
        while (at_ < bytes_.size() && !space()) ++at_;
        if (begin == at_) throw Error("truncated-file", "it ends early");
        return bytes_.substr(begin, at_ - begin);
    }
    std::int64_t number(const char* what, std::int64_t least, std::int64_t most) {
        const auto word = next();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most)
            throw Error("damaged-file", "it is damaged: its {} is \"{}\"", what, word.substr(0, 20));
        return value;
    }
    std::size_t at() const { return at_; }

private:
    bool space() const { return std::isspace(static_cast<unsigned char>(bytes_[at_])); }

    std::string_view bytes_;
    std::size_t at_ = 2; // after P5
};

constexpr std::int64_t kMostSide = INT32_MAX;

void parse_pam(Tokens& tokens, Netpbm& file) {
    for (;;) {
        const auto word = tokens.next();
        if (word == "ENDHDR") break;
        if (word == "WIDTH") file.width = tokens.number("width", 1, kMostSide);
        else if (word == "HEIGHT") file.height = tokens.number("height", 1, kMostSide);
        else if (word == "DEPTH") file.channels = static_cast<int>(tokens.number("depth", 1, kMaxChannels));
        else if (word == "MAXVAL")
            file.largest = static_cast<std::uint32_t>(tokens.number("maximum", 1, 65535));
        else if (word == "TUPLTYPE") file.alpha |= tokens.next().ends_with("_ALPHA");
        else throw Error("damaged-file", "it is damaged: \"{}\" in its header", word.substr(0, 20));
    }
    if (file.width == 0 || file.height == 0)
        throw Error("damaged-file", "it is damaged: its header lacks the width or the height");
    file.alpha = file.alpha && file.channels % 2 == 0;
}

Netpbm parse(std::string_view bytes) {
    Netpbm file;
    file.kind = bytes[1];
    Tokens tokens(bytes);
    if (file.kind == '7') parse_pam(tokens, file);
    else {
        file.width = tokens.number("width", 1, kMostSide);
        file.height = tokens.number("height", 1, kMostSide);
        file.channels = file.kind == '3' || file.kind == '6' || file.kind == 'F' ? 3 : 1;
        if (file.kind == '1' || file.kind == '4') file.largest = 1;
        else if (file.kind == 'F' || file.kind == 'f') file.little_endian = tokens.next().starts_with('-');
        else file.largest = static_cast<std::uint32_t>(tokens.number("maximum", 1, 65535));
    }
    file.pixels_at = tokens.at() + 1; // exactly one white space
    return file;
}

bool is_text(const Netpbm& file) { return file.kind >= '1' && file.kind <= '3'; }

std::size_t row_bytes(const Netpbm& file) {
    const auto samples = static_cast<std::size_t>(file.width) * static_cast<std::size_t>(file.channels);
    if (file.kind == '4') return (samples + 7) / 8;
    if (file.kind == 'F' || file.kind == 'f') return samples * 4;
    return samples * (file.largest > 255 ? 2 : 1);
}

/// True if another binary image follows. White space between images violates the specification but is common:
/// `(cat a.ppm; echo; cat b.ppm)`. Other bytes behind the last row are ignored, as in other formats.
bool another_follows(const ByteSource& bytes, const Netpbm& file) {
    if (is_text(file)) return false;
    const auto rest = bytes.size() - std::min<std::uint64_t>(file.pixels_at, bytes.size());
    const auto per_row = row_bytes(file);
    const auto rows = static_cast<std::size_t>(file.height);
    if (rest / per_row < rows) return false; // also excludes an overflow of the product
    constexpr std::size_t kSpaces = 4096;
    const auto behind = bytes.read_string(file.pixels_at + rows * per_row, kSpaces);
    std::string_view next = behind;
    next.remove_prefix(std::min(next.find_first_not_of(" \t\r\n"), next.size()));
    const auto* format = format_of_bytes(next);
    return format && (format->id == "pnm" || format->id == "pam" || format->id == "pfm");
}

Header header_of(const Netpbm& file, const ByteSource& bytes) {
    Header header;
    header.size = {file.width, file.height};
    const bool floats = file.kind == 'F' || file.kind == 'f';
    header.stored = floats ? Depth::f32 : file.largest > 255 ? Depth::u16 : Depth::u8;
    header.pixels = {header.stored, file.channels, file.alpha ? file.channels - 1 : -1};
    if (file.kind >= '1' && file.kind <= '6') {
        constexpr const char* kTitles[] = {"PBM", "PGM", "PPM"};
        header.title = kTitles[(file.kind - '1') % 3];
    }
    if (file.largest == 1 && !floats) header.original = "1-bit samples";
    else if (!floats && file.largest != 255 && file.largest != 65535)
        header.original = "values to " + std::to_string(file.largest);
    if (another_follows(bytes, file)) header.notes.push_back("several images: the first only");
    return header;
}

/// Converts a raw sample: the file's largest value becomes full scale.
double scaled(std::uint32_t raw, const Netpbm& file, double white) {
    return static_cast<double>(std::min(raw, file.largest)) * white / file.largest;
}

void store(const ImageView& view, std::int64_t y, std::size_t i, std::uint32_t raw, const Netpbm& file) {
    const auto value = std::lrint(scaled(raw, file, full_scale(view.format))); // ties to even (semantics 6)
    if (view.format.depth == Depth::u8) view.row<std::uint8_t>(y)[i] = static_cast<std::uint8_t>(value);
    else view.row<std::uint16_t>(y)[i] = static_cast<std::uint16_t>(value);
}

void decode_text(std::string_view bytes, const Netpbm& file, const ImageView& view) {
    Tokens tokens(bytes.substr(0, bytes.size()));
    for (int i = 0; i < (file.kind == '1' ? 2 : 3); ++i) tokens.next();
    const auto samples = static_cast<std::size_t>(file.width * file.channels);
    std::string_view bits; // P1 may be written without spaces
    for (std::int64_t y = 0; y < file.height; ++y)
        for (std::size_t i = 0; i < samples; ++i) {
            if (file.kind != '1') {
                store(view, y, i, static_cast<std::uint32_t>(tokens.number("sample", 0, file.largest)), file);
                continue;
            }
            if (bits.empty()) bits = tokens.next();
            store(view, y, i, bits.front() == '0', file); // 1 is black
            bits.remove_prefix(1);
        }
}

void decode_row(const unsigned char* from, const Netpbm& file, const ImageView& view, std::int64_t y) {
    const auto samples = static_cast<std::size_t>(file.width * file.channels);
    if (view.format.depth == Depth::f32) {
        auto* to = view.row<std::uint32_t>(y);
        std::memcpy(to, from, samples * 4);
        if (file.little_endian != (std::endian::native == std::endian::little))
            std::transform(to, to + samples, to, [](std::uint32_t v) { return __builtin_bswap32(v); });
        return;
    }
    for (std::size_t i = 0; i < samples; ++i) {
        std::uint32_t raw = file.largest > 255
                                ? static_cast<std::uint32_t>(from[2 * i] << 8 | from[2 * i + 1])
                                : 0;
        if (file.kind == '4') raw = (from[i / 8] >> (7 - i % 8) & 1) == 0; // 1 is black
        else if (file.largest <= 255) raw = from[i];
        store(view, y, i, raw, file);
    }
}

/// Complete rows that a file of raw samples has.
std::int64_t rows_there(const Netpbm& file, std::uint64_t bytes) {
    const auto data = bytes - std::min<std::uint64_t>(file.pixels_at, bytes);
    return std::min(file.height, static_cast<std::int64_t>(data / row_bytes(file)));
}

std::string damage_of(const Netpbm& file, std::int64_t there) {
    if (there == file.height) return {};
    return "it ends after " + std::to_string(there) + " of " + std::to_string(file.height) +
           " rows, the rest is empty";
}

Header header(const Source& source) {
    const auto file = parse(source.bytes);
    auto header = header_of(file, MemoryBytes(source.bytes));
    if (!is_text(file)) header.damage = damage_of(file, rows_there(file, source.bytes.size()));
    return header;
}

class NetpbmRows final : public RowReader {
public:
    NetpbmRows(const ByteSource& bytes, const Netpbm& file) : bytes_(bytes), file_(file) {
        if (is_text(file)) throw NotByRows("text-samples", "its samples are written as text, of any length");
        header_ = header_of(file, bytes);
        there_ = rows_there(file, bytes.size());
        if (there_ == 0) throw Error("truncated-file", "it ends before its first row");
        // The missing rows of a truncated file become empty. A file with less than a tenth of its rows is
        // refused.
        if (there_ < file.height / 10)
            throw Error("truncated-file", "it has only {} of its {} rows", there_, file.height);
    }
    void read(const ImageView& rows) override {
        const bool upwards = rows.format.depth == Depth::f32; // PFM starts with the bottom row
        row_.resize(row_bytes(file_));
        for (std::int64_t y = 0; y < rows.size.height; ++y, ++next_) {
            const auto i = upwards ? file_.height - 1 - next_ : next_;
            if (i >= there_) {
                std::memset(rows.row<std::byte>(y), 0,
                            static_cast<std::size_t>(file_.width) * bytes_per_pixel(rows.format));
                continue;
            }
            const auto at = file_.pixels_at + static_cast<std::uint64_t>(i) * row_.size();
            if (bytes_.read(at, reinterpret_cast<char*>(row_.data()), row_.size()) < row_.size())
                throw Error("truncated-file", "it was truncated meanwhile");
            decode_row(row_.data(), file_, rows, y);
        }
    }
    std::string damage() override { return damage_of(file_, there_); }
    std::size_t memory() const override { return row_bytes(file_); }

private:
    const ByteSource& bytes_;
    const Netpbm file_;
    std::vector<unsigned char> row_; ///< a row as stored
    std::int64_t there_ = 0, next_ = 0;
};

std::unique_ptr<RowReader> read_rows(const ByteSource& bytes, int) {
    constexpr std::size_t kMostOfHeader = 1 << 16; // comments may be long
    return std::make_unique<NetpbmRows>(bytes, parse(bytes.read_string(0, kMostOfHeader)));
}

Decoded decode(const Source& source, const Header& header) {
    const auto file = parse(source.bytes);
    if (!is_text(file)) {
        const MemoryBytes bytes(source.bytes);
        NetpbmRows rows(bytes, file);
        Decoded decoded{Image(header.size, header.pixels, source.memory)};
        rows.read(decoded.image.view());
        decoded.damage = rows.damage();
        return decoded;
    }
    const auto samples = file.width * file.height * file.channels; // each takes at least one character
    if (static_cast<std::int64_t>(source.bytes.size()) < samples)
        throw Error("truncated-file", "it ends early");
    Decoded decoded{Image(header.size, header.pixels, source.memory)};
    decode_text(source.bytes, file, decoded.image.view());
    return decoded;
}

} // namespace

extern const Codec kPnmCodec, kPamCodec, kPfmCodec;
const Codec kPnmCodec{"pnm", header, decode, nullptr, {}, read_rows, write_pnm};
const Codec kPamCodec{"pam", header, decode, nullptr, {}, read_rows, write_pam};
const Codec kPfmCodec{"pfm", header, decode, nullptr, {}, read_rows, write_pfm};

} // namespace kg::io
