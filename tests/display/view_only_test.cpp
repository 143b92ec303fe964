// What the view shows of colours without changing an image: view-only settings, kinds of differences, and the
// pixels that a border defines around an image.

#include "display/pass/colour_lut.hpp"
#include "display/pass/colour_maps.hpp"
#include "tests/display/image_pass_fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace kg;
using namespace kg::testing;

class ViewOnlyTest : public ImagePassTest {
protected:
    /// The bytes of an opaque pixel under these settings.
    Rgba shown(const Rgba& pixel, const ViewOnly& view, PixelFormat format = kOpaque) {
        const auto image = image8(
            8, 8, [&](int, int) { return pixel; }, format);
        auto settings = at(1);
        settings.view_only = view;
        return draw({8, 8}, {}, image.image, settings).at(4, 4);
    }
    static void expect_near(const Rgba& actual, const Rgba& expected) {
        for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(actual[c], expected[c], 1) << "channel " << c;
    }
    static Rgba bytes(const PassColour& c) {
        const auto byte = [](float v) { return static_cast<std::uint8_t>(v * 255 + 0.5f); };
        return {byte(c[0]), byte(c[1]), byte(c[2]), 255};
    }
};

/// The lut of a function of red, green and blue.
std::shared_ptr<const ColourLut> lut_of(const std::function<PassColour(float, float, float)>& colour) {
    ColourLut lut;
    constexpr int kSide = ColourLut::kSide;
    const auto place = [](int i) { return static_cast<float>(i) / (kSide - 1); };
    for (int b = 0; b < kSide; ++b)
        for (int g = 0; g < kSide; ++g)
            for (int r = 0; r < kSide; ++r) lut.colours.push_back(colour(place(r), place(g), place(b)));
    return std::make_shared<const ColourLut>(std::move(lut));
}

TEST_P(ViewOnlyTest, AProfileIsAppliedToColoursAlone) {
    const auto third = [](int x, int y) { return static_cast<std::uint8_t>(8 * x + y); };
    const auto image = image8(8, 8, [&](int x, int y) { return Rgba{200, 100, third(x, y), 255}; });
    const auto black = image8(8, 8, [](int, int) { return Rgba{0, 0, 0, 255}; });
    auto settings = at(1);
    settings.lut = lut_of([](float r, float g, float b) { return PassColour{b, r * r, g / 2}; });
    const auto screen = draw({8, 8}, {}, image.image, settings);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) expect_near(screen.at(x, y), {third(x, y), 200 * 200 / 255, 50, 255});
    settings.view_only.channel = PassChannel::red;
    expect_near(draw({8, 8}, {}, image.image, settings).at(3, 3), {200, 200, 200, 255});
    settings.view_only = {};
    settings.mode = PassMode::difference;
    expect_near(draw({8, 8}, black.image, image.image, settings).at(3, 3), {200, 100, 27, 255});
}

TEST_P(ViewOnlyTest, AProfileLeavesWhatIsBelowBlackAndAboveWhite) {
    const auto image = TestImage<float>(4, 1, GL_RGBA32F, GL_FLOAT, {Depth::f32, 3}, [](int, int) {
        return std::array{2.0f, -0.5f, 0.5f, 1.0f};
    });
    auto settings = at(1);
    settings.lut = lut_of([](float r, float g, float b) { return PassColour{r, g, b / 2}; });
    settings.view_only.exposure = -2;
    // 2.0 of sRGB is 4.95 times the light of white, and a quarter of it is white; 0.25 is 0.0508, 0.0127.
    const auto shown = draw({4, 1}, {}, image.image, settings).at(1, 0);
    expect_near(shown, {255, 0, 30, 255});
    settings.view_only.exposure = -3;
    EXPECT_NEAR(draw({4, 1}, {}, image.image, settings).at(1, 0)[0], 206, 1) << "above white";
}

TEST_P(ViewOnlyTest, ExposureMultipliesLinearLight) {
    // 188 of sRGB is twice the light of 137.
    expect_near(shown({137, 0, 255, 255}, {.exposure = 1}), {188, 0, 255, 255});
    expect_near(shown({188, 0, 255, 255}, {.exposure = -1}), {137, 0, 188, 255});
}

