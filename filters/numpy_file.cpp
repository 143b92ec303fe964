#include "filters/numpy_file.hpp"

#include "core/image/half.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace kg {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
    char kind = 0;         ///< 'f', 'i' or 'u'
    std::size_t bytes = 1; ///< per number, 1 to 8
    bool big_endian = false, columns_first = false;
    std::size_t width = 0, height = 0;
    std::string_view data; ///< the data after the header
};

/// Parses the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), } with its keys in any
/// order.
class HeaderReader {
public:
    HeaderReader(std::string_view text, const std::string& what) : text_(text), what_(what) {}

    Header read() {
        Header header;
        bool descr = false, order = false, shape = false;
        expect('{');
        while (!next_is('}')) {
            const auto key = quoted_word();
            expect(':');
            if (key == "descr" && !descr) descr = true, read_type(header);
            else if (key == "fortran_order" && !order) order = true, header.columns_first = read_bool();
            else if (key == "shape" && !shape) shape = true, read_shape(header);
            else damaged();
            if (!next_is(',')) {
                expect('}');
                break;
            }
        }
        if (!descr || !order || !shape || !trimmed(text_).empty()) damaged();
        return header;
    }

private:
    [[noreturn]] void damaged() const {
        throw Error("damaged-file", "{}: the header of this NumPy file is damaged", what_);
    }

    bool next_is(char wanted) {
        text_ = trimmed(text_);
        if (!text_.starts_with(wanted)) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char wanted) {
        if (!next_is(wanted)) damaged();
    }
    std::string_view quoted_word() {
        text_ = trimmed(text_);
        const char quote = text_.starts_with('"') ? '"' : '\'';
        expect(quote);
        const auto end = text_.find(quote);
        if (end == std::string_view::npos) damaged();
        const auto word = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return word;
    }
    bool read_bool() {
        text_ = trimmed(text_);
        const bool value = text_.starts_with("True");
        if (!value && !text_.starts_with("False")) damaged();
        text_.remove_prefix(value ? 4 : 5);
        return value;
    }
    void read_type(Header& header) {
        text_ = trimmed(text_);
        const auto type = text_.starts_with('[') ? std::string_view("a record") : quoted_word();
        static constexpr std::string_view known[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                     "i8", "u1", "u2", "u4", "u8"};
        if (type.size() != 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos ||
            std::ranges::find(known, type.substr(1)) == std::ranges::end(known))
            throw Error(
                "unsupported-type",
                "{}: its numbers are of type {}; a kernel is read from types {} (numpy: kernel.astype('f4'))",
                what_, in_quotes(type), listed(known));
        header.kind = type[1];
        header.bytes = static_cast<std::size_t>(type[2] - '0');
        header.big_endian = type[0] == '>';
    }
    void read_shape(Header& header) {
        std::vector<std::size_t> shape;
        expect('(');
        while (!next_is(')')) {
            text_ = trimmed(text_);
            std::size_t extent = 0;
            const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
            if (error != std::errc{} || shape.size() == 32) damaged();
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            shape.push_back(extent);
            if (!next_is(',')) {
                expect(')');
                break;
            }
        }
        if (shape.empty() || shape.size() > 2)
            throw Error("wrong-dimensions",
                        "{}: this NumPy array has {} dimensions; a kernel has 2 (rows, columns) or 1", what_,
                        shape.size());
        header.width = shape.back();
        header.height = shape.size() == 2 ? shape.front() : 1;
        constexpr auto most = static_cast<std::size_t>(kMaxKernelSize);
        if (header.width < 1 || header.height < 1 || header.width > most || header.height > most)
            throw Error("bad-kernel-size",
                        "{}: this NumPy array is {} x {}; a kernel has 1 to {} rows and columns", what_,
                        header.width, header.height, kMaxKernelSize);
    }

    std::string_view text_;
    const std::string& what_;
};

Header read_header(std::string_view content, const std::string& what) {
    const auto truncated = [&] {
        return Error("truncated-file", "{}: this NumPy file ends before its numbers do", what);
    };
    if (content.size() < 10) throw truncated();
    const auto byte = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(content[at]));
    };
    const auto version = byte(6);
    if (version < 1 || version > 3)
        throw Error("unsupported-version", "{}: this NumPy file is of version {}; versions 1 to 3 are read",
                    what, version);
    const std::size_t begin = version == 1 ? 10 : 12;
    if (content.size() < begin) throw truncated();
    std::size_t length = byte(8) + (byte(9) << 8);
    if (version > 1) length += (byte(10) << 16) + (byte(11) << 24);
    if (content.size() - begin < length) throw truncated();
    auto header = HeaderReader(content.substr(begin, length), what).read();
    header.data = content.substr(begin + length);
    const auto wanted = header.width * header.height * header.bytes;
    if (header.data.size() < wanted) throw truncated();
    if (header.data.size() > wanted)
        throw Error("trailing-bytes", "{}: there are {} bytes too many in this NumPy file", what,
                    header.data.size() - wanted);
    return header;
}

/// One number from its bytes, least significant first.
double decode(const Header& header, std::size_t index) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < header.bytes; ++i) {
        const auto at = header.big_endian ? i : header.bytes - 1 - i;
        bits = bits << 8 | static_cast<unsigned char>(header.data[index * header.bytes + at]);
    }
    if (header.kind == 'u') return static_cast<double>(bits);
    if (header.kind == 'i') { // the cast to the type's own width restores the sign
        if (header.bytes == 1) return static_cast<std::int8_t>(bits);
        if (header.bytes == 2) return static_cast<std::int16_t>(bits);
        if (header.bytes == 4) return static_cast<std::int32_t>(bits);
        return static_cast<double>(static_cast<std::int64_t>(bits));
    }
    if (header.bytes == 8) return std::bit_cast<double>(bits);
    if (header.bytes == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return static_cast<double>(half_to_float(static_cast<std::uint16_t>(bits)));
}

} // namespace

bool is_numpy_file(std::string_view content) { return content.starts_with(kMagic); }

Kernel parse_numpy(std::string_view content, const std::string& what) {
    const auto header = read_header(content, what);
    std::vector<float> weights(header.width * header.height);
    for (std::size_t row = 0; row < header.height; ++row)
        for (std::size_t column = 0; column < header.width; ++column) {
            const auto index = header.columns_first ? column * header.height + row
                                                    : row * header.width + column;
            const auto value = static_cast<float>(decode(header, index));
            if (!std::isfinite(value))
                throw Error(
                    "bad-weight",
                    "{}: row {}, column {}: the weight {} cannot be used; weights are finite 32-bit floats",
                    what, row + 1, column + 1, decode(header, index));
            weights[row * header.width + column] = value;
        }
    return make_kernel(static_cast<int>(header.width), static_cast<int>(header.height), std::move(weights));
}

} // namespace kg
