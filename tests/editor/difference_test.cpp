// Numbers about two images against values known beforehand.

#include "app/editor/comparison/difference.hpp"
#include "app/editor/comparison/histogram.hpp"
#include "app/editor/comparison/ssim.hpp"
#include "core/reference/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace kg {
namespace {

/// An image whose samples are a function of position and channel.
WholeImage image(Extent size, PixelFormat format, const std::function<double(int, int, int)>& value) {
    auto loaded = std::make_shared<LoadedImage>();
    loaded->pixels = Image(size, format);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c) store(loaded->pixels.view(), x, y, c, value(x, y, c));
    return {loaded, {}};
}

WholeImage flat(double value, Extent size = {20, 16}) {
    return image(size, {Depth::u8, 1}, [value](int, int, int) { return value; });
}

TEST(Ssim, OfEqualImagesIsOne) {
    const auto noise = image({30, 20}, {Depth::u8, 3},
                             [](int x, int y, int c) { return (x * 37 + y * 91 + c * 50 + x * y) % 256; });
    const auto numbers = measure_difference(noise, noise);
    ASSERT_TRUE(numbers.ssim);
    EXPECT_NEAR(*numbers.ssim, 1, 1e-12);
    EXPECT_EQ(numbers.differing, 0);
    EXPECT_FALSE(numbers.psnr);
    EXPECT_EQ(difference_text(numbers, {Depth::u8, 3}), "No sample differs");
}

TEST(Ssim, OfFlatImagesIsTheirLuminanceTerm) {
    const double a = 100 / 255.0, b = 150 / 255.0, c1 = 0.0001;
    const auto numbers = measure_difference(flat(100), flat(150));
    ASSERT_TRUE(numbers.ssim);
    EXPECT_NEAR(*numbers.ssim, (2 * a * b + c1) / (a * a + b * b + c1), 1e-12);
}

/// A pattern with mean 1/2 and its negative: the contrast and structure terms alone, which are the same in
/// every window of a period that the Gaussian resolves.
TEST(Ssim, OfAPatternAndItsNegativeIsNegative) {
    const auto stripes = [](bool negative) {
        return image({40, 40}, {Depth::u8, 1},
                     [negative](int x, int y, int) { return ((x + y) % 2 == 1) != negative ? 255.0 : 0.0; });
    };
    // Both variances are 1/4 to within the window's answer to the highest frequency, exp(-2 pi^2) of it.
    const auto numbers = measure_difference(stripes(false), stripes(true));
    ASSERT_TRUE(numbers.ssim);
    constexpr double kC2 = 0.0009, kVariance = 0.25;
    EXPECT_NEAR(*numbers.ssim, (kC2 - 2 * kVariance) / (2 * kVariance + kC2), 1e-3);
}

/// Images that differ in their alpha alone are not alike.
TEST(Ssim, IsTheLowerOfThatOfLuminanceAndAlpha) {
    const auto with_alpha = [](double alpha) {
        return image({20, 16}, {Depth::u8, 2, 1}, [alpha](int, int, int c) { return c == 0 ? 100 : alpha; });
    };
    const double a = 100 / 255.0, b = 150 / 255.0, c1 = 0.0001;
    const double expected = (2 * a * b + c1) / (a * a + b * b + c1);
    const auto of_alpha = measure_difference(with_alpha(100), with_alpha(150));
    ASSERT_TRUE(of_alpha.ssim);
    EXPECT_NEAR(*of_alpha.ssim, expected, 1e-12);
    EXPECT_NEAR(*measure_difference(with_alpha(100), with_alpha(100)).ssim, 1, 1e-12);
}

TEST(Ssim, NeedsAWholeWindow) {
    EXPECT_FALSE(measure_difference(flat(1, {10, 30}), flat(2, {10, 30})).ssim);
    EXPECT_FALSE(measure_difference(flat(1, {30, 10}), flat(2, {30, 10})).ssim);
    EXPECT_TRUE(measure_difference(flat(1, {11, 11}), flat(2, {11, 11})).ssim);
}

