#include "core/image/numpy_header.hpp"

#include "core/image/half.hpp"
#include "core/support/error.hpp"
#include "core/support/float_range.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <charconv>

namespace kg {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// Parses the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), } with its keys in any
/// order.
class HeaderReader {
public:
    HeaderReader(std::string_view text, const std::string& what, std::string_view of)
        : text_(text), what_(what), of_(of) {}

    NumpyHeader read() {
        NumpyHeader header;
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
    void read_type(NumpyHeader& header) {
        text_ = trimmed(text_);
        const auto type = text_.starts_with('[') ? std::string_view("a record") : quoted_word();
        static constexpr std::string_view known[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                     "i8", "u1", "u2", "u4", "u8"};
        if (type.size() != 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos ||
            std::ranges::find(known, type.substr(1)) == std::ranges::end(known))
            throw Error(
                "unsupported-type",
                "{}: its numbers are of type {}; a {} is read from types {} (numpy: array.astype('f4'))",
                what_, in_quotes(type), of_, listed(known));
        header.kind = type[1];
        header.bytes = static_cast<std::size_t>(type[2] - '0');
        header.big_endian = type[0] == '>';
    }
    void read_shape(NumpyHeader& header) {
        auto& shape = header.shape;
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
    }

    std::string_view text_;
    const std::string& what_;
    std::string_view of_;
};

Error truncated(const std::string& what) {
    return {"truncated-file", "{}: this NumPy file ends before its numbers do", what};
}

} // namespace

bool is_numpy_file(std::string_view content) { return content.starts_with(kMagic); }

NumpyHeader read_numpy_header(std::string_view content, const std::string& what, std::string_view of) {
    if (content.size() < 10) throw truncated(what);
    const auto byte = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(content[at]));
    };
    const auto version = byte(6);
    if (version < 1 || version > 3)
        throw Error("unsupported-version", "{}: this NumPy file is of version {}; versions 1 to 3 are read",
                    what, version);
    const std::size_t begin = version == 1 ? 10 : 12;
    if (content.size() < begin) throw truncated(what);
    std::size_t length = byte(8) + (byte(9) << 8);
    if (version > 1) length += (byte(10) << 16) + (byte(11) << 24);
    if (content.size() - begin < length) throw truncated(what);
    auto header = HeaderReader(content.substr(begin, length), what, of).read();
    header.data = content.substr(begin + length);
    return header;
}

void expect_numpy_numbers(const NumpyHeader& header, std::size_t numbers, const std::string& what) {
    const auto held = header.data.size() / header.bytes;
    if (held < numbers) throw truncated(what);
    if (const auto wanted = numbers * header.bytes; header.data.size() > wanted)
        throw Error("trailing-bytes", "{}: there are {} bytes too many in this NumPy file", what,
                    header.data.size() - wanted);
}

void expect_floats(const NumpyHeader& header, std::size_t numbers, const std::string& what) {
    if (header.kind != 'f' || header.bytes != sizeof(double)) return;
    for (std::size_t i = 0; i < numbers; ++i)
        expect_float(std::bit_cast<double>(numpy_bits(header, i)), i, what);
}

template <typename T>
T numpy_number(const NumpyHeader& header, std::size_t index) {
    const auto bits = numpy_bits(header, index);
    if (header.kind == 'u') return static_cast<T>(bits);
    if (header.kind == 'i') { // the cast to the type's own width restores the sign
        if (header.bytes == 1) return static_cast<T>(static_cast<std::int8_t>(bits));
        if (header.bytes == 2) return static_cast<T>(static_cast<std::int16_t>(bits));
        if (header.bytes == 4) return static_cast<T>(static_cast<std::int32_t>(bits));
        return static_cast<T>(static_cast<std::int64_t>(bits));
    }
    if (header.bytes == 8) return static_cast<T>(std::bit_cast<double>(bits));
    if (header.bytes == 4) return static_cast<T>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return static_cast<T>(half_to_float(static_cast<std::uint16_t>(bits)));
}

std::optional<std::size_t> numpy_count(const NumpyHeader& header) {
    std::size_t count = 1;
    for (const auto extent : header.shape)
        if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
    return count <= header.data.size() ? std::optional(count) : std::nullopt;
}

template <typename T>
std::vector<T> numpy_numbers(const NumpyHeader& header) {
    const auto count = numpy_count(header).value_or(0);
    std::vector<T> numbers;
    numbers.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto at = i;
        if (header.columns_first) {
            // The first extent is the fastest in the file.
            std::size_t rest = i, step = count;
            at = 0;
            for (auto extent = header.shape.rbegin(); extent != header.shape.rend(); ++extent) {
                step /= *extent;
                at += rest % *extent * step;
                rest /= *extent;
            }
        }
        numbers.push_back(numpy_number<T>(header, at));
    }
    return numbers;
}

std::string numpy_header_bytes(std::string_view type, std::span<const std::int64_t> shape) {
    std::string extents;
    for (const auto extent : shape) extents += std::to_string(extent) + ", ";
    if (shape.size() > 1) extents.resize(extents.size() - 2);
    else if (shape.size() == 1) extents.resize(extents.size() - 1);
    std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" +
                         extents + "), }";
    constexpr std::size_t kBefore = 10, kAlignment = 64;
    const auto end = (kBefore + header.size() + kAlignment) / kAlignment * kAlignment;
    header.append(end - kBefore - header.size() - 1, ' ');
    header += '\n';
    std::string bytes(kMagic);
    bytes += {'\x01', '\x00', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    return bytes + header;
}

template std::vector<float> numpy_numbers<float>(const NumpyHeader&);
template std::vector<double> numpy_numbers<double>(const NumpyHeader&);
template std::vector<std::int32_t> numpy_numbers<std::int32_t>(const NumpyHeader&);
template std::vector<std::int64_t> numpy_numbers<std::int64_t>(const NumpyHeader&);
template float numpy_number<float>(const NumpyHeader&, std::size_t);
template double numpy_number<double>(const NumpyHeader&, std::size_t);
template std::int32_t numpy_number<std::int32_t>(const NumpyHeader&, std::size_t);
template std::int64_t numpy_number<std::int64_t>(const NumpyHeader&, std::size_t);

} // namespace kg
