#pragma once
// Little-endian numbers at a place in a file's bytes; outside of them the file ends early.

#include "core/error.hpp"

#include <cstdint>
#include <string_view>

namespace kg::io {

inline std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    if (at > bytes.size() || count > bytes.size() - at) throw Error("it ends early");
    std::uint32_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

} // namespace kg::io