TEST_P(ViewOnlyTest, ExposureUncoversFloatsAboveWhite) {
    const auto image = TestImage<float>(4, 1, GL_RGBA32F, GL_FLOAT, {Depth::f32, 3, -1, true}, [](int, int) {
        return std::array{2.0f, 4.0f, 0.5f, 1.0f};
    });
    auto settings = at(1);
    settings.view_only.exposure = -2;
    expect_near(draw({4, 1}, {}, image.image, settings).at(1, 0), {188, 255, 99, 255});
}

TEST_P(ViewOnlyTest, GammaIsAPowerOfTheDisplayedColour) {
    expect_near(shown({64, 0, 255, 255}, {.gamma = 2}), {128, 0, 255, 255});
}

TEST_P(ViewOnlyTest, OneChannelIsGrey) {
    const Rgba pixel{200, 100, 50, 128};
    EXPECT_EQ(shown(pixel, {.channel = PassChannel::red}, kWithAlpha), (Rgba{200, 200, 200, 255}));
    EXPECT_EQ(shown(pixel, {.channel = PassChannel::green}, kWithAlpha), (Rgba{100, 100, 100, 255}));
    EXPECT_EQ(shown(pixel, {.channel = PassChannel::blue}, kWithAlpha), (Rgba{50, 50, 50, 255}));
    EXPECT_EQ(shown(pixel, {.channel = PassChannel::alpha}, kWithAlpha), (Rgba{128, 128, 128, 255}));
    expect_near(shown({0, 255, 0, 255}, {.channel = PassChannel::luminance}), {220, 220, 220, 255});
}

TEST_P(ViewOnlyTest, FalseColourTakesTheChosenChannelOrTheLuminance) {
    const auto& viridis = map_colours(PassMap::viridis);
    expect_near(shown({0, 0, 0, 255}, {.map = PassMap::viridis}), bytes(viridis.front()));
    expect_near(shown({255, 255, 255, 255}, {.map = PassMap::viridis}), bytes(viridis.back()));
    expect_near(shown({255, 0, 0, 255}, {.channel = PassChannel::green, .map = PassMap::viridis}),
                bytes(viridis.front()));
    expect_near(shown({128, 128, 128, 255}, {.map = PassMap::cividis}),
                bytes(mapped(map_colours(PassMap::cividis), 128 / 255.0f)));
    expect_near(shown({0, 0, 0, 255}, {.map = PassMap::diverging, .map_low = -1}),
                bytes(map_colours(PassMap::diverging)[16]));
}

TEST_P(ViewOnlyTest, ZebraMarksBlackAndWhiteAlone) {
    const auto image = image8(24, 8, [](int x, int) {
        if (x < 8) return Rgba{0, 100, 100, 255};
        return x < 16 ? Rgba{1, 100, 254, 255} : Rgba{100, 100, 255, 255};
    });
    auto settings = at(1);
    settings.view_only.zebra = true;
    settings.zebra_low = {0, 0, 1};
    settings.zebra_high = {1, 0, 0};
    const auto screen = draw({24, 8}, {}, image.image, settings);
    int low = 0, middle = 0, high = 0;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            low += screen.at(x, y) == Rgba{0, 0, 255, 255};
            middle += screen.at(8 + x, y) == Rgba{1, 100, 254, 255};
            high += screen.at(16 + x, y) == Rgba{255, 0, 0, 255};
        }
    EXPECT_EQ(low, 32);
    EXPECT_EQ(middle, 64);
    EXPECT_EQ(high, 32);
}

TEST_P(ViewOnlyTest, ADifferenceHasASignOrIsAHeatMap) {
    const auto a = image8(4, 4, [](int, int) { return Rgba{100, 100, 100, 255}; });
    const auto b = image8(4, 4, [](int x, int) {
        return x < 2 ? Rgba{110, 98, 100, 255} : Rgba{98, 70, 100, 255};
    });
    auto settings = at(1);
    settings.mode = PassMode::difference;
    settings.difference_gain = 4;
    settings.difference = PassDifference::with_sign;
    const auto& diverging = map_colours(PassMap::diverging);
    auto screen = draw({4, 4}, a.image, b.image, settings);
    expect_near(screen.at(0, 0), bytes(mapped(diverging, 0.5f + 0.5f * 40 / 255)));
    expect_near(screen.at(3, 0), bytes(mapped(diverging, 0.5f - 0.5f * 120 / 255)));
    settings.difference = PassDifference::heat;
    screen = draw({4, 4}, a.image, b.image, settings);
    expect_near(screen.at(3, 0), bytes(mapped(map_colours(PassMap::viridis), 120 / 255.0f)));
    settings.difference = PassDifference::absolute;
    settings.view_only.channel = PassChannel::red;
    EXPECT_EQ(draw({4, 4}, a.image, b.image, settings).at(3, 0), (Rgba{8, 8, 8, 255}));
}

