// PBM, PGM, PPM, PAM and PFM: a few words and then the samples. Read and written here, because OpenCV does not scale by
// the largest value, exchanges colours differently in PAM and divides PFM by its scale. netpbm.sourceforge.net/doc.

#include "app/io/codecs/codec.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>

namespace kg::io {

namespace {

struct Netpbm {
    char kind = 0; // the character after P
    std::int64_t width = 0, height = 0;
    int channels = 1;
    std::uint32_t largest = 255;
    bool alpha = false, little_endian = false; // the latter of PFM
    std::size_t pixels_at = 0;
};

/// Words apart by white space; a # begins a comment up to the end of its line.
class Words {
public:
    explicit Words(std::string_view bytes) : bytes_(bytes) {}

    std::string_view next() {
        while (at_ < bytes_.size() && (space() || bytes_[at_] == '#'))
            if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size());
            else ++at_;
        const auto begin = at_;
        while (at_ < bytes_.size() && !space()) ++at_;
        if (begin == at_) throw Error("it ends early");
        return bytes_.substr(begin, at_ - begin);
    }
    std::int64_t number(const char* what, std::int64_t least, std::int64_t most) {
        const auto word = next();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most)
            throw Error("it is damaged: its " + std::string(what) + " is \"" +
                        std::string(word.substr(0, 20)) + "\"");
        return value;
    }
    std::size_t at() const { return at_; }

private:
    bool space() const { return std::isspace(static_cast<unsigned char>(bytes_[at_])); }

    std::string_view bytes_;
    std::size_t at_ = 2; // after P5
};

constexpr std::int64_t kMostSide = INT32_MAX;

void parse_pam(Words& words, Netpbm& file) {
    for (;;) {
        const auto word = words.next();
        if (word == "ENDHDR") break;
        if (word == "WIDTH") file.width = words.number("width", 1, kMostSide);
        else if (word == "HEIGHT") file.height = words.number("height", 1, kMostSide);
        else if (word == "DEPTH") file.channels = static_cast<int>(words.number("depth", 1, kMaxChannels));
        else if (word == "MAXVAL")
            file.largest = static_cast<std::uint32_t>(words.number("maximum", 1, 65535));
        else if (word == "TUPLTYPE") file.alpha |= words.next().ends_with("_ALPHA");
        else throw Error("it is damaged: \"" + std::string(word.substr(0, 20)) + "\" in its header");
    }
    if (file.width == 0 || file.height == 0)
        throw Error("it is damaged: its header lacks the width or the height");
    file.alpha = file.alpha && file.channels % 2 == 0;
}

Netpbm parse(std::string_view bytes) {
    Netpbm file;
    file.kind = bytes[1];
    Words words(bytes);
    if (file.kind == '7') parse_pam(words, file);
    else {
        file.width = words.number("width", 1, kMostSide);
        file.height = words.number("height", 1, kMostSide);
        file.channels = file.kind == '3' || file.kind == '6' || file.kind == 'F' ? 3 : 1;
        if (file.kind == '1' || file.kind == '4') file.largest = 1;
        else if (file.kind == 'F' || file.kind == 'f') file.little_endian = words.next().starts_with('-');
        else file.largest = static_cast<std::uint32_t>(words.number("maximum", 1, 65535));
    }
    file.pixels_at = words.at() + 1; // exactly one white space
    return file;
}

std::size_t row_bytes(const Netpbm& file) {
    const auto samples = static_cast<std::size_t>(file.width) * static_cast<std::size_t>(file.channels);
    if (file.kind == '4') return (samples + 7) / 8;
    if (file.kind == 'F' || file.kind == 'f') return samples * 4;
    return samples * (file.largest > 255 ? 2 : 1);
}

/// Pictures may stand one after the other, but not those in words. White space between them is against the rules, and
/// common: `(cat a.ppm; echo; cat b.ppm)`. Anything else behind the last row is no part of the picture, as in other formats.
bool another_follows(std::string_view bytes, const Netpbm& file) {
    if (file.kind >= '1' && file.kind <= '3') return false;
    const auto rest = bytes.substr(std::min(file.pixels_at, bytes.size()));
    const auto per_row = row_bytes(file);
    const auto rows = static_cast<std::size_t>(file.height);
    if (rest.size() / per_row < rows) return false; // nor can the product overflow
    auto next = rest.substr(rows * per_row);
    next.remove_prefix(std::min(next.find_first_not_of(" \t\r\n"), next.size()));
    const auto* format = format_of_bytes(next);
    return format && (format->id == "pnm" || format->id == "pam" || format->id == "pfm");
}

Header header(const Source& source) {
    const auto file = parse(source.bytes);
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
    if (another_follows(source.bytes, file)) header.notes.push_back("several pictures: the first only");
    return header;
}

/// `raw` of a file's own samples as ours: its largest value becomes full scale.
double scaled(std::uint32_t raw, const Netpbm& file, double white) {
    return static_cast<double>(std::min(raw, file.largest)) * white / file.largest;
}

void store(const ImageView& view, std::int64_t y, std::size_t i, std::uint32_t raw, const Netpbm& file) {
    const double value = scaled(raw, file, full_scale(view.format)) + 0.5;
    if (view.format.depth == Depth::u8) view.row<std::uint8_t>(y)[i] = static_cast<std::uint8_t>(value);
    else view.row<std::uint16_t>(y)[i] = static_cast<std::uint16_t>(value);
}

