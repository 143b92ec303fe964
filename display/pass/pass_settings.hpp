#pragma once
// What the image pass draws: one or two images in textures, and how they lie in the view.

#include "core/image/border.hpp"
#include "core/image/pixel.hpp"
#include "display/view_transform.hpp"

#include <epoxy/gl.h>

#include <array>
#include <cstdint>
#include <memory>

namespace kg::display {

/// An image's texture: RGBA, 1.0 = white, grey already replicated (packing.hpp).
struct PassImage {
    GLuint texture = 0;       ///< immutable, RGBA of format.depth; 0 = no image: the surround is drawn
    std::uint64_t serial = 0; ///< changes whenever the texture's content does
    Extent size;              ///< size of the image, in pixels
    Extent texture_size;
    /// Texels are every n-th pixel of every n-th row; each is drawn as a square around its pixel.
    int reduction = 1;
    PixelFormat format; ///< alpha, linear, premultiplied are read
    Rect part{};        ///< region of the image in the texture: the rest is hatched; empty = all

    bool operator==(const PassImage&) const = default;
};

enum class PassMode : std::uint8_t {
    result,     ///< b alone
    split,      ///< a left of the divider, b right of it
    side,       ///< a in the left half, b in the right, each with the transform of a view of half the width
    difference, ///< b - a times difference_gain, of the displayed values
};

/// How a difference of two colours becomes one.
enum class PassDifference : std::uint8_t {
    absolute,  ///< the absolute difference of every channel
    with_sign, ///< the largest difference of a channel, by PassMap::diverging: 0 is white
    heat,      ///< the largest absolute difference of a channel, by PassMap::viridis
};

enum class PassChannel : std::uint8_t { colour, red, green, blue, alpha, luminance };
enum class PassMap : std::uint8_t { none, viridis, cividis, diverging };

/// Settings for looking at an image. They never change an image, a result or a file. A difference takes only
/// the channel into account.
struct ViewOnly {
    float exposure = 0; ///< stops: linear light times 2^exposure
    float gamma = 1;    ///< the displayed colour to the power of 1 / gamma
    PassChannel channel = PassChannel::colour;
    PassMap map = PassMap::none; ///< false colours of the channel, or of the luminance
    float map_low = 0;           ///< the number that the map begins with; it ends with 1
    /// Stripes where a channel is stored as black or below, or as white or above.
    bool zebra = false;

    bool keeps_colours() const {
        return exposure == 0 && gamma == 1 && channel == PassChannel::colour && map == PassMap::none;
    }
    bool operator==(const ViewOnly&) const = default;
};

/// Displayed components, 0 to 1.
using PassColour = std::array<float, 3>;

/// Pixels around an image that a filter reads there: columns left and right, rows above and below.
struct PassPadding {
    int left = 0, right = 0, up = 0, down = 0;
    Border border = Border::zero;
    /// Where the border has no pixel of the image: straight, with alpha.
    std::array<float, 4> colour{0, 0, 0, 1};

    bool empty() const { return left + right + up + down == 0; }
    bool operator==(const PassPadding&) const = default;
};

struct ColourLut;

struct PassSettings {
    PassMode mode = PassMode::result;
    ViewTransform view;
    double divider = 0.5;  ///< fraction of the view's width
    double line_width = 2; ///< width of the divider, in framebuffer pixels
    float difference_gain = 1;
    PassDifference difference = PassDifference::absolute;
    ViewOnly view_only{};
    /// Applied to colours before the view-only settings, not to differences, and not where a single channel
    /// or a map is shown: those are of stored numbers. Null = none.
    std::shared_ptr<const ColourLut> lut{};
    /// Drawn around both images from the pixels of a, dimmed and hatched; none in a difference.
    PassPadding padding{};
    bool pixel_grid = true; ///< from kGridFrom, full at kGridFull
    PassColour surround{}, line{1, 1, 1};
    PassColour hatch{0.5f, 0.5f, 0.5f}; ///< lines over the surround where an image has no pixels yet
    PassColour zebra_low{0, 0, 1}, zebra_high{1, 0.5f, 0}; ///< stripes over black and over white

    bool uses_lut() const {
        return lut && view_only.channel == PassChannel::colour && view_only.map == PassMap::none;
    }
    bool draws_a() const { return mode != PassMode::result || !padding.empty(); }
    bool operator==(const PassSettings&) const = default;
};

inline constexpr double kGridFrom = 10, kGridFull = 30; ///< framebuffer pixels per texel
inline constexpr int kCheckerSide = 8; ///< framebuffer pixels, counted from the view's corner
/// Rim of a region, in framebuffer pixels, that a minified image does not show: it would average texels
/// beyond the region.
inline constexpr double kPartRim = 4;

} // namespace kg::display
