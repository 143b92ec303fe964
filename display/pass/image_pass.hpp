#pragma once
// Draws one or two images into a texture of the view's size in framebuffer pixels, to be shown 1:1.
// Independent of the toolkit's samplers and of the window, so that a test can read every pixel.
//
// Nearest when magnified: a pixel of an 8-bit opaque image appears with its exact bytes. Smooth when
// minified: the average in linear light, premultiplied. Linear images are encoded as sRGB; the
// colours of a profile become those of sRGB through PassSettings::lut.
//
// Where OpenGL itself draws on the processor, the fragments of this pass take it ten times as long as our own
// loops (display/pass/software_pass.hpp), which give the same image within a level.

#include "display/gl_objects.hpp"
#include "display/pass/pass_settings.hpp"
#include "display/pass/software_pass.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace kg::display {

/// Who computes the pixels of the pass.
enum class PassRenderer : std::uint8_t {
    automatic, ///< the processor if OpenGL draws in software
    shaders,
    processor,
};

class ImagePass {
public:
    /// Throws Error if the driver rejects the shaders.
    explicit ImagePass(PassRenderer renderer = PassRenderer::automatic);

    /// Draws and returns the texture: RGBA8, opaque, row 0 at the top, of exactly this size until the next
    /// call. GL state that other drawing relies on (framebuffer, viewport, program, blending) is restored.
    /// Repeated arguments cost nothing: most frames of a window change no image.
    GLuint draw(Extent view, const PassImage& a, const PassImage& b, const PassSettings& settings);
    GLuint texture() const { return target_.id(); }
    bool is_software() const { return software_.has_value(); }
    /// Copies the texture into a region of a framebuffer of this size, where its corner is this pixel, row 0
    /// at the top. The scissor test is to be off. For OpenGL in software, which draws a rectangle with the
    /// texture twenty times as slowly.
    void copy_to(GLuint framebuffer, Extent size, const Rect& region, std::int64_t x, std::int64_t y) const;
    /// Number of times that the texture has been drawn.
    std::uint64_t drawings() const { return drawings_; }

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
    void draw_by_shaders(Extent size, const PassImage& a, const PassImage& b, const PassSettings& settings);
    void refresh(Pyramid& pyramid, const PassImage& image, double step);
    void halve_levels(const Pyramid& pyramid, int last);
    /// Pyramid of a or b (0, 1). Samples alternate with the whole image, so each of the two has its own.
    Pyramid& pyramid_of(std::size_t i, const PassImage& image) {
        return pyramids_[2 * i + (image.reduction > 1 ? 1 : 0)];
    }

    std::optional<SoftwarePass> software_;
    Program halve_, show_;
    VertexArray no_vertices_;
    Sampler smooth_;
    Framebuffer framebuffer_, halving_;
    Texture target_, lut_;
    std::shared_ptr<const ColourLut> lut_of_; ///< content of lut_
    Extent size_;
    std::array<Pyramid, 4> pyramids_;
    std::optional<Drawn> drawn_; ///< content of target_
    std::uint64_t drawings_ = 0;
};

} // namespace kg::display
