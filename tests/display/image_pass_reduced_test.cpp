// Textures with every n-th pixel, or with a part of the image, pixel by pixel.

#include "tests/display/image_pass_fixture.hpp"

#include <algorithm>
#include <cmath>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_P(ImagePassTest, AReducedTextureStandsForTheWholeImage) {
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

TEST_P(ImagePassTest, ASampleIsDrawnAroundThePixelThatItIsOf) {
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

TEST_P(ImagePassTest, SamplesOfAnImageDifferFromItNowhere) {
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

TEST_P(ImagePassTest, AReducedImageEndsWithinItsLastTexel) {
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

TEST_P(ImagePassTest, WhatIsNotThereYetIsHatchedInEveryMode) {
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

TEST_P(ImagePassTest, APartOfAReducedTextureEndsWhereItsPixelsEnd) {
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

TEST_P(ImagePassTest, AMinifiedRegionIsNotMixedWithPixelsBeyondIt) {
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

} // namespace
