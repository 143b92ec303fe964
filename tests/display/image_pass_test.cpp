// The output of the image pass, pixel by pixel.

#include "display/image_pass.hpp"
#include "tests/display/gl_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace {

using namespace kg;
using namespace kg::display;

using Rgba = std::array<std::uint8_t, 4>;
constexpr PassColour kSurround{28 / 255.0f, 28 / 255.0f, 28 / 255.0f};
constexpr Rgba kSurroundBytes{28, 28, 28, 255};

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
constexpr PixelFormat kOpaque{Depth::u8, 3}, kWithAlpha{Depth::u8, 4, 3};

Image8 image8(int width, int height, const std::function<Rgba(int, int)>& pixel,
              PixelFormat format = kOpaque) {
    return Image8(width, height, GL_RGBA8, GL_UNSIGNED_BYTE, format, pixel);
}

Rgba pattern(int x, int y) {
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

class ImagePassTest : public kg::testing::GlTest {
protected:
    Screen draw(Extent view, const PassImage& a, const PassImage& b, const PassSettings& settings) {
        ImagePass pass;
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

TEST_F(ImagePassTest, MagnifiedFourTimesEveryPixelIsASquareOfItsExactBytesRow0AtTheTop) {
    const auto image = image8(23, 17, pattern);
    const auto screen = draw({110, 90}, {}, image.image, at(4, {7, 5}));
    for (int y = 0; y < 90; ++y)
        for (int x = 0; x < 110; ++x) {
            const int px = static_cast<int>(std::floor((x - 7) / 4.0)),
                      py = static_cast<int>(std::floor((y - 5) / 4.0));
            const bool inside = px >= 0 && py >= 0 && px < 23 && py < 17;
            ASSERT_EQ(screen.at(x, y), inside ? pattern(px, py) : kSurroundBytes) << x << "," << y;
        }
}

TEST_F(ImagePassTest, AtOneHundredPercentTheBytesAreTheImages) {
    const auto image = image8(64, 48, pattern);
    const auto screen = draw({64, 48}, {}, image.image, at(1));
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) ASSERT_EQ(screen.at(x, y), pattern(x, y)) << x << "," << y;
}

TEST_F(ImagePassTest, FarIntoALargeImageAtALargeZoomPixelsAreStillSquare) {
    const auto image = image8(16384, 2, pattern);
    const auto screen = draw({256, 8}, {}, image.image, at(100, {-16000.0 * 100, 0}));
    for (int x = 0; x < 256; ++x) ASSERT_EQ(screen.at(x, 4), pattern(16000 + x / 100, 0)) << x;
}

TEST_F(ImagePassTest, CheckerOfEightPixelsLiesBehindAlphaAndStaysWhenTheImageMoves) {
    const auto clear = image8(
        64, 64,
        [](int, int) {
            return Rgba{255, 0, 0, 0};
        },
        kWithAlpha);
    for (const double shift : {0.0, 3.0}) {
        const auto screen = draw({64, 64}, {}, clear.image, at(2, {-shift, -shift}));
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x) {
                const std::uint8_t grey = (x / 8 + y / 8) % 2 == 0 ? 153 : 102;
                ASSERT_EQ(screen.at(x, y), (Rgba{grey, grey, grey, 255})) << x << "," << y;
            }
    }
}

TEST_F(ImagePassTest, StraightAndPremultipliedImagesLookTheSame) {
    const auto straight = image8(
        8, 8,
        [](int, int) {
            return Rgba{200, 100, 50, 51};
        },
        kWithAlpha);
    auto format = kWithAlpha;
    format.premultiplied = true;
    const auto premultiplied = image8(
        8, 8,
        [](int, int) {
            return Rgba{40, 20, 10, 51};
        },
        format);
    const auto one = draw({8, 8}, {}, straight.image, at(1)).at(0, 0);
    const auto two = draw({8, 8}, {}, premultiplied.image, at(1)).at(0, 0);
    EXPECT_EQ(one, (Rgba{162, 142, 132, 255})); // 0.2 * colour + 0.8 * 153
    EXPECT_EQ(two, one);
}

TEST_F(ImagePassTest, SplitShowsALeftAndBRightOfALine) {
    const auto a = image8(40, 10, [](int, int) { return Rgba{10, 20, 30, 255}; });
    const auto b = image8(40, 10, [](int, int) { return Rgba{200, 210, 220, 255}; });
    auto settings = at(1);
    settings.mode = PassMode::split;
    settings.divider = 0.25;
    settings.line = {1, 1, 1};
    const auto screen = draw({40, 10}, a.image, b.image, settings);
    for (int x = 0; x < 40; ++x) {
        const Rgba expected = x < 9    ? Rgba{10, 20, 30, 255}
                              : x < 11 ? Rgba{255, 255, 255, 255}
                                       : Rgba{200, 210, 220, 255};
        ASSERT_EQ(screen.at(x, 5), expected) << x;
    }
}

TEST_F(ImagePassTest, SideShowsTheSamePlaceInBothHalves) {
    const auto a = image8(20, 10, pattern);
    const auto b = image8(20, 10, [](int x, int y) { return pattern(x + 50, y); });
    auto settings = at(1, {2, 0});
    settings.mode = PassMode::side;
    const auto screen = draw({60, 10}, a.image, b.image, settings);
    for (int x = 0; x < 20; ++x) {
        ASSERT_EQ(screen.at(2 + x, 3), pattern(x, 3)) << x;
        ASSERT_EQ(screen.at(32 + x, 3), pattern(x + 50, 3)) << x;
    }
    EXPECT_EQ(screen.at(25, 3), kSurroundBytes);
}

TEST_F(ImagePassTest, DifferenceIsAbsoluteAndMagnified) {
    const auto a = image8(4, 4, [](int, int) { return Rgba{100, 100, 100, 255}; });
    const auto b = image8(4, 4, [](int, int) { return Rgba{103, 95, 100, 255}; });
    auto settings = at(1);
    settings.mode = PassMode::difference;
    settings.difference_gain = 10;
    EXPECT_EQ(draw({4, 4}, a.image, b.image, settings).at(1, 1), (Rgba{30, 50, 0, 255}));
}

TEST_F(ImagePassTest, MinifiedIsTheAverageInLinearLight) {
    const auto stripes = image8(256, 256, [](int x, int) {
        return x % 2 == 0 ? Rgba{0, 0, 0, 255} : Rgba{255, 255, 255, 255};
    });
    for (const double zoom : {0.5, 0.25, 0.125}) {
        const auto grey = draw({16, 16}, {}, stripes.image, at(zoom)).at(7, 7);
        EXPECT_NEAR(grey[0], 188, 1) << zoom; // half the light of white
        EXPECT_EQ(grey[0], grey[1]);
    }
}

/// The expected pixel at (x, y) of the image at a quarter of its size, according to the header: the average
/// of sixteen pixels in linear light, over the checkerboard.
Rgba averaged(const Image8& image, const std::function<Rgba(int, int)>& pixel, int x, int y) {
    const auto light = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const auto curve = [](double v) {
        return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    };
    const bool has_alpha = image.image.format.alpha >= 0;
    double sum[4] = {};
    for (int i = 0; i < 16; ++i) {
        const auto p = pixel(4 * x + i % 4, 4 * y + i / 4);
        const double alpha = has_alpha ? p[3] / 255.0 : 1;
        for (std::size_t c = 0; c < 3; ++c) sum[c] += light(p[c] / 255.0) * alpha;
        sum[3] += alpha;
    }
    const double checker = (x / kCheckerSide + y / kCheckerSide) % 2 == 0 ? 0.6 : 0.4, alpha = sum[3] / 16;
    Rgba seen{0, 0, 0, 255};
    for (std::size_t c = 0; c < 3; ++c) {
        const double colour = sum[3] > 0 ? curve(sum[c] / sum[3]) : 0;
        seen[c] = static_cast<std::uint8_t>(std::lround(255 * (colour * alpha + checker * (1 - alpha))));
    }
    return seen;
}

TEST_F(ImagePassTest, AQuarterOfTheSizeIsTheAverageOfSixteenPixels) {
    const auto opaque = [](int x, int y) {
        return Rgba{static_cast<std::uint8_t>(x * 71 + y * 13), static_cast<std::uint8_t>((x * x + y) % 9),
                    static_cast<std::uint8_t>(255 - x * y % 251), 255};
    };
    const auto translucent = [&](int x, int y) {
        auto p = opaque(x, y);
        p[3] = static_cast<std::uint8_t>(x * 29 + y * 53);
        return p;
    };
    for (const bool has_alpha : {false, true}) {
        const std::function<Rgba(int, int)> pixel = has_alpha ? std::function<Rgba(int, int)>(translucent)
                                                              : opaque;
        const auto image = image8(204, 92, pixel, has_alpha ? kWithAlpha : kOpaque);
        const auto screen = draw({51, 23}, {}, image.image, at(0.25));
        for (int y = 0; y < 23; ++y)
            for (int x = 0; x < 51; ++x) {
                const auto want = averaged(image, pixel, x, y), seen = screen.at(x, y);
                for (std::size_t c = 0; c < 3; ++c)
                    ASSERT_NEAR(seen[c], want[c], 1) << has_alpha << " " << x << "," << y << " " << c;
            }
    }
}

TEST_F(ImagePassTest, ZoomedOutStepByStepItIsAsZoomedOutAtOnce) {
    const auto image = image8(256, 192, pattern);
    ImagePass pass;
    for (const double zoom : {0.9, 0.5, 0.3, 0.1, 0.02, 0.4}) {
        const Screen step(pass.draw({60, 40}, {}, image.image, at(zoom)), {60, 40});
        const auto at_once = draw({60, 40}, {}, image.image, at(zoom));
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 60; ++x)
                ASSERT_EQ(step.at(x, y), at_once.at(x, y)) << zoom << " " << x << "," << y;
    }
}

