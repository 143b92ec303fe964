// Semantics 7 at the end of the way: what a file gets is multiplied by alpha, 0 included, and rounded once.

#include "app/process/file_request.hpp"
#include "app/process/recipe_record.hpp"
#include "app/io/metadata/colour.hpp"
#include "core/image/conversion.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/ways.hpp"

#include <cmath>

namespace kg::testing {
namespace {

constexpr PixelFormat kRgba{Depth::u8, 4, 3};

Picture picture_of(Image image) {
    Picture picture{std::move(image), {}};
    picture.stored = picture.image.format().depth;
    return picture;
}

/// Every colour with every alpha; multiplied by it, where the format says so.
Picture all_colours(PixelFormat format = kRgba) {
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
    return picture_of(std::move(image));
}

Recipe recipe_of(std::string_view step, AlphaMode alpha) {
    Recipe recipe;
    recipe.steps = {parse_step(step)};
    recipe.alpha = alpha;
    return recipe;
}

/// As `filter` does it, from a picture to what its file holds.
Picture filtered(const Picture& picture, const Recipe& recipe, std::string_view format,
                 const WriteOptions& options = {}) {
    auto own = picture_of(picture.image.clone());
    own.metadata = picture.metadata;
    own.linear = picture.linear;
    const auto asked = file_request(own, recipe, format);
    const auto result = run(*cpu::make_engine(1), asked.request, std::as_const(own.image).view());
    return decode_picture(encode_result(result.view(), own, recipe, format, "it", options).bytes, "it");
}

double value(const Picture& picture, std::int64_t x, std::int64_t y, int c) {
    return sample(std::as_const(picture.image).view(), x, y, c);
}

constexpr AlphaMode kModes[] = {AlphaMode::premultiplied, AlphaMode::straight, AlphaMode::keep};

TEST(StoredOnce, ColourInOpenExrIsMultipliedByAlpha0Included) {
    const auto picture = all_colours();
    for (const auto mode : kModes) {
        const auto file = filtered(picture, recipe_of("identity", mode), "exr");
        ASSERT_TRUE(file.image.format().premultiplied);
        for (std::int64_t alpha = 0; alpha < 256; ++alpha)
            for (std::int64_t x = 0; x < 256; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double want = srgb_to_linear(value(picture, x, alpha, c) / 255) *
                                        static_cast<double>(alpha) / 255;
                    ASSERT_NEAR(value(file, x, alpha, c), want, 1e-6 * want)
                        << alpha << ", mode " << static_cast<int>(mode);
                }
    }
    Image straight({1, 1}, {Depth::f32, 4, 3});
    for (int c = 0; c < 3; ++c) store(straight.view(), 0, 0, c, 0.8);
    store(straight.view(), 0, 0, 3, 0);
    const auto file = decode_picture(encode_picture(straight.view(), "exr", "it").bytes, "it");
    for (int c = 0; c < 4; ++c) EXPECT_EQ(value(file, 0, 0, c), 0);
}

TEST(StoredOnce, HalfFloatsAreOnceRoundedFromColourTimesAlpha) {
    const auto picture = all_colours();
    for (const auto mode : kModes) {
        auto recipe = recipe_of("identity", mode);
        recipe.depth = Depth::f16;
        const auto file = filtered(picture, recipe, "exr");
        ASSERT_EQ(file.stored, Depth::f16);
        for (std::int64_t alpha = 1; alpha < 256; ++alpha)
            for (std::int64_t x = 0; x < 256; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double want = srgb_to_linear(value(picture, x, alpha, c) / 255) *
                                        static_cast<double>(alpha) / 255;
                    const double step = std::ldexp(1.0, std::max(std::ilogb(want), -14) - 10);
                    ASSERT_LE(std::fabs(value(file, x, alpha, c) - want), 0.505 * step)
                        << x << ", " << alpha << ", mode " << static_cast<int>(mode);
                }
    }
}

Picture associated() {
    auto format = kRgba;
    format.premultiplied = true;
    auto picture = all_colours(format);
    picture.metadata.associated_alpha = true;
    return picture;
}

TEST(StoredOnce, AssociatedAlphaStaysSoInTiff) {
    const auto picture = associated();
    const auto view = std::as_const(picture.image).view();
    for (const bool strip : {false, true}) {
        const auto file = decode_picture(
            encode_picture(view, "tif", "it", {.metadata = &picture.metadata, .strip = strip}).bytes, "it");
        EXPECT_TRUE(file.image.format().premultiplied && file.metadata.associated_alpha);
        EXPECT_TRUE(same_pixels(std::as_const(file.image).view(), view));
        for (const auto mode : kModes) {
            const auto result = filtered(file, recipe_of("identity", mode), "tif", {.strip = strip});
            EXPECT_TRUE(result.image.format().premultiplied && result.metadata.associated_alpha);
            EXPECT_TRUE(same_pixels(std::as_const(result.image).view(), view)) << static_cast<int>(mode);
            const auto straight = filtered(file, recipe_of("identity", mode), "png");
            EXPECT_FALSE(straight.image.format().premultiplied || straight.metadata.associated_alpha);
            EXPECT_EQ(value(straight, 100, 200, 0), std::nearbyint(value(picture, 100, 200, 0) * 255 / 200));
        }
    }
    auto none = picture_of(
        picture.image.clone()); // of a picture from elsewhere nothing says that TIFF is to be so
    EXPECT_FALSE(filtered(none, recipe_of("identity", AlphaMode::keep), "tif").image.format().premultiplied);
}

constexpr const char* kMeanOfTwo = "custom:size=2x1:weights=1,1:divisor=2:anchor=0,0";

TEST(StoredOnce, AssociatedAlphaIsRoundedOnceInLinearLight) {
    const auto picture = associated();
    auto recipe = recipe_of(kMeanOfTwo, AlphaMode::keep);
    recipe.light = Light::linear;
    const auto result = filtered(picture, recipe, "tif");
    ASSERT_EQ(result.image.format(), picture.image.format());
    for (std::int64_t alpha = 1; alpha < 256; ++alpha)
        for (std::int64_t x = 0; x < 255; ++x) {
            const auto full = static_cast<double>(alpha);
            const double mean = (srgb_to_linear(value(picture, x, alpha, 0) / full) +
                                 srgb_to_linear(value(picture, x + 1, alpha, 0) / full)) /
                                2;
            ASSERT_LE(std::fabs(value(result, x, alpha, 0) - linear_to_srgb(mean) * full), 0.505)
                << x << ", " << alpha;
        }
}

TEST(StoredOnce, ColoursOfAProfileAreFloatsUntilTheResult) {
    auto picture = all_colours({Depth::u8, 4, 3});
    picture.metadata.icc = adobe_rgb_profile();
    auto exact = picture_of(Image(picture.image.size(), {Depth::f32, 4, 3}));
    for (std::int64_t y = 0; y < 256; ++y)
        for (std::int64_t x = 0; x < 256; ++x)
            for (int c = 0; c < 4; ++c) store(exact.image.view(), x, y, c, value(picture, x, y, c) / 255);
    exact.metadata = picture.metadata;
    convert_to_srgb(exact);
    auto recipe = recipe_of(kMeanOfTwo, AlphaMode::keep);
    recipe.light = Light::linear;
    const auto result = filtered(picture, recipe, "png");
    ASSERT_EQ(result.image.format().depth, Depth::u8);
    for (std::int64_t x = 0; x < 255; ++x)
        for (int c = 0; c < 3; ++c) {
            const double mean =
                (srgb_to_linear(value(exact, x, 255, c)) + srgb_to_linear(value(exact, x + 1, 255, c))) / 2;
            const double want = std::clamp(255 * linear_to_srgb(mean), 0.0, 255.0);
            EXPECT_LE(std::fabs(value(result, x, 255, c) - want), 0.505) << x;
        }
}

TEST(StoredOnce, SamplesOfOtherLargestValuesRoundTiesToEven) { // 30 of 100 are 76.5 of 255
    const auto picture = decode_picture("P5 5 1 100\n\x0a\x1e\x32\x46\x5a", "it");
    const double want[] = {26, 76, 128, 178, 230};
    for (int x = 0; x < 5; ++x) EXPECT_EQ(value(picture, x, 0, 0), want[x]);
    const auto words = decode_picture("P2 5 1 100\n10 30 50 70 90\n", "it");
    EXPECT_TRUE(same_pixels(std::as_const(words.image).view(), std::as_const(picture.image).view()));
}

} // namespace
} // namespace kg::testing
