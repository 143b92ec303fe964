// Several linear filters as one: the kernel, where it is right, and what is left alone.

#include "core/plan/composed_plan.hpp"
#include "core/request/compose.hpp"
#include "core/request/stage.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg {
namespace {

Stage dense_stage(int width, int height, std::vector<float> weights, float divisor = 1) {
    return Stage{{make_kernel(width, height, std::move(weights), divisor)}};
}
Stage box() { return dense_stage(3, 3, std::vector<float>(9, 1), 9); }
Stage sharpening() { return dense_stage(3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}); }

ImageRequest recipe(std::vector<Stage> stages, Border border = Border::reflect101) {
    ImageRequest request{{40, 30}, {Depth::u8, 3}, {Depth::u8, 3}, std::move(stages)};
    request.border = border;
    return request;
}

const Kernel& only_kernel(const ImageRequest& request) { return request.stages.at(0).kernels.at(0); }

TEST(Compose, TheKernelIsTheConvolutionOfTheKernels) {
    const auto one = composed(recipe({box(), sharpening()}));
    ASSERT_TRUE(one);
    ASSERT_EQ(one->stages.size(), 1u);
    const auto& kernel = only_kernel(*one);
    EXPECT_EQ(kernel.weights, (std::vector<float>{0,  -1, -1, -1, 0,  //
                                                  -1, 3,  2,  3,  -1, //
                                                  -1, 2,  1,  2,  -1, //
                                                  -1, 3,  2,  3,  -1, //
                                                  0,  -1, -1, -1, 0}));
    EXPECT_EQ(kernel.divisor, 9);
    EXPECT_EQ(kernel.anchor_x, 2);
    EXPECT_EQ(kernel.anchor_y, 2);
}

TEST(Compose, AnchorsAddUpAndFlipsAreApplied) {
    auto row = dense_stage(2, 1, {1, 2}), column = dense_stage(1, 3, {1, 0, 4}, 2);
    row.kernels.front().flip = true; // taps 2 1 with the anchor 0
    column.kernels.front().anchor_y = 2;
    column.kernels.front().offset = 0.25f;
    const auto one = composed(recipe({row, column}));
    ASSERT_TRUE(one);
    const auto& kernel = only_kernel(*one);
    EXPECT_EQ(kernel.weights, (std::vector<float>{2, 1, 0, 0, 8, 4}));
    EXPECT_EQ(kernel.anchor_x, 0);
    EXPECT_EQ(kernel.anchor_y, 2);
    EXPECT_EQ(kernel.divisor, 2);
    EXPECT_EQ(kernel.offset, 0.25f);
    EXPECT_FALSE(kernel.flip);
}

TEST(Compose, WeightsThatAreNoFloatsAreRoundedWithinTheirShare) {
    const auto thirds = dense_stage(3, 1, {1 / 3.f, 1 / 3.f, 1 / 3.f}),
               tenths = dense_stage(1, 2, {0.1f, 0.9f}, 1.1f);
    const auto one = composed(recipe({thirds, tenths}));
    ASSERT_TRUE(one);
    EXPECT_EQ(only_kernel(*one).divisor, 1);
    const double third = static_cast<double>(1 / 3.f), tenth = static_cast<double>(0.1f);
    EXPECT_EQ(only_kernel(*one).weights[0], static_cast<float>(third * tenth / static_cast<double>(1.1f)));
    // The same with large gains: 255 * 909 * 2^-25 levels, the sum of the weights' magnitudes being 909, are
    // too many.
    const auto loud = dense_stage(3, 1, {1000 / 3.f, 1000 / 3.f, -1000 / 3.f});
    EXPECT_FALSE(composed(recipe({loud, tenths})));
}

TEST(Compose, ProductsOfDivisorsStayInRange) {
    const auto chain = [](float weight, float divisor) {
        return composed(recipe(std::vector<Stage>(9, dense_stage(1, 1, {weight}, divisor))));
    };
    for (const float tiny : {1e-38f, 1e-20f, 1e20f, 1e38f}) {
        const auto one = chain(tiny, tiny);
        ASSERT_TRUE(one) << tiny;
        EXPECT_EQ(only_kernel(*one).weights[0] / only_kernel(*one).divisor, 1.0f) << tiny;
        EXPECT_NO_THROW(validate(only_kernel(*one)));
    }
    EXPECT_FALSE(chain(1e38f, 1)) << "beyond float32";
    const auto almost_nothing = chain(1, 1e38f);
    ASSERT_TRUE(almost_nothing);
    EXPECT_NO_THROW(validate(only_kernel(*almost_nothing)));
    const auto large = dense_stage(3, 3, std::vector<float>(9, 0x1p60f), 0x1p63f);
    const auto one = composed(recipe({large, large}));
    ASSERT_TRUE(one);
    EXPECT_EQ(only_kernel(*one).weights[0] / only_kernel(*one).divisor, 0x1p-6f);
    EXPECT_LT(only_kernel(*one).divisor, 2);
}

