#pragma once
// The textures images are shown from: immutable, RGBA of the image's depth. Three-channel and sRGB formats
// are never used: CUDA cannot register them.

#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"
#include "core/support/error.hpp"
#include "display/gl_objects.hpp"
#include "display/presentation.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kg::display {

struct TexelFormat {
    GLenum internal = GL_RGBA8;     ///< format of the texture
    GLenum type = GL_UNSIGNED_BYTE; ///< type of one sample in a transfer

    static constexpr TexelFormat of(Depth depth) {
        switch (depth) {
        case Depth::u8: return {GL_RGBA8, GL_UNSIGNED_BYTE};
        case Depth::u16: return {GL_RGBA16, GL_UNSIGNED_SHORT};
        case Depth::f16: return {GL_RGBA16F, GL_HALF_FLOAT};
        case Depth::f32: return {GL_RGBA32F, GL_FLOAT};
        case Depth::f64: break; // only between steps
        }
        return {};
    }
};

/// Reduction of an image to the texture limit: every `reduction`-th pixel of every `reduction`-th row.
struct Fit {
    int reduction = 1;
    Extent size;

    /// The texels whose pixels lie in this part of the image.
    constexpr Rect texels(const Rect& part) const {
        const auto up = [n = reduction](std::int64_t v) { return (v + n - 1) / n; };
        const auto x = up(part.x), y = up(part.y);
        return {x, y, up(part.right()) - x, up(part.bottom()) - y};
    }

    static constexpr Fit of(Extent image, std::int64_t limit) {
        const auto longer = image.width > image.height ? image.width : image.height;
        const auto n = longer > limit ? (longer + limit - 1) / limit : 1;
        return {static_cast<int>(n), {(image.width + n - 1) / n, (image.height + n - 1) / n}};
    }
};

/// The texels that a frame updates, without empty rectangles.
inline std::vector<Rect> texels_of(const Frame& frame, const Fit& fit) {
    if (frame.changed.empty()) return {whole(fit.size)};
    const auto& covers = frame.pixels.covers;
    std::vector<Rect> texels;
    for (const auto& part : frame.changed) {
        const auto inside = intersect(part, covers);
        const auto rectangle = fit.texels(
            {inside.x - covers.x, inside.y - covers.y, inside.width, inside.height});
        if (!rectangle.empty()) texels.push_back(rectangle);
    }
    return texels;
}

/// The texture's content after the frame.
inline Shown shown_of(const Frame& frame, const Fit& fit) {
    const Extent pixels{frame.pixels.covers.width, frame.pixels.covers.height};
    return {frame.serial,
            frame.every > 1 ? frame.size : pixels,
            fit.size,
            fit.reduction * frame.every,
            frame.pixels.format,
            frame.every};
}

inline std::int64_t largest_texture() {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    return limit;
}

/// Clears errors of earlier calls, so that the next one found is ours. Bounded: a lost context reports errors
/// for ever.
inline GLenum drain_gl_errors() {
    GLenum last = GL_NO_ERROR;
    for (int i = 0; i < 32; ++i) {
        const auto error = glGetError();
        if (error == GL_NO_ERROR) return last;
        last = error;
    }
    throw Error("gl-context-lost",
                "OpenGL reports errors without end: its context is lost. Start the program again");
}

/// One level of immutable storage.
class ImageTexture {
public:
    ImageTexture() = default;
    /// Zeroed, unless all of it `will_be_written`. Throws Error when graphics memory is exhausted.
    ImageTexture(Extent size, Depth depth, bool will_be_written)
        : texture_(GL_TEXTURE_2D), size_(size), depth_(depth) {
        drain_gl_errors();
        glTextureStorage2D(texture_.id(), 1, TexelFormat::of(depth).internal,
                           static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height));
        if (const auto error = glGetError(); error != GL_NO_ERROR)
            throw Error("no-texture",
                        "OpenGL gave no texture of {}x{} pixels (error {}): close other images or other "
                        "programs that use the GPU",
                        size.width, size.height, error);
        if (!will_be_written)
            glClearTexImage(texture_.id(), 0, GL_RGBA, TexelFormat::of(depth).type, nullptr);
    }

    bool fits(Extent size, Depth depth) const {
        return texture_.id() != 0 && size == size_ && depth == depth_;
    }
    GLuint id() const { return texture_.id(); }
    Extent size() const { return size_; }

private:
    Texture texture_;
    Extent size_;
    Depth depth_ = Depth::u8;
};

} // namespace kg::display
