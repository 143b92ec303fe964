// The two renderers of the image pass beside each other.

#include "display/renderer.hpp"
#include "tests/display/image_pass_fixture.hpp"

#include <cstdlib>

namespace {

using namespace kg;
using namespace kg::testing;

class RenderersTest : public GlTest {};

/// The largest difference of any sample, in levels.
int largest_byte_difference(Extent view, const PassImage& a, const PassImage& b,
                            const PassSettings& settings) {
    ImagePass shaders(PassRenderer::shaders), processor(PassRenderer::processor);
    const Screen one(shaders.draw(view, a, b, settings), view),
        other(processor.draw(view, a, b, settings), view);
    int largest = 0;
    for (std::int64_t y = 0; y < view.height; ++y)
        for (std::int64_t x = 0; x < view.width; ++x)
            for (std::size_t c = 0; c < 4; ++c)
                largest = std::max(largest, std::abs(one.at(x, y)[c] - other.at(x, y)[c]));
    return largest;
}

TEST_F(RenderersTest, TheProcessorDrawsWhatTheShadersDraw) {
    const auto coloured = [](int x, int y) {
        return Rgba{static_cast<std::uint8_t>(x * 3), static_cast<std::uint8_t>(y * 5),
                    static_cast<std::uint8_t>((x * x + y * 7) / 3), static_cast<std::uint8_t>(255 - y)};
    };
    const auto a = image8(203, 151, pattern), b = image8(203, 151, coloured, kWithAlpha);
    for (const double zoom : {0.11, 0.3, 0.5, 0.77, 1.0, 2.5, 17.0})
        for (const auto mode : {PassMode::result, PassMode::split, PassMode::side, PassMode::difference}) {
            PassSettings settings;
            settings.mode = mode;
            settings.view = {zoom, {3.25, -7.5}};
            settings.surround = kSurround;
            // Lines lie where a place is exactly a whole number: rounding decides about them.
            settings.pixel_grid = false;
            EXPECT_LE(largest_byte_difference({160, 120}, a.image, b.image, settings), zoom < 1 ? 2 : 1)
                << "zoom " << zoom << ", mode " << static_cast<int>(mode);
        }
}

TEST_F(RenderersTest, BothDrawAnImageThinnerThanAPixelInTheSamePlace) {
    const auto a = image8(1, 90, pattern),
               b = image8(1, 90, [](int, int y) {
                   return Rgba{static_cast<std::uint8_t>(250 - y), 40, static_cast<std::uint8_t>(y), 255};
               });
    for (const auto mode : {PassMode::result, PassMode::split, PassMode::side, PassMode::difference})
        for (const double origin : {3.0, 4.7}) {
            PassSettings settings;
            settings.mode = mode;
            settings.view = {0.2, {origin, 1.5}};
            settings.surround = kSurround;
            EXPECT_LE(largest_byte_difference({21, 24}, a.image, b.image, settings), 2)
                << "mode " << static_cast<int>(mode) << ", origin " << origin;
        }
}

/// The stripes of zebra need the general loop, and an image without black and white has none of them.
TEST_F(RenderersTest, TheProcessorsQuickLoopDrawsWhatItsGeneralOneDraws) {
    const auto coloured = [](int x, int y) {
        const auto grey = [](int v) { return static_cast<std::uint8_t>(1 + v % 254); };
        return Rgba{grey(x * 37 + y * 11), grey(x * 5 + y * 71), grey(x * x + y * 7), grey(x * y)};
    };
    constexpr Extent kView{160, 120};
    for (const auto& format : {kOpaque, kWithAlpha}) {
        const auto image = image8(203, 151, coloured, format);
        for (const double zoom : {0.02, 0.11, 0.3, 0.5, 0.77, 1.0, 2.5, 17.0})
            for (const auto mode : {PassMode::result, PassMode::split, PassMode::side}) {
                PassSettings settings;
                settings.mode = mode;
                settings.view = {zoom, {3.25, -7.5}};
                settings.surround = kSurround;
                settings.pixel_grid = false;
                auto striped = settings;
                striped.view_only.zebra = true;
                ImagePass pass(PassRenderer::processor);
                const Screen quick(pass.draw(kView, image.image, image.image, settings), kView),
                    general(pass.draw(kView, image.image, image.image, striped), kView);
                for (std::int64_t y = 0; y < kView.height; ++y)
                    for (std::int64_t x = 0; x < kView.width; ++x)
                        ASSERT_EQ(quick.at(x, y), general.at(x, y))
                            << "zoom " << zoom << ", mode " << static_cast<int>(mode) << " " << x << "," << y;
            }
    }
}

TEST_F(RenderersTest, OpenGlInSoftwareIsDrawnByTheProcessorAndOtherOpenGlByShaders) {
    const auto image = image8(64, 64, pattern);
    PassSettings settings;
    settings.view = {0.3, {}};
    const bool is_software = Renderer::current().is_software();
    ImagePass chosen, expected(is_software ? PassRenderer::processor : PassRenderer::shaders);
    const Screen one(chosen.draw({32, 32}, {}, image.image, settings), {32, 32}),
        other(expected.draw({32, 32}, {}, image.image, settings), {32, 32});
    for (int x = 0; x < 32; ++x) EXPECT_EQ(one.at(x, 5), other.at(x, 5));
}

} // namespace