void decode_text(std::string_view bytes, const Netpbm& file, const ImageView& view) {
    Words words(bytes.substr(0, bytes.size()));
    for (int i = 0; i < (file.kind == '1' ? 2 : 3); ++i) words.next();
    const auto samples = static_cast<std::size_t>(file.width * file.channels);
    std::string_view bits; // P1 may be written without spaces
    for (std::int64_t y = 0; y < file.height; ++y)
        for (std::size_t i = 0; i < samples; ++i) {
            if (file.kind != '1') {
                store(view, y, i, static_cast<std::uint32_t>(words.number("sample", 0, file.largest)), file);
                continue;
            }
            if (bits.empty()) bits = words.next();
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

Decoded decode(const Source& source, const Header& header) {
    const auto file = parse(source.bytes);
    const bool text = file.kind >= '1' && file.kind <= '3';
    if (text) {
        const auto samples = file.width * file.height * file.channels; // each takes a character at least
        if (static_cast<std::int64_t>(source.bytes.size()) < samples) throw Error("it ends early");
        Decoded decoded{Image(header.size, header.pixels)};
        decode_text(source.bytes, file, decoded.image.view());
        return decoded;
    }
    const auto data = source.bytes.substr(std::min(file.pixels_at, source.bytes.size()));
    const auto per_row = row_bytes(file);
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): parse() lets no picture without columns through
    const auto rows = std::min(file.height, static_cast<std::int64_t>(data.size() / per_row));
    if (rows == 0) throw Error("it ends before its first row");
    // An empty rest is for a file that lost its end, not for one that never had a tenth of what it claims.
    if (rows < file.height / 10)
        throw Error("it has only " + std::to_string(rows) + " of its " + std::to_string(file.height) +
                    " rows");
    Decoded decoded{Image(header.size, header.pixels)};
    const auto view = decoded.image.view();
    const bool upwards = view.format.depth == Depth::f32; // PFM begins at the bottom
    for (std::int64_t i = 0; i < file.height; ++i) {
        const auto y = upwards ? file.height - 1 - i : i;
        const auto* from = reinterpret_cast<const unsigned char*>(data.data()) +
                           static_cast<std::size_t>(i) * per_row;
        if (i < rows) decode_row(from, file, view, y);
        else
            std::memset(view.row<std::byte>(y), 0,
                        static_cast<std::size_t>(file.width) * bytes_per_pixel(view.format));
    }
    if (rows < file.height)
        decoded.damage = "it ends after " + std::to_string(rows) + " of " + std::to_string(file.height) +
                         " rows, the rest is empty";
    return decoded;
}

std::string size_text(const ConstImageView& picture, char between) {
    return std::to_string(picture.size.width) + between + std::to_string(picture.size.height);
}

/// A row of samples, 16 bits with the high byte first; `copies` of each make colour of grey.
void append_row(std::string& bytes, const ConstImageView& picture, std::int64_t y, int copies) {
    const auto sample = kg::bytes(picture.format.depth);
    const auto* row = picture.row<char>(y);
    for (std::int64_t i = 0; i < picture.size.width * picture.format.channels; ++i, row += sample)
        for (int copy = 0; copy < copies; ++copy)
            for (std::size_t b = 0; b < sample; ++b)
                bytes += row[std::endian::native == std::endian::little ? sample - 1 - b : b];
}

Encoded encode_pnm(const ConstImageView& picture, const EncodeSettings& settings) {
    const bool grey = picture.format.channels == 1;
    std::string ending(settings.ending);
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == "pgm" && !grey) throw Error("a PGM file holds grey only; use .ppm");
    const bool as_grey = grey && ending != "ppm";
    Encoded encoded{(as_grey ? "P5\n" : "P6\n") + size_text(picture, ' ') +
                        (picture.format.depth == Depth::u16 ? "\n65535\n" : "\n255\n"),
                    {}};
    for (std::int64_t y = 0; y < picture.size.height; ++y)
        append_row(encoded.bytes, picture, y, grey && !as_grey ? 3 : 1);
    return encoded;
}

Encoded encode_pam(const ConstImageView& picture, const EncodeSettings&) {
    constexpr const char* kTypes[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
    Encoded encoded{"P7\nWIDTH " + std::to_string(picture.size.width) + "\nHEIGHT " +
                        std::to_string(picture.size.height) + "\nDEPTH " +
                        std::to_string(picture.format.channels) + "\nMAXVAL " +
                        (picture.format.depth == Depth::u16 ? "65535" : "255") + "\nTUPLTYPE " +
                        kTypes[picture.format.channels - 1] + "\nENDHDR\n",
                    {}};
    for (std::int64_t y = 0; y < picture.size.height; ++y) append_row(encoded.bytes, picture, y, 1);
    return encoded;
}

/// In the machine's own byte order, which the sign of the scale tells.
Encoded encode_pfm(const ConstImageView& picture, const EncodeSettings&) {
    constexpr const char* kScale = std::endian::native == std::endian::little ? "\n-1.0\n" : "\n1.0\n";
    Encoded encoded{(picture.format.channels == 1 ? "Pf\n" : "PF\n") + size_text(picture, ' ') + kScale, {}};
    const auto row_bytes = static_cast<std::size_t>(picture.size.width) * bytes_per_pixel(picture.format);
    for (auto y = picture.size.height; y-- > 0;) encoded.bytes.append(picture.row<char>(y), row_bytes);
    return encoded;
}

} // namespace

extern const Codec kPnmCodec, kPamCodec, kPfmCodec;
const Codec kPnmCodec{"pnm", header, decode, encode_pnm};
const Codec kPamCodec{"pam", header, decode, encode_pam};
const Codec kPfmCodec{"pfm", header, decode, encode_pfm};

} // namespace kg::io
