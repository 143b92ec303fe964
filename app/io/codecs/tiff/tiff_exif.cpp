#include "app/io/codecs/tiff/tiff_exif.hpp"

#include "core/support/error.hpp"

#include <cstdint>
#include <map>

namespace kg::io {

namespace {

constexpr std::size_t kEntry = 12, kCount = 2, kLink = 4;

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
    Number number = 0;
    if (at + sizeof number > bytes.size()) throw Error("cannot-write-exif", "its EXIF cannot be written");
    bytes.copy(reinterpret_cast<char*>(&number), sizeof number, at);
    return number;
}

template <typename Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Adds the entries of a directory, except those that exist already.
void add_entries(std::string_view bytes, std::size_t at, std::map<std::uint16_t, std::string_view>& entries) {
    const auto count = number_at<std::uint16_t>(bytes, at);
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = at + kCount + i * kEntry;
        const auto tag = number_at<std::uint16_t>(bytes, begin);
        // checks that the directory is complete
        number_at<std::uint32_t>(bytes, begin + kEntry - sizeof(std::uint32_t));
        entries.try_emplace(tag, bytes.substr(begin, kEntry));
    }
}

} // namespace

std::string with_tags_of(std::string_view start, std::string_view directory) {
    std::map<std::uint16_t, std::string_view> entries; // sorted, as TIFF requires
    add_entries(directory, 0, entries);
    add_entries(start, number_at<std::uint32_t>(start, kLink), entries);
    std::string merged;
    append(merged, static_cast<std::uint16_t>(entries.size()));
    for (const auto& [tag, entry] : entries) merged += entry;
    append(merged, std::uint32_t{0}); // no next directory
    return merged;
}

} // namespace kg::io
