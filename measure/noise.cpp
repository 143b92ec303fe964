#include "measure/noise.hpp"

#include "core/image/half.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

namespace kg::measure {

namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t), kStretch = 8; // words
constexpr std::uint64_t kPoison = 0x9d5c0fb2e6a71843;

/// A word of a row of noise (the output function of SplitMix64: Steele, Lea, Flood 2014).
std::uint64_t noise(std::uint64_t seed, std::int64_t row, std::size_t word) {
    auto z = seed + 0x9e3779b97f4a7c15 * (static_cast<std::uint64_t>(row) << 32 | word);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

std::size_t row_bytes(Extent size, const PixelFormat& format) {
    return static_cast<std::size_t>(size.width) * bytes_per_pixel(format);
}

void fill_bytes(const ImageView& view, std::uint64_t seed) {
    const auto bytes = row_bytes(view.size, view.format);
    for (std::int64_t y = 0; y < view.size.height; ++y)
        for (std::size_t at = 0; at < bytes; at += kWord) {
            const auto word = noise(seed, y, at / kWord);
            std::memcpy(view.row<std::byte>(y) + at, &word, std::min(kWord, bytes - at));
        }
}

/// Replaces 4 noisy bytes by a number of [0, 1).
float fraction(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

} // namespace

Image noise_image(Extent size, const PixelFormat& format, std::uint64_t seed) {
    Image image(size, format);
    const auto view = image.view();
    const auto samples = size.width * format.channels;
    switch (format.depth) {
    case Depth::u8:
    case Depth::u16: fill_bytes(view, seed); break;
    case Depth::f16:
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t x = 0; x < samples; ++x)
                view.row<std::uint16_t>(y)[x] = float_to_half(
                    format.scale *
                    fraction(static_cast<std::uint32_t>(noise(seed, y, static_cast<std::size_t>(x)))));
        break;
    case Depth::f32:
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t x = 0; x < samples; ++x)
                view.row<float>(y)[x] = format.scale * fraction(static_cast<std::uint32_t>(
                                                           noise(seed, y, static_cast<std::size_t>(x))));
        break;
    case Depth::f64: break; // only between steps
    }
    return image;
}

void poison(const ImageView& view) { fill_bytes(view, kPoison); }

std::optional<Extent> poison_left(const ConstImageView& view) {
    // less than a word is too short to identify
    const auto words = row_bytes(view.size, view.format) / kWord;
    const auto stretch = std::min(words, kStretch);
    for (std::int64_t y = 0; y < view.size.height && stretch > 0; ++y)
        for (std::size_t begin = 0; begin + stretch <= words; begin += stretch) {
            std::size_t same = 0;
            for (; same < stretch; ++same) {
                std::uint64_t word = 0;
                std::memcpy(&word, view.row<std::byte>(y) + (begin + same) * kWord, kWord);
                if (word != noise(kPoison, y, begin + same)) break;
            }
            if (same == stretch)
                return Extent{static_cast<std::int64_t>(begin * kWord / bytes_per_pixel(view.format)), y};
        }
    return std::nullopt;
}

std::size_t fingerprint_of(const ConstImageView& view) {
    const auto bytes = row_bytes(view.size, view.format);
    std::size_t sum = 0;
    for (std::int64_t y = 0; y < view.size.height; ++y) {
        const std::string_view row(view.row<char>(y), bytes);
        sum = sum * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()(row);
    }
    return sum;
}

} // namespace kg::measure
