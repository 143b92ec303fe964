#pragma once
// A small image with metadata, written to a file and read again.

#include "app/io/image_file.hpp"
#include "tests/io/support/image_files.hpp"
#include "tests/support/check.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace kg::testing {

inline std::string all_of(const std::vector<std::string>& notes) {
    std::string all;
    for (const auto& note : notes) all += note + "\n";
    return all;
}

inline Image small() { return random_image({8, 6}, {Depth::u8, 3}, 1); }

inline LoadedImage through(const Metadata& metadata, const char* format,
                           std::vector<std::string>* notes = nullptr) {
    const auto file = encode_image(small().view(), format, "x", {.metadata = &metadata});
    if (notes) *notes = file.notes;
    return decode_image(file.bytes, "x");
}

inline Metadata::Chunk chunk(const char* type, std::string_view data) { return {type, std::string(data)}; }

/// Numbers in the encoding of gAMA and cHRM.
inline std::string stored(std::initializer_list<std::uint32_t> numbers) {
    std::string bytes;
    for (const auto n : numbers)
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 255);
    return bytes;
}

} // namespace kg::testing
