#pragma once
// Pixel formats: depth, channels, alpha and units.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kg {

/// Images are u8 to f32. f64 occurs only between the steps of a request (semantics 5).
enum class Depth : std::uint8_t { u8, u16, f16, f32, f64 };

constexpr std::size_t bytes(Depth depth) {
    switch (depth) {
    case Depth::u8: return 1;
    case Depth::u16:
    case Depth::f16: return 2;
    case Depth::f32: return 4;
    case Depth::f64: return 8;
    }
    return 0;
}

constexpr bool is_integer(Depth depth) { return depth == Depth::u8 || depth == Depth::u16; }

/// The stored number of white: 255, 65535 or 1.0.
constexpr double full_scale(Depth depth) {
    return depth == Depth::u8 ? 255.0 : depth == Depth::u16 ? 65535.0 : 1.0;
}

constexpr std::string_view name(Depth depth) {
    constexpr std::string_view names[] = {"u8", "u16", "f16", "f32", "f64"};
    return names[static_cast<int>(depth)];
}

inline constexpr int kMaxChannels = 4;

struct PixelFormat {
    Depth depth = Depth::u8;
    int channels = 1;    ///< 1 to 4, interleaved
    int alpha = -1;      ///< index of the alpha channel, -1 = none; never derived from the channel count
    bool linear = false; ///< colour is linear light (sRGB curve removed)
    bool premultiplied = false; ///< colour is multiplied by alpha
    /// Float depths only: the number of white. An 8-bit image processed in f32 keeps the range 0 to 255, so
    /// that integer sums stay exact (semantics 3 and 11); such a format has scale 255.
    float scale = 1.0f;

    constexpr bool operator==(const PixelFormat&) const = default;
};

constexpr std::size_t bytes_per_pixel(const PixelFormat& format) {
    return bytes(format.depth) * static_cast<std::size_t>(format.channels);
}

/// The number of white in this format.
constexpr double full_scale(const PixelFormat& format) {
    return is_integer(format.depth) ? full_scale(format.depth) : static_cast<double>(format.scale);
}

constexpr unsigned all_channels(int channels) { return (1u << channels) - 1u; }

} // namespace kg
