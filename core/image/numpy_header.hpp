#pragma once
// The head of a .npy file of NumPy, versions 1 to 3 (NEP 1): a Python dictionary as text, before the numbers.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

bool is_numpy_file(std::string_view content);

struct NumpyHeader {
    char kind = 0;         ///< 'f', 'i' or 'u'
    std::size_t bytes = 1; ///< per number, 1 to 8
    bool big_endian = false, columns_first = false;
    std::vector<std::size_t> shape; ///< at most 32 extents; none for a single number
    std::string_view data;          ///< what follows the header
};

/// Reads the header of types f2, f4, f8, i1 to i8 and u1 to u8, in either byte order. `what` begins the
/// messages: kernel "k.npy"; `of` is what is read from it: "kernel". Throws Error for other types
/// (unsupported-type), other versions and damaged headers.
NumpyHeader read_numpy_header(std::string_view content, const std::string& what, std::string_view of);

/// Throws Error unless exactly `numbers` numbers follow the header.
void expect_numpy_numbers(const NumpyHeader& header, std::size_t numbers, const std::string& what);

/// Throws Error (beyond-float32) if one of so many numbers is finite, but not as a float.
void expect_floats(const NumpyHeader& header, std::size_t numbers, const std::string& what);

/// The bits of a number, in the lower bytes.
inline std::uint64_t numpy_bits(const NumpyHeader& header, std::size_t index) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < header.bytes; ++i) {
        const auto at = header.big_endian ? i : header.bytes - 1 - i;
        bits = bits << 8 | static_cast<unsigned char>(header.data[index * header.bytes + at]);
    }
    return bits;
}

/// The number as T, which is wide enough for its value or rounds it.
template <typename T>
T numpy_number(const NumpyHeader& header, std::size_t index);

/// The numbers of the array that there are: the product of its extents, or nothing if that is beyond what
/// follows the header. An array without extents is one number.
std::optional<std::size_t> numpy_count(const NumpyHeader& header);

/// All of them, the last extent fastest, whatever the order in the file. expect_numpy_numbers() holds.
template <typename T>
std::vector<T> numpy_numbers(const NumpyHeader& header);

/// What a file of version 1 has before its numbers: `type` is such as "<f4". They begin at a multiple of 64
/// bytes, the last extent fastest.
std::string numpy_header_bytes(std::string_view type, std::span<const std::int64_t> shape);

} // namespace kg
