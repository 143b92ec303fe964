// Kernels in the sizes that device code is compiled for: the same taps at the same places.

#include "gpu/kernels/embedding.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg::gpu {
namespace {

ImageStep step_of(Kernel kernel) {
    return ImageStep(ImageRequest{{64, 64}, {Depth::f32, 1}, {Depth::f32, 1}, {Stage{{std::move(kernel)}}}});
}

TEST(Embedding, TakesTheSmallestSizeThatContainsTheTaps) {
    constexpr int kSizes[] = {3, 5, 9};
    EXPECT_EQ(embedding_size(kSizes, 1), 3);
    EXPECT_EQ(embedding_size(kSizes, 5), 5);
    EXPECT_EQ(embedding_size(kSizes, 7), 9);
    EXPECT_EQ(embedding_size(kSizes, 11), 0);
    auto kernel = make_kernel(4, 2, std::vector<float>(8, 1));
    EXPECT_EQ(odd_extent(step_of(kernel)), 5);
    kernel.anchor_x = 0;
    EXPECT_EQ(odd_extent(step_of(kernel)), 7) << "3 pixels to the right";
}

TEST(Embedding, PutsTheAnchorInTheCentreOfTheSquare) {
    auto kernel = make_kernel(2, 3, {1, 2, 3, 4, 5, 6}, 7);
    kernel.anchor_x = 0, kernel.anchor_y = 2;
    const auto packed = pack_square(step_of(kernel), 5);
    std::vector<float> expected(25);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            expected[static_cast<std::size_t>(i * 5 + j + 2)] = kernel.weights[i * 2 + j];
    EXPECT_EQ(packed.weights, expected);
    EXPECT_EQ(packed.common.kernels[0].divisor, 7);
    EXPECT_TRUE(packed.common.kernels[0].skip_zeros);
    kernel.flip = true;
    std::ranges::reverse(expected);
    EXPECT_EQ(pack_square(step_of(kernel), 5).weights, expected);
    EXPECT_FALSE(
        pack_square(step_of(make_kernel(3, 3, std::vector<float>(9, 1))), 3).common.kernels[0].skip_zeros);
}

TEST(Embedding, KeepsTheProductsOfColumnAndRow) {
    std::vector<float> weights;
    for (const float column : {1e-3f, 3e-3f, 2e-3f})
        for (const float row : {4000.5f, -7000.25f}) weights.push_back(column * row);
    const auto packed = pack_cross(step_of(make_kernel(2, 3, weights)), 5);
    ASSERT_EQ(packed.weights.size(), 10u);
    double sum = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) {
            const bool tap = i >= 1 && i < 4 && j >= 1 && j < 3;
            const float product = packed.weights[static_cast<std::size_t>(i)] *
                                  packed.weights[static_cast<std::size_t>(5 + j)];
            const float weight = tap ? weights[static_cast<std::size_t>((i - 1) * 2 + j - 1)] : 0.0f;
            EXPECT_NEAR(product, weight, std::fabs(weight) * 1e-6f);
        }
    for (int j = 0; j < 5; ++j) sum += std::fabs(packed.weights[static_cast<std::size_t>(5 + j)]);
    EXPECT_LE(sum, 1) << "sums along rows, which come first, must not overflow";
}

} // namespace
} // namespace kg::gpu
