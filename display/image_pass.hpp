#pragma once
// Draws one or two images into a texture of the view's size in framebuffer pixels, to be shown 1:1.
// Independent of the toolkit's samplers and of the window, so that a test can read every pixel.
//
// Nearest when magnified: a pixel of an 8-bit opaque image appears with its exact bytes. Smooth when
// minified: the average in linear light, premultiplied. Linear images are encoded as sRGB; there is no other
// colour management.

#include "core/image/pixel.hpp"
#include "display/gl_objects.hpp"
#include "display/view_transform.hpp"

#include <array>
#include <cstdint>
#include <optional>

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
    difference, ///< |a - b| times difference_gain, of the displayed values
};

/// Displayed components, 0 to 1.
using PassColour = std::array<float, 3>;

struct PassSettings {
    PassMode mode = PassMode::result;
    ViewTransform view;
    double divider = 0.5;  ///< fraction of the view's width
    double line_width = 2; ///< width of the divider, in framebuffer pixels
    float difference_gain = 1;
    bool pixel_grid = true; ///< from kGridFrom, full at kGridFull
    PassColour surround{}, line{1, 1, 1};
    PassColour hatch{0.5f, 0.5f, 0.5f}; ///< lines over the surround where an image has no pixels yet

    bool operator==(const PassSettings&) const = default;
};

inline constexpr double kGridFrom = 10, kGridFull = 30; ///< framebuffer pixels per texel
inline constexpr int kCheckerSide = 8; ///< framebuffer pixels, counted from the view's corner
/// Rim of a region, in framebuffer pixels, that a minified image does not show: it would average texels
/// beyond the region.
inline constexpr double kPartRim = 4;

class ImagePass {
public:
    /// Throws Error if the driver rejects the shaders.
    ImagePass();

    /// Draws and returns the texture: RGBA8, opaque, row 0 at the top, of exactly this size until the next
    /// call. GL state that other drawing relies on (framebuffer, viewport, program, blending) is restored.
    /// Repeated arguments cost nothing: most frames of a window change no image.
    GLuint draw(Extent view, const PassImage& a, const PassImage& b, const PassSettings& settings);
    GLuint texture() const { return target_.id(); }

private:
    /// Halved sizes of an image for minification, created when first needed and again when the image changes.
    struct Pyramid {
        Texture levels;
        Extent size;  ///< size of level 0, half the image's
        int last = 0; ///< last valid level
        GLuint source = 0;
        std::uint64_t serial = 0;
    };
    struct Drawn {
        Extent view;
        PassImage a, b;
        PassSettings settings;
        bool operator==(const Drawn&) const = default;
    };
    void resize(Extent view);
    void refresh(Pyramid& pyramid, const PassImage& image, double step);
    /// Pyramid of a or b (0, 1). Samples alternate with the whole image, so each of the two has its own.
    Pyramid& pyramid_of(std::size_t i, const PassImage& image) {
        return pyramids_[2 * i + (image.reduction > 1 ? 1 : 0)];
    }

    Program halve_, show_;
    VertexArray no_vertices_;
    Sampler smooth_;
    Framebuffer framebuffer_, halving_;
    Texture target_;
    Extent size_;
    std::array<Pyramid, 4> pyramids_;
    std::optional<Drawn> drawn_; ///< content of target_
};

} // namespace kg::display
