#pragma once
// A TIFF file of several pages, which the program reads and does not write.

#include <cstdint>
#include <string>

namespace kg::testing {

/// Grey pages of 8 bits without compression: page i, from 1, has 8 + i columns, 6 rows and the number 20 * i.
inline std::string pages_tiff(int pages) {
    std::string bytes("II*\0", 4);
    const auto number = [&](std::uint32_t value, int size) {
        for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
    };
    constexpr std::uint32_t kShort = 3, kLong = 4, kRows = 6, kDirectory = 2 + 9 * 12 + 4;
    const auto data_of = [](int page) { return (8 + static_cast<std::uint32_t>(page)) * kRows; };
    number(8 + data_of(1), 4); // the first directory, behind the samples of its page
    for (int page = 1; page <= pages; ++page) {
        const auto columns = 8 + static_cast<std::uint32_t>(page), data = data_of(page);
        const auto begin = static_cast<std::uint32_t>(bytes.size());
        bytes.append(data, static_cast<char>(20 * page));
        const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t value) {
            number(tag, 2), number(type, 2), number(1, 4), number(value, 4);
        };
        number(9, 2);
        entry(256, kShort, columns), entry(257, kShort, kRows), entry(258, kShort, 8), entry(259, kShort, 1);
        entry(262, kShort, 1), entry(273, kLong, begin), entry(277, kShort, 1), entry(278, kShort, kRows);
        entry(279, kLong, data);
        number(page == pages ? 0 : begin + data + kDirectory + data_of(page + 1), 4);
    }
    return bytes;
}

} // namespace kg::testing
