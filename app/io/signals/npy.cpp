// NumPy's .npy: an array of one dimension is a signal, the rows of one of two dimensions are signals.

#include "app/io/signals/formats.hpp"
#include "core/image/numpy_header.hpp"
#include "core/support/error.hpp"

#include <bit>
#include <limits>

namespace kg::io {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// The narrowest type that holds every number of the array's.
SignalNumbers all_numbers(const NumpyHeader& header, std::size_t count, const std::string& what) {
    if (header.kind == 'f')
        return header.bytes == 8 ? SignalNumbers(numpy_numbers<double>(header))
                                 : SignalNumbers(numpy_numbers<float>(header));
    const auto needed = header.bytes * 8 + (header.kind == 'u' ? 1 : 0);
    if (needed <= 32) return numpy_numbers<std::int32_t>(header);
    if (needed <= 64) return numpy_numbers<std::int64_t>(header);
    for (std::size_t i = 0; i < count; ++i)
        if (numpy_bits(header, i) > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            throw Error("number-out-of-type", "{}: the number {} is not an integer of 64 bits with a sign",
                        what, numpy_bits(header, i));
    return numpy_numbers<std::int64_t>(header);
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
    const auto count = numpy_count(header);
    if (!count) throw Error("truncated-file", "{}: this NumPy file ends before its numbers do", what);
    expect_numpy_numbers(header, *count, what);
    if (*count == 0) throw Error("no-samples", "{}: there are no samples in it", what);
    return {all_numbers(header, *count, what),
            shape.size() == 2 ? static_cast<std::int64_t>(shape.front()) : 1};
}

std::string write_npy(const SignalData& data) {
    const std::int64_t shape[] = {data.signals, data.samples()};
    auto bytes = numpy_header_bytes(type_name(data.numbers),
                                    std::span(shape).subspan(data.signals == 1 ? 1 : 0));
    std::visit(
        [&]<typename T>(const std::vector<T>& numbers) {
            bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
        },
        data.numbers);
    return bytes;
}

} // namespace kg::io
