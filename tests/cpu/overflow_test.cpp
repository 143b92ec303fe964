// Semantics 12 at the end of f32's range: a sum that leaves it is infinite or NaN, never a wrong number, and only there.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <limits>

namespace kg::testing {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

/// Noise with samples of up to the largest there is, of both signs, here and there.
Image with_huge_samples(Extent size) {
    auto picture = random_picture(size, {Depth::f32, 1}, 12);
    for (const auto& [x, y, value] : {std::tuple{0, 0, kLargest},
                                      {31, 12, 3e38f},
                                      {33, 13, -3e38f},
                                      {34, 13, 2.9e38f},
                                      {90, 40, 1.2e38f},
                                      {91, 40, 1.1e38f},
                                      {92, 40, 1.2e38f},
                                      {149, 60, -kLargest}})
        picture.view().row<float>(y)[x] = value;
    return picture;
}

Image magnitudes(const Image& picture) {
    auto positive = picture.clone();
    for (std::int64_t y = 0; y < picture.size().height; ++y)
        for (std::int64_t x = 0; x < picture.size().width; ++x) {
            float& sample = positive.view().row<float>(y)[x];
            sample = std::fabs(sample);
        }
    return positive;
}

struct Count {
    int finite = 0, overflown = 0;
};

/// Holds every output of a stage of positive weights to the rule.
Count check(const Stage& stage, std::string_view way) {
    const auto picture = with_huge_samples({150, 61});
    const auto& kernel = stage.kernels.front();
    const ImageRequest request{picture.size(), picture.format(), picture.format(), {stage}};
    const auto result = run(*cpu::make_engine(2), request, picture.view(), way);
    const auto expected = reference_values(request, picture.view()),
               magnitude = reference_values(request, magnitudes(picture).view()); // divided by the divisor
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
                << way << " x " << x << " y " << y;
            ++count.finite;
        } else {
            EXPECT_GT(sum, static_cast<double>(kLargest)) << way << " x " << x << " y " << y;
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
    for (const auto* way : {"box", "direct", "separable"})
        for (const auto& stage : {flat(5, 3), flat(3, 1), flat(40, 30)}) {
            const auto count = check(stage, way);
            EXPECT_GT(count.finite, 1000) << way;
            EXPECT_GT(count.overflown, 0) << way; // else the picture would show nothing
        }
    // Summed by blocks, in float64 down and along: what lies between the two is f32.
    const auto count = check(generated_stage(BoxGenerator{3, 1301}), "box");
    EXPECT_GT(count.overflown, 0);
    EXPECT_GT(count.finite, 1000);
}

TEST(Overflow, DoesNotComeFromWeightsThatAddUpToOne) { // so Gaussians take every finite picture
    const auto picture = with_huge_samples({150, 61});
    for (const double sigma : {0.8, 4.0}) {
        const int side = 2 * static_cast<int>(std::ceil(4 * sigma)) + 1;
        const ImageRequest request{picture.size(),
                                   picture.format(),
                                   picture.format(),
                                   {generated_stage(GaussianGenerator{sigma, side, side})}};
        const auto result = run(*cpu::make_engine(2), request, picture.view(), "separable");
        EXPECT_TRUE(is_right(request, picture.view(), result.view()));
    }
}

} // namespace
} // namespace kg::testing
