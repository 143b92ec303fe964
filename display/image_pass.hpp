#pragma once
// Draws one or two pictures into a texture of the view's size in framebuffer pixels, to be shown 1:1. Independent of the
// toolkit's own samplers and of the window, so that a test can read every pixel.
//
// Nearest when magnified: a pixel of an 8-bit opaque picture appears with its exact bytes. Smooth when minified: the
// average in linear light, premultiplied. Linear pictures are encoded as sRGB; there is no other colour management.

#include "core/image/pixel.hpp"
#include "display/gl_objects.hpp"
#include "display/view_transform.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace kg::display {

/// A picture's texture: RGBA, 1.0 = white, grey already replicated (packing.hpp).
struct PassImage {
    GLuint texture = 0;       ///< immutable, RGBA of format.depth; 0 = no picture: the surround shows
    std::uint64_t serial = 0; ///< changes whenever the texture's content does
    Extent size;              ///< of the picture, in pixels
    Extent texture_size;
    int reduction = 1;  ///< texels are every n-th pixel of every n-th row; squares around those are drawn
    PixelFormat format; ///< alpha, light, premultiplied are read
    Rect part{};        ///< of the picture, what the texture holds: the rest is hatched; empty = all

    bool operator==(const PassImage&) const = default;
};

enum class PassMode : std::uint8_t {
    result,     ///< b alone
    split,      ///< a left of the divider, b right of it
    side,       ///< a in the left half, b in the right, each with the transform of a view of half the width
    difference, ///< |a - b| times difference_gain, on what would be shown
};

/// Components 0 to 1, as they appear.
using PassColour = std::array<float, 3>;

struct PassSettings {
    PassMode mode = PassMode::result;
    ViewTransform view;
    double divider = 0.5;  ///< of the view's width
    double line_width = 2; ///< of the divider, in framebuffer pixels
    float difference_gain = 1;
    bool pixel_grid = true; ///< from kGridFrom, full at kGridFull
    PassColour surround{}, line{1, 1, 1};
    PassColour hatch{0.5f, 0.5f, 0.5f}; ///< of the lines over the surround where a picture has no pixels yet

    bool operator==(const PassSettings&) const = default;
};

inline constexpr double kGridFrom = 10, kGridFull = 30; ///< framebuffer pixels per texel
inline constexpr int kCheckerSide = 8; ///< framebuffer pixels, counted from the view's corner
/// Framebuffer pixels at the rim of a part that a minified picture does not show: they would average what is beyond it.
inline constexpr double kPartRim = 4;

class ImagePass {
public:
    /// Throws Error if the driver rejects the shaders.
    ImagePass();

    /// Draws and returns the texture: RGBA8, opaque, row 0 at the top, of exactly this size until the next call.
    /// GL state that other drawing relies on (framebuffer, viewport, program, blending) is restored. Asked for the same
    /// again it does nothing: most frames of a window change no picture.
    GLuint draw(Extent view, const PassImage& a, const PassImage& b, const PassSettings& settings);
    GLuint texture() const { return target_.id(); }

private:
    /// Halved sizes of a picture for minification, made when first needed and again when the picture changes.
    struct Pyramid {
        Texture levels;
        Extent size;  ///< of level 0, half the picture's
        int last = 0; ///< level that is there
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
    /// Of a or b (0, 1): samples take turns with the whole, so each of the two has its own.
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
    std::optional<Drawn> drawn_; ///< what target_ shows
};

} // namespace kg::display
