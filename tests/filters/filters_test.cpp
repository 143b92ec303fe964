#include "filters/analysis.hpp"
#include "filters/recipe.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg {
namespace {

Kernel kernel_of(const std::string& step) { return stage_of(parse_step(step)).kernels.front(); }

TEST(Filters, GaussianReachesFourSigmaAndSumsToOne) {
    const auto kernel = kernel_of("gaussian:sigma=2");
    EXPECT_EQ(kernel.width, 17); // a three-sigma kernel would have 13
    EXPECT_NEAR(dc_gain(kernel), 1, 1e-6);
    EXPECT_NEAR(kernel_of("gaussian:sigma=1:size=3").weights[4], 0.2042f, 5e-5f); // T22
    EXPECT_NEAR(kernel_of("gaussian:sigma=0.5:size=3").weights[4], 0.6193f, 5e-5f);
}

TEST(Filters, GaussianSizeAloneFollowsTheRule) {
    const double sigma = 0.3 * ((7 - 1) / 2.0 - 1) + 0.8;
    EXPECT_EQ(kernel_of("gaussian:size=7"), kernel_of("gaussian:size=7:sigma=" + to_text(sigma)));
}

TEST(Filters, SobelHasWholeFactorsAndTwoKernels) {
    const auto stage = stage_of(parse_step("sobel"));
    ASSERT_EQ(stage.kernels.size(), 2u);
    EXPECT_EQ(stage.combine, Combine::l2);
    for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                EXPECT_EQ(stage.kernels[k].weights[3 * i + j],
                          static_cast<float>(stage.factors[k].column[i] * stage.factors[k].row[j]));
    EXPECT_EQ(kernel_of("sobel:direction=x").weights, (std::vector<float>{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
}

TEST(Filters, SharpenIsTheClassicOne) {
    EXPECT_EQ(kernel_of("sharpen").weights, (std::vector<float>{0, -1, 0, -1, 5, -1, 0, -1, 0}));
}

TEST(Analysis, FindsRankSymmetryAndGain) {
    const auto gaussian = kernel_of("gaussian:sigma=3");
    EXPECT_EQ(analyse(gaussian).rank, 1);
    EXPECT_EQ(verdict(kernel_of("box:size=7"), analyse(kernel_of("box:size=7"))),
              "Separable: rank 1; 14 products instead of 49.");
    const auto sharpen = analyse(kernel_of("sharpen"));
    EXPECT_EQ(sharpen.rank, 2);
    EXPECT_EQ(sharpen.zeros, 4);
    EXPECT_TRUE(sharpen.integer && sharpen.symmetric_x && sharpen.symmetric_y);
    EXPECT_EQ(analyse(make_kernel(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 10})).rank, 3);
    EXPECT_EQ(analyse(make_kernel(2, 2, {0, 0, 0, 0})).rank, 0);
    const auto sobel = analyse(kernel_of("sobel:direction=x"));
    EXPECT_FALSE(sobel.symmetric_x);
    EXPECT_TRUE(sobel.symmetric_y);
    EXPECT_EQ(sobel.gain, 0);
}

} // namespace
} // namespace kg
