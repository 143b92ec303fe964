// Minified images, pixel by pixel: averages in linear light.

#include "tests/display/image_pass_fixture.hpp"

#include <cmath>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_P(ImagePassTest, MinifiedIsTheAverageInLinearLight) {
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

TEST_P(ImagePassTest, AQuarterOfTheSizeIsTheAverageOfSixteenPixels) {
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

TEST_P(ImagePassTest, ZoomedOutStepByStepItIsAsZoomedOutAtOnce) {
    const auto image = image8(256, 192, pattern);
    ImagePass pass(GetParam());
    for (const double zoom : {0.9, 0.5, 0.3, 0.1, 0.02, 0.4}) {
        const Screen step(pass.draw({60, 40}, {}, image.image, at(zoom)), {60, 40});
        const auto at_once = draw({60, 40}, {}, image.image, at(zoom));
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 60; ++x)
                ASSERT_EQ(step.at(x, y), at_once.at(x, y)) << zoom << " " << x << "," << y;
    }
}

/// Between two pixels' centres it would be invisible.
TEST_P(ImagePassTest, AnImageThinnerThanAFramebufferPixelCoversOne) {
    const auto white = [](int, int) { return Rgba{255, 255, 255, 255}; };
    const Extent view{16, 16};
    for (const bool is_tall : {true, false})
        for (const int reduction : {1, 4})
            for (const double origin : {7.0, 7.2, 7.45, 7.6, 7.95}) {
                auto thin = is_tall ? image8(1, 100 / reduction, white) : image8(100 / reduction, 1, white);
                thin.image.reduction = reduction;
                thin.image.size = is_tall ? Extent{1, 100} : Extent{100, 1};
                const auto settings = at(0.1, is_tall ? Point{origin, 3} : Point{3, origin});
                const auto screen = draw(view, {}, thin.image, settings);
                for (std::int64_t i = 0; i < view.width; ++i) {
                    int drawn = 0;
                    for (std::int64_t j = 0; j < view.width; ++j)
                        drawn += screen.at(is_tall ? j : i, is_tall ? i : j) != kSurroundBytes;
                    EXPECT_EQ(drawn, i >= 3 && i < 13 ? 1 : 0)
                        << i << ", origin " << origin << ", reduction " << reduction;
                }
            }
}

TEST_P(ImagePassTest, MinifiedTransparentPixelsDoNotBleedTheirColour) {
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

TEST_P(ImagePassTest, MinifiedFollowsANewImageInTheSameTexture) {
    const auto pixels = image8(64, 64, [](int, int) { return Rgba{0, 0, 0, 255}; });
    ImagePass pass(GetParam());
    pass.draw({16, 16}, {}, pixels.image, at(0.25));
    const std::vector<Rgba> white(64 * 64, Rgba{255, 255, 255, 255});
    glTextureSubImage2D(pixels.texture.id(), 0, 0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    auto image = pixels.image;
    image.serial = 2;
    EXPECT_EQ(Screen(pass.draw({16, 16}, {}, image, at(0.25)), {16, 16}).at(8, 8)[0], 255);
}

} // namespace
