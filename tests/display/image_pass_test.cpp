// The output of the image pass, pixel by pixel.

#include "tests/display/image_pass_fixture.hpp"

#include <cmath>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_P(ImagePassTest, MagnifiedFourTimesEveryPixelIsASquareOfItsExactBytesRow0AtTheTop) {
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

TEST_P(ImagePassTest, AtOneHundredPercentTheBytesAreTheImages) {
    const auto image = image8(64, 48, pattern);
    const auto screen = draw({64, 48}, {}, image.image, at(1));
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) ASSERT_EQ(screen.at(x, y), pattern(x, y)) << x << "," << y;
}

TEST_P(ImagePassTest, FarIntoALargeImageAtALargeZoomPixelsAreStillSquare) {
    const auto image = image8(16384, 2, pattern);
    const auto screen = draw({256, 8}, {}, image.image, at(100, {-16000.0 * 100, 0}));
    for (int x = 0; x < 256; ++x) ASSERT_EQ(screen.at(x, 4), pattern(16000 + x / 100, 0)) << x;
}

TEST_P(ImagePassTest, CheckerOfEightPixelsLiesBehindAlphaAndStaysWhenTheImageMoves) {
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

TEST_P(ImagePassTest, StraightAndPremultipliedImagesLookTheSame) {
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

TEST_P(ImagePassTest, SplitShowsALeftAndBRightOfALine) {
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

TEST_P(ImagePassTest, SideShowsTheSamePlaceInBothHalves) {
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

TEST_P(ImagePassTest, DifferenceIsAbsoluteAndMagnified) {
    const auto a = image8(4, 4, [](int, int) { return Rgba{100, 100, 100, 255}; });
    const auto b = image8(4, 4, [](int, int) { return Rgba{103, 95, 100, 255}; });
    auto settings = at(1);
    settings.mode = PassMode::difference;
    settings.difference_gain = 10;
    EXPECT_EQ(draw({4, 4}, a.image, b.image, settings).at(1, 1), (Rgba{30, 50, 0, 255}));
}

TEST_P(ImagePassTest, ADifferenceOfMagnifiedImagesEndsWithThem) {
    const auto a = image8(4, 4, pattern), b = image8(4, 4, pattern);
    auto settings = at(3, {1, 1});
    settings.mode = PassMode::difference;
    settings.difference_gain = 10;
    const auto screen = draw({20, 20}, a.image, b.image, settings);
    const auto has_image = [&](int i) { return i >= 1 && i < 13; };
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x)
            EXPECT_EQ(screen.at(x, y), has_image(x) && has_image(y) ? (Rgba{0, 0, 0, 255}) : kSurroundBytes)
                << x << "," << y;
}

TEST_P(ImagePassTest, TheSameAgainIsNotDrawnAndAnyChangeIs) {
    const auto pixels = image8(16, 16, pattern);
    ImagePass pass(GetParam());
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

TEST_P(ImagePassTest, FloatImagesClampAndNanIsBlack) {
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

TEST_P(ImagePassTest, LinearLightIsEncodedForTheScreen) {
    PixelFormat format{Depth::f32, 3};
    format.linear = true;
    const auto image = TestImage<float>(8, 8, GL_RGBA32F, GL_FLOAT, format, [](int, int) {
        return std::array{0.5f, 0.5f, 0.5f, 1.0f};
    });
    EXPECT_NEAR(draw({8, 8}, {}, image.image, at(1)).at(4, 4)[0], 188, 1);
    EXPECT_NEAR(draw({4, 4}, {}, image.image, at(0.5)).at(2, 2)[0], 188, 1);
}

TEST_P(ImagePassTest, GridComesWithMagnificationOnly) {
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

TEST_P(ImagePassTest, OddSizesAndEmptyViewsAreDrawn) {
    for (const auto& [w, h] : {std::pair{1, 1}, {1, 37}, {37, 1}, {13, 7}}) {
        const auto image = image8(w, h, [](int, int) { return Rgba{90, 120, 150, 255}; });
        const auto seen = draw({w, h}, {}, image.image, at(0.4, {0.3, 0.3})).at(0, 0);
        EXPECT_NEAR(seen[0], 90, 1) << w << "x" << h;
        EXPECT_NEAR(seen[2], 150, 1) << w << "x" << h;
    }
    EXPECT_NE(ImagePass().draw({0, 0}, {}, {}, at(1)), 0u);
}

TEST_P(ImagePassTest, LeavesOpenGlAsItWas) {
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

INSTANTIATE_TEST_SUITE_P(Renderers, ImagePassTest,
                         ::testing::Values(PassRenderer::shaders, PassRenderer::processor),
                         [](const auto& one) {
                             return one.param == PassRenderer::shaders ? "shaders" : "processor";
                         });

} // namespace