TEST_F(ImagePassTest, MinifiedTransparentPixelsDoNotBleedTheirColour) {
    const auto image = image8(
        64, 64,
        [](int x, int) {
            return x % 2 == 0 ? Rgba{255, 0, 0, 0} : Rgba{0, 0, 255, 255};
        },
        kWithAlpha);
    const auto seen = draw({16, 16}, {}, image.image, at(0.25)).at(2, 2); // half blue over the checker's 153
    EXPECT_NEAR(seen[0], 76, 1);
    EXPECT_NEAR(seen[2], 204, 1);
}

TEST_F(ImagePassTest, MinifiedFollowsANewImageInTheSameTexture) {
    const auto pixels = image8(64, 64, [](int, int) { return Rgba{0, 0, 0, 255}; });
    ImagePass pass;
    pass.draw({16, 16}, {}, pixels.image, at(0.25));
    const std::vector<Rgba> white(64 * 64, Rgba{255, 255, 255, 255});
    glTextureSubImage2D(pixels.texture.id(), 0, 0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    auto image = pixels.image;
    image.serial = 2;
    EXPECT_EQ(Screen(pass.draw({16, 16}, {}, image, at(0.25)), {16, 16}).at(8, 8)[0], 255);
}

TEST_F(ImagePassTest, TheSameAgainIsNotDrawnAndAnyChangeIs) {
    const auto pixels = image8(16, 16, pattern);
    ImagePass pass;
    const auto texture = pass.draw({16, 16}, {}, pixels.image, at(1));
    const std::vector<Rgba> white(16 * 16, Rgba{255, 255, 255, 255});
    glTextureSubImage2D(pixels.texture.id(), 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    EXPECT_EQ(pass.draw({16, 16}, {}, pixels.image, at(1)), texture);
    // the serial guarantees that nothing changed
    EXPECT_EQ(Screen(texture, {16, 16}).at(5, 5), pattern(5, 5));
    auto image = pixels.image;
    image.serial = 2;
    EXPECT_EQ(Screen(pass.draw({16, 16}, {}, image, at(1)), {16, 16}).at(5, 5), white[0]);
    EXPECT_EQ(Screen(pass.draw({16, 16}, {}, image, at(1, {8, 0})), {16, 16}).at(5, 5), kSurroundBytes);
}

TEST_F(ImagePassTest, FloatImagesClampAndNanIsBlack) {
    const auto image = TestImage<float>(4, 1, GL_RGBA32F, GL_FLOAT, {Depth::f32, 3}, [](int x, int) {
        constexpr float values[] = {-0.5f, 0.5f, 2.0f, NAN};
        return std::array{values[x], values[x], values[x], 1.0f};
    });
    const auto screen = draw({4, 1}, {}, image.image, at(1));
    EXPECT_EQ(screen.at(0, 0)[0], 0);
    EXPECT_NEAR(screen.at(1, 0)[0], 128, 1);
    EXPECT_EQ(screen.at(2, 0)[0], 255);
    EXPECT_EQ(screen.at(3, 0)[0], 0);
}

TEST_F(ImagePassTest, LinearLightIsEncodedForTheScreen) {
    PixelFormat format{Depth::f32, 3};
    format.linear = true;
    const auto image = TestImage<float>(8, 8, GL_RGBA32F, GL_FLOAT, format, [](int, int) {
        return std::array{0.5f, 0.5f, 0.5f, 1.0f};
    });
    EXPECT_NEAR(draw({8, 8}, {}, image.image, at(1)).at(4, 4)[0], 188, 1);
    EXPECT_NEAR(draw({4, 4}, {}, image.image, at(0.5)).at(2, 2)[0], 188, 1);
}

TEST_F(ImagePassTest, AReducedTextureStandsForTheWholeImage) {
    auto image = image8(10, 10, pattern);
    image.image.size = {30, 30};
    image.image.reduction = 3;
    const auto screen = draw({30, 30}, {}, image.image, at(1));
    for (int i = 0; i < 29; ++i) ASSERT_EQ(screen.at(i, i), pattern((i + 1) / 3, (i + 1) / 3)) << i;
    EXPECT_EQ(screen.at(29, 29), pattern(9, 9)) << "there is none nearer";
}

/// The texel whose pixel's centre is nearest to this position in the image.
int nearest(double place, int reduction, int texels) {
    return std::min(static_cast<int>(std::floor((place - 0.5) / reduction + 0.5)), texels - 1);
}

TEST_F(ImagePassTest, ASampleIsDrawnAroundThePixelThatItIsOf) {
    for (const int n : {2, 3, 4, 7})
        for (const double zoom : {0.781, 1.0, 2.537, 5.017}) { // no edge of a square on a pixel's centre
            if (zoom * n < 1.5) continue;                      // a smaller square is not uniform
            auto image = image8(11, 8, pattern);
            image.image.size = {10 * n + 1, 7 * n + n};
            image.image.reduction = n;
            const auto columns = static_cast<int>(static_cast<double>(image.image.size.width) * zoom),
                       rows = static_cast<int>(static_cast<double>(image.image.size.height) * zoom);
            const auto screen = draw({columns, rows}, {}, image.image, at(zoom));
            for (int y = 0; y < rows; ++y)
                for (int x = 0; x < columns; ++x)
                    ASSERT_EQ(screen.at(x, y),
                              pattern(nearest((x + 0.5) / zoom, n, 11), nearest((y + 0.5) / zoom, n, 8)))
                        << x << "," << y << " at " << zoom << ", 1:" << n;
        }
}

TEST_F(ImagePassTest, SamplesOfAnImageDifferFromItNowhere) {
    const auto whole = image8(31, 26, pattern);
    for (const int n : {1, 2, 3, 5})
        for (const double zoom : {1.0, 2.5, 4.0}) {
            auto samples = image8((31 + n - 1) / n, (26 + n - 1) / n,
                                  [n](int x, int y) { return pattern(x * n, y * n); });
            samples.image.size = {31, 26};
            samples.image.reduction = n;
            auto settings = at(zoom);
            settings.mode = PassMode::difference;
            const auto screen = draw({70, 60}, whole.image, samples.image, settings);
            for (int y = 0; y < std::min(60, static_cast<int>(26 * zoom)); ++y)
                for (int x = 0; x < std::min(70, static_cast<int>(31 * zoom)); ++x)
                    ASSERT_EQ(screen.at(x, y), (Rgba{0, 0, 0, 255}))
                        << x << "," << y << " at " << zoom << ", 1:" << n;
        }
}

TEST_F(ImagePassTest, AReducedImageEndsWithinItsLastTexel) {
    auto image = image8(10, 10, pattern);
    image.image.size = {28, 29};
    image.image.reduction = 3;
    for (const int zoom : {1, 4}) {
        const auto screen = draw({30 * zoom, 30 * zoom}, {}, image.image, at(zoom));
        for (int y = 0; y < 30 * zoom; ++y)
            for (int x = 0; x < 30 * zoom; ++x) {
                const int px = x / zoom, py = y / zoom;
                const auto texel = [zoom](int i) { return nearest((i + 0.5) / zoom, 3, 10); };
                const auto want = px < 28 && py < 29 ? pattern(texel(x), texel(y)) : kSurroundBytes;
                ASSERT_EQ(screen.at(x, y), want) << x << "," << y << " at " << zoom;
            }
    }
}

/// Expects the hatch where an image has no pixels yet, with at() and a distinct hatch colour.
constexpr PassColour kHatch{200 / 255.0f, 100 / 255.0f, 50 / 255.0f};
bool is_hatching(const Rgba& c) { return c == Rgba{200, 100, 50, 255} || c == kSurroundBytes; }

TEST_F(ImagePassTest, WhatIsNotThereYetIsHatchedInEveryMode) {
    auto image = image8(40, 30, pattern);
    image.image.part = {10, 5, 20, 15};
    const auto other = image8(40, 30, [](int, int) { return Rgba{1, 2, 3, 255}; });
    auto settings = at(3);
    settings.hatch = kHatch;
    for (const auto mode : {PassMode::result, PassMode::split}) {
        settings.mode = mode;
        settings.divider = 0;
        settings.line_width = 0;
        const auto screen = draw({120, 90}, other.image, image.image, settings);
        int lines = 0;
        for (int y = 0; y < 90; ++y)
            for (int x = 0; x < 120; ++x) {
                const int px = x / 3, py = y / 3;
                if (px >= 10 && px < 30 && py >= 5 && py < 20) {
                    ASSERT_EQ(screen.at(x, y), pattern(px, py)) << x << "," << y;
                } else {
                    ASSERT_TRUE(is_hatching(screen.at(x, y))) << x << "," << y;
                    lines += screen.at(x, y) == Rgba{200, 100, 50, 255};
                }
            }
        EXPECT_GT(lines, 120 * 90 / 8) << "a hatch is seen";
    }
    settings.mode = PassMode::difference;
    const auto screen = draw({120, 90}, other.image, image.image, settings);
    EXPECT_TRUE(is_hatching(screen.at(3, 3)));
    EXPECT_FALSE(is_hatching(screen.at(45, 30)));
}

TEST_F(ImagePassTest, APartOfAReducedTextureEndsWhereItsPixelsEnd) {
    auto image = image8(10, 10, pattern);
    image.image.size = {30, 30};
    image.image.reduction = 3;
    image.image.part = {6, 3, 12, 27};
    auto settings = at(1);
    settings.hatch = kHatch;
    const auto screen = draw({30, 30}, {}, image.image, settings);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 30; ++x) {
            const int u = nearest(x + 0.5, 3, 10), v = nearest(y + 0.5, 3, 10);
            if (u >= 2 && u < 6 && v >= 1) ASSERT_EQ(screen.at(x, y), pattern(u, v)) << x << "," << y;
            else ASSERT_TRUE(is_hatching(screen.at(x, y))) << x << "," << y;
        }
}

TEST_F(ImagePassTest, AMinifiedRegionIsNotMixedWithPixelsBeyondIt) {
    auto image = image8(512, 512, [](int x, int y) {
        return x >= 160 && x < 400 && y < 300 ? Rgba{255, 255, 255, 255} : Rgba{0, 0, 0, 255};
    });
    image.image.part = {160, 0, 240, 300};
    for (const double zoom : {0.9, 0.5, 0.3, 0.21, 0.125}) {
        auto settings = at(zoom);
        settings.hatch = kHatch;
        const auto size = static_cast<int>(512 * zoom);
        const auto screen = draw({size, size}, {}, image.image, settings);
        int white = 0;
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                const auto seen = screen.at(x, y);
                ASSERT_TRUE(is_hatching(seen) || seen == (Rgba{255, 255, 255, 255}))
                    << zoom << ": " << x << "," << y << " " << int{seen[0]};
                white += seen[0] == 255;
            }
        EXPECT_GT(white, (240 * zoom - 10) * (300 * zoom - 6)) << zoom;
        EXPECT_EQ(screen.at(static_cast<int>(280 * zoom), 0)[0], 255) << "the image's own edge is shown";
    }
}

