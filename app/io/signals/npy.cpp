// NumPy's .npy: an array of one dimension is a signal, the rows of one of two dimensions are signals.

#include "app/io/signals/formats.hpp"
#include "core/image/numpy_header.hpp"
#include "core/support/error.hpp"

#include <bit>
#include <limits>

namespace kg::io {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

template <typename T>
std::vector<T> numbers_of(const NumpyHeader& header, std::size_t rows, std::size_t columns) {
    std::vector<T> numbers;
    numbers.reserve(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            numbers.push_back(
                numpy_number<T>(header, header.columns_first ? column * rows + row : row * columns + column));
    return numbers;
}

/// The narrowest type that holds every number of the array's.
SignalNumbers all_numbers(const NumpyHeader& header, std::size_t rows, std::size_t columns,
                          const std::string& what) {
    if (header.kind == 'f')
        return header.bytes == 8 ? SignalNumbers(numbers_of<double>(header, rows, columns))
                                 : SignalNumbers(numbers_of<float>(header, rows, columns));
    const auto needed = header.bytes * 8 + (header.kind == 'u' ? 1 : 0);
    if (needed <= 32) return numbers_of<std::int32_t>(header, rows, columns);
    if (needed <= 64) return numbers_of<std::int64_t>(header, rows, columns);
    for (std::size_t i = 0; i < rows * columns; ++i)
        if (numpy_bits(header, i) > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            throw Error("number-out-of-type", "{}: the number {} is not an integer of 64 bits with a sign",
                        what, numpy_bits(header, i));
    return numbers_of<std::int64_t>(header, rows, columns);
}

std::string_view type_name(const SignalNumbers& numbers) {
    constexpr std::string_view kTypes[] = {"<f4", "<f8", "<i4", "<i8"};
    return kTypes[numbers.index()];
}

} // namespace

SignalData read_npy(std::string_view bytes, const std::string& what) {
    const auto header = read_numpy_header(bytes, what, "signal");
    const auto& shape = header.shape;
    if (shape.empty() || shape.size() > 2)
        throw Error("wrong-dimensions",
                    "{}: this NumPy array has {} dimensions; signals have 2 (signals, samples) or 1", what,
                    shape.size());
    const auto columns = shape.back(), rows = shape.size() == 2 ? shape.front() : 1;
    std::size_t count = 0;
    if (__builtin_mul_overflow(rows, columns, &count) || count > header.data.size())
        throw Error("truncated-file", "{}: this NumPy file ends before its numbers do", what);
    expect_numpy_numbers(header, count, what);
    if (count == 0) throw Error("no-samples", "{}: there are no samples in it", what);
    return {all_numbers(header, rows, columns, what), static_cast<std::int64_t>(rows)};
}

std::string write_npy(const SignalData& data) {
    const auto samples = std::to_string(data.samples());
    const auto shape = data.signals == 1 ? "(" + samples + ",)"
                                         : "(" + std::to_string(data.signals) + ", " + samples + ")";
    std::string header = "{'descr': '" + std::string(type_name(data.numbers)) +
                         "', 'fortran_order': False, 'shape': " + shape + ", }";
    // The numbers begin at a multiple of 64 bytes, behind magic, version and length (NEP 1).
    constexpr std::size_t kBefore = 10, kAlignment = 64;
    const auto end = (kBefore + header.size() + kAlignment) / kAlignment * kAlignment;
    header.append(end - kBefore - header.size() - 1, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    std::visit(
        [&]<typename T>(const std::vector<T>& numbers) {
            bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
        },
        data.numbers);
    return bytes;
}

} // namespace kg::io