TEST(Difference, CountsSamplesAndStatesThemInLevels) {
    const PixelFormat format{Depth::u8, 3};
    const auto a = image({20, 20}, format, [](int, int, int) { return 100.0; });
    const auto b = image({20, 20}, format,
                         [](int x, int y, int c) { return x == 3 && y == 4 && c == 1 ? 112.0 : 100.0; });
    const auto numbers = measure_difference(a, b);
    EXPECT_EQ(numbers.samples, 1200);
    EXPECT_EQ(numbers.differing, 1);
    EXPECT_DOUBLE_EQ(numbers.largest, 12 / 255.0);
    EXPECT_DOUBLE_EQ(numbers.mean, 12 / 255.0 / 1200);
    ASSERT_TRUE(numbers.psnr);
    EXPECT_NEAR(*numbers.psnr, 10 * std::log10(1200 * 255.0 * 255.0 / 144), 1e-9);
    EXPECT_EQ(difference_text(numbers, format).substr(0, 27), "Max 12 of 255 \xC2\xB7 mean 0.01 ");
}

TEST(Difference, ComparesDepthsByTheirFullScaleAndLeavesOutWhatIsNotFinite) {
    const auto a = image({12, 12}, {Depth::u8, 1}, [](int, int, int) { return 51.0; });
    const auto b = image({12, 12}, {Depth::f32, 1}, [](int x, int, int) {
        return x == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.7;
    });
    const auto numbers = measure_difference(a, b);
    EXPECT_EQ(numbers.not_finite, 12);
    EXPECT_EQ(numbers.samples, 132);
    EXPECT_NEAR(numbers.largest, 0.5, 1e-6);
    EXPECT_FALSE(numbers.ssim);
}

TEST(Difference, EqualInfinitiesAndNaNDoNotDiffer) {
    const auto a = image({12, 12}, {Depth::f32, 1}, [](int x, int y, int) {
        return x == 0   ? std::numeric_limits<double>::infinity()
               : y == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : 0.5;
    });
    const auto numbers = measure_difference(a, a);
    EXPECT_EQ(numbers.samples, 144);
    EXPECT_EQ(numbers.differing, 0);
    EXPECT_EQ(difference_text(numbers, {Depth::f32, 1}), "No sample differs");
}

TEST(Histogram, HasABinForEveryLevelOfEightBits) {
    const auto ramp = image({256, 2}, {Depth::u8, 2, 1}, [](int x, int, int c) { return c == 0 ? x : 255; });
    const auto found = count_histograms(ramp, flat(7, {256, 2}));
    EXPECT_EQ(found.low, 0);
    EXPECT_EQ(found.high, 1);
    ASSERT_EQ(found.original.size(), 2u);
    for (const auto count : found.original[0].bins) EXPECT_EQ(count, 2);
    EXPECT_EQ(found.original[1].bins.back(), 512);
    EXPECT_EQ(found.result[0].bins[7], 512);
    EXPECT_EQ(histogram_bin(found, 7 / 255.0), 7);
}

TEST(Histogram, OfSixteenBitsCoversTheWholeRange) {
    const auto levels = image({257, 1}, {Depth::u16, 1},
                              [](int x, int, int) { return x < 256 ? x * 257 : 30; });
    const auto found = count_histograms(levels, levels);
    EXPECT_EQ(found.high, 1);
    EXPECT_EQ(found.original[0].bins[0], 2);
    for (std::size_t i = 1; i < kHistogramBins; ++i) EXPECT_EQ(found.original[0].bins[i], 1) << i;
}

TEST(Histogram, OfFloatsEndsAtPowersOfTwoThatHoldMostSamples) {
    const PixelFormat floats{Depth::f32, 1};
    const auto values = image({100, 100}, floats, [](int x, int y, int) {
        if (x == 0 && y == 0) return 1e20; // one in ten thousand does not stretch the axis
        if (x == 0 && y == 1) return std::numeric_limits<double>::infinity();
        return y < 50 ? 3.5 : -0.3;
    });
    const auto found = count_histograms(values, image({100, 100}, floats, [](int, int, int) { return 0.5; }));
    EXPECT_EQ(found.high, 4);
    EXPECT_EQ(found.low, -0.5);
    EXPECT_EQ(found.original[0].not_finite, 1);
    EXPECT_EQ(found.original[0].bins.back(), 1);
    EXPECT_EQ(found.original[0].below, 5000);
    EXPECT_EQ(found.original[0].above, 4999);
    EXPECT_EQ(found.original[0].bins[static_cast<std::size_t>(histogram_bin(found, -0.3))], 5000);
}

TEST(Histogram, IsCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(count_histograms(flat(1), flat(2), stop.get_token()), Cancelled);
    EXPECT_THROW(measure_difference(flat(1), flat(2), stop.get_token()), Cancelled);
}

} // namespace
} // namespace kg
