// Semantics 7 at the end of the pipeline: the values for a file are multiplied by alpha, including 0, and
// rounded once.

#include "app/io/metadata/colour.hpp"
#include "app/process/file/file_request.hpp"
#include "app/process/file/recipe_record.hpp"
#include "core/request/conversion.hpp"
#include "tests/process/support/loaded.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>

namespace kg::testing {
namespace {

constexpr PixelFormat kRgba{Depth::u8, 4, 3};

/// Every colour with every alpha; premultiplied if the format is.
LoadedImage all_colours(PixelFormat format = kRgba) {
    Image image({256, 256}, format);
    for (std::int64_t alpha = 0; alpha < 256; ++alpha)
        for (std::int64_t x = 0; x < 256; ++x) {
            auto* pixel = image.view().row<std::uint8_t>(alpha) + 4 * x;
            for (int c = 0; c < 3; ++c) {
                const auto colour = (x + 85 * c) % 256;
                pixel[c] = static_cast<std::uint8_t>(
                    format.premultiplied ? std::lrint(static_cast<double>(colour * alpha) / 255) : colour);
            }
            pixel[3] = static_cast<std::uint8_t>(alpha);
        }
    return loaded(std::move(image));
}

Recipe recipe_with(std::string_view step, AlphaMode alpha) {
    Recipe recipe;
    recipe.steps = {parse_step(step)};
    recipe.alpha = alpha;
    return recipe;
}

/// Filters an image like the command `filter`, and decodes its file.
LoadedImage filtered(const LoadedImage& image, const Recipe& recipe, std::string_view format,
                     const WriteOptions& options = {}) {
    auto own = loaded(image.pixels.clone());
    own.metadata = image.metadata;
    own.linear = image.linear;
    const auto asked = file_request(own, recipe, format);
    const auto result = run(*cpu::make_engine(1), asked.request, std::as_const(own.pixels).view());
    return decode_image(encode_result(result.view(), own, recipe, format, "it", options).bytes, "it");
}

double value(const LoadedImage& image, std::int64_t x, std::int64_t y, int c) {
    return sample(std::as_const(image.pixels).view(), x, y, c);
}

constexpr AlphaMode kModes[] = {AlphaMode::premultiplied, AlphaMode::straight, AlphaMode::keep};

TEST(StoredOnce, ColourInOpenExrIsMultipliedByAlpha0Included) {
    const auto image = all_colours();
    for (const auto mode : kModes) {
        const auto file = filtered(image, recipe_with("identity", mode), "exr");
        ASSERT_TRUE(file.pixels.format().premultiplied);
        for (std::int64_t alpha = 0; alpha < 256; ++alpha)
            for (std::int64_t x = 0; x < 256; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double want = srgb_to_linear(value(image, x, alpha, c) / 255) *
                                        static_cast<double>(alpha) / 255;
                    ASSERT_NEAR(value(file, x, alpha, c), want, 1e-6 * want)
                        << alpha << ", mode " << static_cast<int>(mode);
                }
    }
    Image straight({1, 1}, {Depth::f32, 4, 3});
    for (int c = 0; c < 3; ++c) store(straight.view(), 0, 0, c, 0.8);
    store(straight.view(), 0, 0, 3, 0);
    const auto file = decode_image(encode_image(straight.view(), "exr", "it").bytes, "it");
    for (int c = 0; c < 4; ++c) EXPECT_EQ(value(file, 0, 0, c), 0);
}

TEST(StoredOnce, HalfFloatsAreOnceRoundedFromColourTimesAlpha) {
    const auto image = all_colours();
    for (const auto mode : kModes) {
        auto recipe = recipe_with("identity", mode);
        recipe.depth = Depth::f16;
        const auto file = filtered(image, recipe, "exr");
        ASSERT_EQ(file.stored, Depth::f16);
        for (std::int64_t alpha = 1; alpha < 256; ++alpha)
            for (std::int64_t x = 0; x < 256; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double want = srgb_to_linear(value(image, x, alpha, c) / 255) *
                                        static_cast<double>(alpha) / 255;
                    const double step = std::ldexp(1.0, std::max(std::ilogb(want), -14) - 10);
                    ASSERT_LE(std::fabs(value(file, x, alpha, c) - want), 0.505 * step)
                        << x << ", " << alpha << ", mode " << static_cast<int>(mode);
                }
    }
}

LoadedImage associated() {
    auto format = kRgba;
    format.premultiplied = true;
    auto image = all_colours(format);
    image.metadata.associated_alpha = true;
    return image;
}

TEST(StoredOnce, AssociatedAlphaStaysSoInTiff) {
    const auto image = associated();
    const auto view = std::as_const(image.pixels).view();
    for (const bool strip : {false, true}) {
        const auto file = decode_image(
            encode_image(view, "tif", "it", {.metadata = &image.metadata, .strip = strip}).bytes, "it");
        EXPECT_TRUE(file.pixels.format().premultiplied && file.metadata.associated_alpha);
        EXPECT_TRUE(same_pixels(std::as_const(file.pixels).view(), view));
        for (const auto mode : kModes) {
            const auto result = filtered(file, recipe_with("identity", mode), "tif", {.strip = strip});
            EXPECT_TRUE(result.pixels.format().premultiplied && result.metadata.associated_alpha);
            EXPECT_TRUE(same_pixels(std::as_const(result.pixels).view(), view)) << static_cast<int>(mode);
            const auto straight = filtered(file, recipe_with("identity", mode), "png");
            EXPECT_FALSE(straight.pixels.format().premultiplied || straight.metadata.associated_alpha);
            EXPECT_EQ(value(straight, 100, 200, 0), std::nearbyint(value(image, 100, 200, 0) * 255 / 200));
        }
    }
    // Without TIFF metadata the file is not to be premultiplied.
    auto none = loaded(image.pixels.clone());
    EXPECT_FALSE(
        filtered(none, recipe_with("identity", AlphaMode::keep), "tif").pixels.format().premultiplied);
}

constexpr const char* kMeanOfTwo = "custom:size=2x1:weights=1,1:divisor=2:anchor=0,0";

TEST(StoredOnce, AssociatedAlphaIsRoundedOnceInLinearLight) {
    const auto image = associated();
    auto recipe = recipe_with(kMeanOfTwo, AlphaMode::keep);
    recipe.light = Light::linear;
    const auto result = filtered(image, recipe, "tif");
    ASSERT_EQ(result.pixels.format(), image.pixels.format());
    for (std::int64_t alpha = 1; alpha < 256; ++alpha)
        for (std::int64_t x = 0; x < 255; ++x) {
            const auto full = static_cast<double>(alpha);
            const double mean = (srgb_to_linear(value(image, x, alpha, 0) / full) +
                                 srgb_to_linear(value(image, x + 1, alpha, 0) / full)) /
                                2;
            ASSERT_LE(std::fabs(value(result, x, alpha, 0) - linear_to_srgb(mean) * full), 0.505)
                << x << ", " << alpha;
        }
}

TEST(StoredOnce, ColoursOfAProfileAreFloatsUntilTheResult) {
    auto image = all_colours({Depth::u8, 4, 3});
    image.metadata.icc = adobe_rgb_profile();
    auto exact = loaded(Image(image.pixels.size(), {Depth::f32, 4, 3}));
    for (std::int64_t y = 0; y < 256; ++y)
        for (std::int64_t x = 0; x < 256; ++x)
            for (int c = 0; c < 4; ++c) store(exact.pixels.view(), x, y, c, value(image, x, y, c) / 255);
    exact.metadata = image.metadata;
    convert_to_srgb(exact);
    auto recipe = recipe_with(kMeanOfTwo, AlphaMode::keep);
    recipe.light = Light::linear;
    const auto result = filtered(image, recipe, "png");
    ASSERT_EQ(result.pixels.format().depth, Depth::u8);
    for (std::int64_t x = 0; x < 255; ++x)
        for (int c = 0; c < 3; ++c) {
            const double mean =
                (srgb_to_linear(value(exact, x, 255, c)) + srgb_to_linear(value(exact, x + 1, 255, c))) / 2;
            const double want = std::clamp(255 * linear_to_srgb(mean), 0.0, 255.0);
            EXPECT_LE(std::fabs(value(result, x, 255, c) - want), 0.505) << x;
        }
}

TEST(StoredOnce, SamplesOfOtherLargestValuesRoundTiesToEven) { // 30 of 100 is 76.5 of 255
    const auto image = decode_image("P5 5 1 100\n\x0a\x1e\x32\x46\x5a", "it");
    const double want[] = {26, 76, 128, 178, 230};
    for (int x = 0; x < 5; ++x) EXPECT_EQ(value(image, x, 0, 0), want[x]);
    const auto words = decode_image("P2 5 1 100\n10 30 50 70 90\n", "it");
    EXPECT_TRUE(same_pixels(std::as_const(words.pixels).view(), std::as_const(image.pixels).view()));
}

} // namespace
} // namespace kg::testing
