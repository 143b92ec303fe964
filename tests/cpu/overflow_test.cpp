// Semantics 12 at the end of f32's range: only a sum that leaves the range is infinite or NaN, and no other
// result is wrong.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <limits>

namespace kg::testing {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

/// Noise with scattered samples of the largest magnitude, of both signs.
Image with_huge_samples(Extent size) {
    auto image = random_image(size, {Depth::f32, 1}, 12);
    for (const auto& [x, y, value] : {std::tuple{0, 0, kLargest},
                                      {31, 12, 3e38f},
                                      {33, 13, -3e38f},
                                      {34, 13, 2.9e38f},
                                      {90, 40, 1.2e38f},
                                      {91, 40, 1.1e38f},
                                      {92, 40, 1.2e38f},
                                      {149, 60, -kLargest}})
        image.view().row<float>(y)[x] = value;
    return image;
}

Image magnitudes(const Image& image) {
    auto positive = image.clone();
    for (std::int64_t y = 0; y < image.size().height; ++y)
        for (std::int64_t x = 0; x < image.size().width; ++x) {
            float& sample = positive.view().row<float>(y)[x];
            sample = std::fabs(sample);
        }
    return positive;
}

struct Count {
    int finite = 0, overflown = 0;
};

/// Checks the rule for every output of a stage of positive weights.
Count check(const Stage& stage, std::string_view algorithm) {
    const auto image = with_huge_samples({150, 61});
    const auto& kernel = stage.kernels.front();
    const ImageRequest request{image.size(), image.format(), image.format(), {stage}};
    const auto result = run(*cpu::make_engine(2), request, image.view(), algorithm);
    const auto expected = reference_values(request, image.view()),
               magnitude = reference_values(request, magnitudes(image).view()); // divided by the divisor
    const double divisor = static_cast<double>(kernel.divisor),
                 relative = 2.0 * (kernel.width + kernel.height) *
                            static_cast<double>(std::numeric_limits<float>::epsilon());
    Count count;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto x = static_cast<std::int64_t>(i) % 150, y = static_cast<std::int64_t>(i) / 150;
        const double got = static_cast<double>(result.view().row<float>(y)[x]);
        const double sum = magnitude[i] * divisor * (1 + relative);
        if (std::isfinite(got)) {
            EXPECT_LE(std::fabs(got - expected[i]), relative * magnitude[i])
                << algorithm << " x " << x << " y " << y;
            ++count.finite;
        } else {
            EXPECT_GT(sum, static_cast<double>(kLargest)) << algorithm << " x " << x << " y " << y;
            ++count.overflown;
        }
    }
    return count;
}

TEST(Overflow, IsNeverAWrongNumberAndStaysWhereTheSumIsTooLarge) {
    const auto flat = [](int width, int height) {
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        Stage stage{{make_kernel(width, height, std::vector<float>(count, 1), static_cast<float>(count))}};
        stage.factors = {{std::vector<int>(static_cast<std::size_t>(height), 1),
                          std::vector<int>(static_cast<std::size_t>(width), 1)}};
        return stage;
    };
    for (const auto* algorithm : {"box", "direct", "separable"})
        for (const auto& stage : {flat(5, 3), flat(3, 1), flat(40, 30)}) {
            const auto count = check(stage, algorithm);
            EXPECT_GT(count.finite, 1000) << algorithm;
            EXPECT_GT(count.overflown, 0) << algorithm; // otherwise the image would test nothing
        }
    // Summed by blocks, in float64 down and along; the plane between the passes is f32.
    const auto count = check(generated_stage(BoxGenerator{3, 1301}), "box");
    EXPECT_GT(count.overflown, 0);
    EXPECT_GT(count.finite, 1000);
}

TEST(Overflow, DoesNotComeFromWeightsThatAddUpToOne) { // so Gaussians accept every finite image
    const auto image = with_huge_samples({150, 61});
    for (const double sigma : {0.8, 4.0}) {
        const int kernel_size = 2 * static_cast<int>(std::ceil(4 * sigma)) + 1;
        const ImageRequest request{image.size(),
                                   image.format(),
                                   image.format(),
                                   {generated_stage(GaussianGenerator{sigma, kernel_size, kernel_size})}};
        const auto result = run(*cpu::make_engine(2), request, image.view(), "separable");
        EXPECT_TRUE(is_right(request, image.view(), result.view()));
    }
}

} // namespace
} // namespace kg::testing