TEST(Compose, LongRecipesAreLeftAlone) {
    EXPECT_FALSE(composed(recipe(std::vector<Stage>(90, box())))) << "planning would take milliseconds";
    EXPECT_FALSE(composed(recipe(std::vector<Stage>(600, dense_stage(3, 1, {1, 1, 1}, 3)))))
        << "1201 columns";
}

TEST(Compose, OnlyLinearFiltersOfStoredBytesWithoutAnOffsetBetweenThem) {
    ASSERT_TRUE(composed(recipe({box(), sharpening(), box()})));
    EXPECT_FALSE(composed(recipe({box()})));
    auto request = recipe({box(), sharpening()});
    request.stages.front().kernels.front().offset = 0.1f;
    EXPECT_FALSE(composed(request));
    request = recipe({box(), sharpening()});
    request.in.depth = request.out.depth = Depth::f32; // NaN would reach other outputs
    EXPECT_FALSE(composed(request));
    request = recipe({box(), sharpening()});
    request.light = Light::linear;
    EXPECT_FALSE(composed(request));
    request = recipe({box(), sharpening()});
    request.stages.back().kernels.push_back(request.stages.back().kernels.front());
    request.stages.back().combine = Combine::l2;
    EXPECT_FALSE(composed(request));
    request = recipe({box(), generated_stage(BoxGenerator{2001, 3})});
    EXPECT_FALSE(composed(request));
    request = recipe({box(), sharpening()});
    request.in = request.out = {Depth::u8, 4, 3};
    EXPECT_FALSE(composed(request));
    request.alpha = AlphaMode::straight;
    EXPECT_TRUE(composed(request));
}

TEST(Compose, EverywhereWhereExtensionAndFilterCommute) {
    const auto odd = dense_stage(3, 1, {1, 2, 3});
    for (const auto border : kBorders) {
        const bool reflects = border == Border::reflect || border == Border::reflect101;
        EXPECT_EQ(composed_outputs(recipe({box(), odd}, border)) == Rect(0, 0, 40, 30),
                  border == Border::wrap || reflects)
            << name(border);
        EXPECT_EQ(composed_outputs(recipe({odd, box()}, border)) == Rect(0, 0, 40, 30),
                  border == Border::wrap)
            << name(border);
    }
    EXPECT_EQ(composed_outputs(recipe({box(), odd, box()}, Border::zero)), Rect(2, 1, 36, 28));
    auto far = dense_stage(2, 41, std::vector<float>(82, 1));
    EXPECT_TRUE(composed_outputs(recipe({box(), far}, Border::replicate)).empty());
}

TEST(Compose, PartsCoverTheOutputsOnceAndBeginAtTheQuantum) {
    const Rect exact{2, 3, 36, 24};
    EXPECT_EQ(divided({0, 0, 40, 30}, exact, 4).front().outputs, Rect(16, 4, 16, 20));
    EXPECT_TRUE(divided({0, 0, 40, 30}, exact, 4).front().composed);
    for (const std::int64_t quantum : {1, 4, 16})
        for (const Rect& outputs :
             {Rect{0, 0, 40, 30}, Rect{0, 16, 40, 14}, Rect{1, 4, 1, 1}, Rect{5, 0, 3, 2},
              Rect{10, 16, 12, 4}, Rect{37, 16, 3, 14}, Rect{0, 28, 40, 2}}) {
            std::vector<int> times(40 * 30);
            for (const auto& part : divided(outputs, exact, quantum)) {
                EXPECT_TRUE(outputs.contains(part.outputs));
                EXPECT_TRUE(!part.composed || exact.contains(part.outputs));
                EXPECT_TRUE(part.outputs.y == outputs.y || part.outputs.y % quantum == 0);
                for (auto y = part.outputs.y; y < part.outputs.bottom(); ++y)
                    for (auto x = part.outputs.x; x < part.outputs.right(); ++x)
                        ++times[static_cast<std::size_t>(40 * y + x)];
            }
            for (std::int64_t y = 0; y < 30; ++y)
                for (std::int64_t x = 0; x < 40; ++x)
                    EXPECT_EQ(times[static_cast<std::size_t>(40 * y + x)], outputs.contains({x, y, 1, 1}));
        }
}

} // namespace
} // namespace kg
