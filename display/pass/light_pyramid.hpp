#pragma once
// The texels of a texture in the processor's memory, and their halved sizes for minification.

#include "display/pass/pass_settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace kg::display {

/// Red, green, blue, alpha.
using Colour = float __attribute__((vector_size(16)));

inline Colour mixed(Colour x, Colour y, float share) { return x + (y - x) * share; }

/// Two neighbouring texels and the second one's share.
struct Between {
    std::int64_t first, second;
    float share;

    /// `place`: from 0 to 1 along `size` texels.
    static Between of(double place, std::int64_t size) {
        const double at = place * static_cast<double>(size) - 0.5, whole = std::floor(at);
        const auto last = size - 1;
        return {std::clamp(static_cast<std::int64_t>(whole), std::int64_t{0}, last),
                std::clamp(static_cast<std::int64_t>(whole) + 1, std::int64_t{0}, last),
                static_cast<float>(at - whole)};
    }
};

/// The sRGB curve and its inverse by tables: off by at most a twentieth of a level of 8 bits.
float decoded_srgb(float v);
float encoded_srgb(float v);

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

    bool is_linear() const { return format_.linear; }
    bool has_alpha() const { return format_.alpha >= 0; }

private:
    GLuint texture_ = 0;
    std::uint64_t serial_ = 0;
    PixelFormat format_;
    Extent size_;
    std::vector<std::byte> bytes_;
};

/// Level 0 is half the texels' size in linear light, premultiplied; each further one is half the one before
/// it.
class LightPyramid {
public:
    struct Level {
        Extent size;
        std::vector<Colour> texels;
        const Colour* row(std::int64_t y) const { return texels.data() + y * size.width; }
    };
    /// Makes levels 0 to `last`, which exist unless the texels changed.
    void refresh(const HostTexels& texels, bool changed, int last);
    std::span<const Level> levels() const { return levels_; }

private:
    std::vector<Level> levels_;
};

} // namespace kg::display
