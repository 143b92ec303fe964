#include "app/io/codecs/jpeg/mpf.hpp"

#include <cstdint>

namespace kg::io {

namespace {

/// Numbers of a TIFF structure, in the byte order that its first two bytes select; 0 beyond its end.
class Numbers {
public:
    explicit Numbers(std::string_view bytes) : bytes_(bytes), little_(bytes.starts_with("II")) {}

    bool has(std::size_t at, std::size_t count) const {
        return at <= bytes_.size() && count <= bytes_.size() - at;
    }
    std::uint32_t at(std::size_t place, std::size_t count) const {
        if (!has(place, count)) return 0;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value = value << 8 | static_cast<unsigned char>(bytes_[place + (little_ ? count - 1 - i : i)]);
        return value;
    }

private:
    std::string_view bytes_;
    bool little_;
};

} // namespace

std::optional<FurtherImages> further_images(std::string_view segment) {
    constexpr std::uint32_t kMagic = 42, kEntries = 0xB002;
    constexpr std::size_t kTagBytes = 12, kEntryBytes = 16;
    const Numbers numbers(segment);
    if (!(segment.starts_with("II") || segment.starts_with("MM")) || numbers.at(2, 2) != kMagic) return {};
    const std::size_t index = numbers.at(4, 4);
    for (std::size_t tag = 0; tag < numbers.at(index, 2); ++tag) {
        const auto at = index + 2 + tag * kTagBytes;
        if (numbers.at(at, 2) != kEntries) continue;
        const std::size_t bytes = numbers.at(at + 4, 4), first = numbers.at(at + 8, 4);
        if (bytes < kEntryBytes || bytes % kEntryBytes != 0 || !numbers.has(first, bytes)) return {};
        FurtherImages found;
        for (auto entry = first + kEntryBytes; entry < first + bytes; entry += kEntryBytes) {
            const auto kind = numbers.at(entry, 4) & 0xffffff; // the higher bits are flags
            ++(kind == 0 ? found.undefined : kind >> 16 == 1 ? found.previews : found.others);
        }
        return found;
    }
    return {};
}

} // namespace kg::io
