#pragma once
// The fixture of the image pass's tests: images from functions, and the pixels that are drawn.

#include "display/pass/image_pass.hpp"
#include "tests/display/gl_test.hpp"

#include <array>
#include <functional>
#include <vector>

namespace kg::testing {

using namespace kg::display;

using Rgba = std::array<std::uint8_t, 4>;
inline constexpr PassColour kSurround{28 / 255.0f, 28 / 255.0f, 28 / 255.0f};
inline constexpr Rgba kSurroundBytes{28, 28, 28, 255};

/// A texture filled from a function of x and y, RGBA of Sample.
template <typename Sample>
struct TestImage {
    TestImage(std::int64_t width, std::int64_t height, GLenum internal, GLenum type, PixelFormat format,
              const std::function<std::array<Sample, 4>(int, int)>& pixel)
        : texture(GL_TEXTURE_2D) {
        std::vector<std::array<Sample, 4>> texels;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) texels.push_back(pixel(x, y));
        glTextureStorage2D(texture.id(), 1, internal, static_cast<GLsizei>(width),
                           static_cast<GLsizei>(height));
        glTextureSubImage2D(texture.id(), 0, 0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height),
                            GL_RGBA, type, texels.data());
        image = {texture.id(), 1, {width, height}, {width, height}, 1, format};
    }
    Texture texture;
    PassImage image;
};

using Image8 = TestImage<std::uint8_t>;
inline constexpr PixelFormat kOpaque{Depth::u8, 3}, kWithAlpha{Depth::u8, 4, 3};

inline Image8 image8(int width, int height, const std::function<Rgba(int, int)>& pixel,
                     PixelFormat format = kOpaque) {
    return Image8(width, height, GL_RGBA8, GL_UNSIGNED_BYTE, format, pixel);
}

inline Rgba pattern(int x, int y) {
    return {static_cast<std::uint8_t>(x * 37 + y * 11), static_cast<std::uint8_t>(x * 5 + y * 71),
            static_cast<std::uint8_t>(255 - x * 3 - y), 255};
}

class Screen {
public:
    Screen(GLuint texture, Extent size)
        : size_(size), pixels_(static_cast<std::size_t>(size.width * size.height)) {
        glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(pixels_.size() * 4),
                          pixels_.data());
    }
    Rgba at(std::int64_t x, std::int64_t y) const {
        return pixels_[static_cast<std::size_t>(y * size_.width + x)];
    }

private:
    Extent size_;
    std::vector<Rgba> pixels_;
};

/// Every test is of the shaders and of the processor's loops.
class ImagePassTest : public GlTest, public ::testing::WithParamInterface<PassRenderer> {
protected:
    Screen draw(Extent view, const PassImage& a, const PassImage& b, const PassSettings& settings) {
        ImagePass pass(GetParam());
        Screen screen(pass.draw(view, a, b, settings), view);
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return screen;
    }
    static PassSettings at(double zoom, Point origin = {}) {
        PassSettings settings;
        settings.view = {zoom, origin};
        settings.surround = kSurround;
        settings.pixel_grid = false;
        return settings;
    }
};

} // namespace kg::testing
