#pragma once
// Numbers in the bytes of a file. Reading beyond the end throws Error.

#include "core/support/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace kg::io {

inline std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    if (at > bytes.size() || count > bytes.size() - at) throw Error("truncated-file", "it ends early");
    std::uint32_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

inline std::uint32_t big_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    if (at > bytes.size() || count > bytes.size() - at) throw Error("truncated-file", "it ends early");
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

inline void put_little_endian(std::string& bytes, std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
}

} // namespace kg::io