TEST_P(ViewOnlyTest, PaddingShowsThePixelsThatABorderReads) {
    const auto image = image8(6, 5, pattern);
    for (const auto border : kBorders) {
        auto settings = at(1, {4, 4});
        settings.surround = {0, 0, 0};
        settings.hatch = {0, 0, 0};
        settings.padding = {3, 2, 2, 3, border};
        const auto screen = draw({16, 16}, image.image, image.image, settings);
        for (int y = -4; y < 12; ++y)
            for (int x = -4; x < 12; ++x) {
                const bool inside = x >= 0 && y >= 0 && x < 6 && y < 5;
                const bool padded = x >= -3 && y >= -2 && x < 6 + 2 && y < 5 + 3;
                const auto from_x = border_index(border, x, 6), from_y = border_index(border, y, 5);
                auto expected = from_x < 0 || from_y < 0 || !padded ? Rgba{0, 0, 0, 255}
                                                                    : pattern(from_x, from_y);
                // Dimmed by half, and by half again on a line of the hatching.
                const int share = inside ? 1 : (x + 4 + y + 4 + 1) % 12 == 0 ? 4 : 2;
                for (std::size_t c = 0; c < 3; ++c)
                    ASSERT_NEAR(screen.at(x + 4, y + 4)[c], expected[c] / share, 1)
                        << name(border) << " at " << x << ", " << y;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Renderers, ViewOnlyTest,
                         ::testing::Values(PassRenderer::shaders, PassRenderer::processor),
                         [](const auto& renderer) {
                             return renderer.param == PassRenderer::shaders ? "shaders" : "processor";
                         });

class ViewOnlyRenderersTest : public GlTest {};

TEST_F(ViewOnlyRenderersTest, TheProcessorDrawsWhatTheShadersDraw) {
    const auto a = image8(203, 151, pattern);
    const auto b = image8(
        203, 151,
        [](int x, int y) {
            return Rgba{static_cast<std::uint8_t>(x * 3), static_cast<std::uint8_t>(y * 5),
                        static_cast<std::uint8_t>((x * x + y * 7) / 3), static_cast<std::uint8_t>(255 - y)};
        },
        kWithAlpha);
    std::vector<std::function<void(PassSettings&)>> variants{
        [](auto& s) { s.view_only.exposure = 1.5f; },
        [](auto& s) { s.view_only.gamma = 1.8f; },
        [](auto& s) { s.view_only.channel = PassChannel::luminance; },
        [](auto& s) { s.view_only.channel = PassChannel::alpha; },
        [](auto& s) { s.view_only.map = PassMap::cividis; },
        [](auto& s) { s.view_only.map = PassMap::diverging, s.view_only.map_low = -1; },
        [](auto& s) {
            s.padding = {40, 20, 30, 10, Border::reflect101};
        },
        [](auto& s) {
            s.padding = {250, 160, 250, 160, Border::reflect};
        },
        [](auto& s) { s.mode = PassMode::difference, s.difference = PassDifference::heat; },
        [](auto& s) { s.mode = PassMode::difference, s.view_only.channel = PassChannel::luminance; },
    };
    for (const double zoom : {0.3, 1.0, 2.5})
        for (std::size_t i = 0; i < variants.size(); ++i) {
            PassSettings settings;
            settings.mode = PassMode::split;
            settings.view = {zoom, {31.25, 17.35}}; // no place is a whole number: rounding decides there
            settings.pixel_grid = false;
            variants[i](settings);
            ImagePass shaders(PassRenderer::shaders), processor(PassRenderer::processor);
            const Extent view{160, 120};
            const Screen one(shaders.draw(view, a.image, b.image, settings), view),
                other(processor.draw(view, a.image, b.image, settings), view);
            int largest = 0;
            for (std::int64_t y = 0; y < view.height; ++y)
                for (std::int64_t x = 0; x < view.width; ++x)
                    for (std::size_t c = 0; c < 4; ++c)
                        largest = std::max(largest, std::abs(one.at(x, y)[c] - other.at(x, y)[c]));
            EXPECT_LE(largest, zoom < 1 ? 2 : 1) << "zoom " << zoom << ", variant " << i;
        }
}

} // namespace