TEST_F(ImagePassTest, GridComesWithMagnificationOnly) {
    const auto grey = image8(64, 64, [](int, int) { return Rgba{64, 64, 64, 255}; });
    auto settings = at(9);
    settings.pixel_grid = true;
    const auto below = draw({90, 90}, {}, grey.image, settings);
    EXPECT_EQ(below.at(9, 40), below.at(13, 40));
    settings.view.zoom = 32;
    const auto above = draw({90, 90}, {}, grey.image, settings);
    EXPECT_EQ(above.at(40, 40), (Rgba{64, 64, 64, 255}));
    EXPECT_NEAR(above.at(32, 40)[0], 64 + 0.25 * 191, 1);
    EXPECT_NEAR(above.at(40, 64)[0], 64 + 0.25 * 191, 1);
}

TEST_F(ImagePassTest, OddSizesAndEmptyViewsAreDrawn) {
    for (const auto& [w, h] : {std::pair{1, 1}, {1, 37}, {37, 1}, {13, 7}}) {
        const auto image = image8(w, h, [](int, int) { return Rgba{90, 120, 150, 255}; });
        const auto seen = draw({w, h}, {}, image.image, at(0.4, {0.3, 0.3})).at(0, 0);
        EXPECT_NEAR(seen[0], 90, 1) << w << "x" << h;
        EXPECT_NEAR(seen[2], 150, 1) << w << "x" << h;
    }
    EXPECT_NE(ImagePass().draw({0, 0}, {}, {}, at(1)), 0u);
}

TEST_F(ImagePassTest, LeavesOpenGlAsItWas) {
    const auto image = image8(64, 64, pattern);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glViewport(1, 2, 3, 4);
    EXPECT_EQ(draw({64, 64}, {}, image.image, at(1)).at(63, 63), pattern(63, 63));
    GLint viewport[4], framebuffer = -1, program = -1;
    glGetIntegerv(GL_VIEWPORT, viewport);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    EXPECT_TRUE(glIsEnabled(GL_SCISSOR_TEST));
    EXPECT_EQ(viewport[2], 3);
    EXPECT_EQ(framebuffer, 0);
    EXPECT_EQ(program, 0);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace
