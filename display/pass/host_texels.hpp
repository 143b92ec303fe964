#pragma once
// The texels of a texture in the processor's memory, and the colours that they stand for.

#include "display/pass/pass_settings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::display {

/// Red, green, blue, alpha.
using Colour = float __attribute__((vector_size(16)));

inline Colour mixed(Colour x, Colour y, float share) { return x + (y - x) * share; }
/// Each component from -most to most.
inline Colour limited(Colour c, float most) {
    for (int i = 0; i < 4; ++i) c[i] = std::clamp(c[i], -most, most);
    return c;
}

/// The sRGB curve and its inverse by tables: off by at most a twentieth of a level of 8 bits.
float decoded_srgb(float v);
float encoded_srgb(float v);
/// The bytes of the displayed colour of opaque linear light: what encoded_srgb() gives, clamped and rounded.
std::uint32_t encoded_bytes(Colour light);
/// The opaque linear light of an opaque colour, each channel from 0 to 1.
Colour decoded_opaque(Colour colour);

/// Opaque colours of texels of 8 bits, as three reads and two additions: each channel has a table of colours
/// that are 0 in the others.
class ByteColours {
public:
    /// `curve`: from stored numbers, 1.0 = white, to those of the colours.
    explicit ByteColours(float (*curve)(float));
    Colour operator()(const std::uint8_t* texel) const {
        return red_[texel[0]] + green_[texel[1]] + blue_[texel[2]];
    }
    static const ByteColours& stored(); ///< as HostTexels::stored()
    static const ByteColours& light();  ///< decoded from sRGB

private:
    static constexpr std::size_t kBytes = 256;
    std::array<Colour, kBytes> red_, green_, blue_;
};

/// Texels of a PassImage, in the depth of its format.
class HostTexels {
public:
    /// Reads the texture, unless it is the one of the last call with the same serial. True if it was read.
    bool refresh(const PassImage& image);
    Extent size() const { return size_; }
    /// As stored, 1.0 = white.
    Colour stored(std::int64_t x, std::int64_t y) const;
    /// Straight alpha, in the image's own light; NaN is 0, and alpha 1 where the image has none.
    Colour straight(std::int64_t x, std::int64_t y) const { return straightened(stored(x, y)); }
    Colour straightened(Colour texel) const;
    /// In linear light, premultiplied; limited to what half floats hold.
    Colour light(std::int64_t x, std::int64_t y) const;

    const PixelFormat& format() const { return format_; }
    bool has_alpha() const { return format_.alpha >= 0; }
    /// Whether the colours are those of ByteColours.
    bool are_opaque_bytes() const { return format_.depth == Depth::u8 && !has_alpha() && !format_.linear; }
    /// A row of texels of 8 bits, four bytes each.
    const std::uint8_t* bytes(std::int64_t y) const {
        return reinterpret_cast<const std::uint8_t*>(bytes_.data()) + y * size_.width * 4;
    }

private:
    GLuint texture_ = 0;
    std::uint64_t serial_ = 0;
    PixelFormat format_;
    Extent size_;
    std::vector<std::byte> bytes_;
};

} // namespace kg::display
