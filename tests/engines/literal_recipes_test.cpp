// Semantics 11 to the letter for recipes whose later filters amplify the roundings of earlier ones: the
// numbers between their steps are float64.

#include "core/plan/cut.hpp"
#include "core/request/rounding.hpp"
#include "tests/engines/support/literal_rule.hpp"
#include "tests/support/error_code.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <random>

namespace kg::testing {
namespace {

const std::array kAmplifying{
    std::pair{"gaussian:sigma=1.5", "sharpen"},  std::pair{"gaussian:size=3", "sobel:size=7:direction=x"},
    std::pair{"box:size=5", "unsharp:amount=5"}, std::pair{"unsharp:amount=5", "laplacian"},
    std::pair{"disk:radius=2", "sobel"},         std::pair{"box:size=3", "sobel:size=7:direction=x"}};

ImageRequest recipe_for(Depth depth, const std::pair<const char*, const char*>& filters, Border border) {
    auto request = hard_request(depth, named(filters.first), border);
    request.stages.push_back(named(filters.second));
    return request;
}

TEST(LiteralRule, HoldsForRecipesThatAmplifyRoundings) {
    int telling_ones = 0, float64_ones = 0;
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto& filters : kAmplifying)
            for (const auto border : kBorders) {
                const auto request = recipe_for(depth, filters, border);
                const auto gain = absolute_gain(request.stages[0]) * absolute_gain(request.stages[1]);
                const auto image = faint(request, full_scale(depth) / gain, 13);
                telling_ones += telling(request, image.view()) > 1000;
                float64_ones += needs_float64(request);
                expect_every_algorithm_obeys(request, image.view());
                if (HasFatalFailure()) FAIL() << filters.first << ", " << filters.second;
            }
    EXPECT_GT(telling_ones, 15);
    EXPECT_GT(float64_ones, 20);
}

TEST(LiteralRule, IsBrokenByFloat32BetweenTheSteps) { // so that the test before this one can fail
    auto request = recipe_for(Depth::u16, kAmplifying[1], Border::reflect101);
    const auto image = faint(request, 65535.0 / 2560, 13);
    auto first = request, second = request;
    first.stages.pop_back(), second.stages.erase(second.stages.begin());
    first.out.depth = second.in.depth = Depth::f32;
    first.out.scale = second.in.scale = 65535;
    const auto engine = cpu::make_engine(1);
    const auto between = run(*engine, first, image.view());
    EXPECT_FALSE(obeys(request, image.view(), run(*engine, second, between.view(), "float64").view()));
    EXPECT_TRUE(obeys(request, image.view(), run(*engine, request, image.view()).view()));
}

TEST(LiteralRule, NumbersBetweenStepsAreFloat64WhereRoundingsAreAmplified) {
    const auto request = recipe_for(Depth::u16, kAmplifying[0], Border::reflect101);
    const auto steps = cut_into_steps(request);
    ASSERT_EQ(steps.size(), 4u) << "a column and a row of the Gaussian, the sharpening, the conversion";
    EXPECT_EQ(steps[0].in, request.in);
    EXPECT_EQ(steps[3].out, request.out);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(steps[i].out.depth, Depth::f64);
        EXPECT_EQ(steps[i + 1].in, steps[i].out);
    }
    const auto& column = steps[0].stages.front().kernels.front();
    const auto& row = steps[1].stages.front().kernels.front();
    EXPECT_TRUE(column.width == 1 && column.height > 3 && row.width == column.height && row.height == 1);
    const auto engine = cpu::make_engine(1);
    const auto chosen = plan(*engine, request);
    EXPECT_EQ(chosen->algorithm, "float64 > float64 > float64 > convert");
    EXPECT_EQ(
        chosen->reason,
        "float64 is the only one that fits: its filters amplify roundings beyond what the output allows, "
        "so the numbers between its steps are float64");
    auto normalised = request;
    normalised.stages.back() = normalised.stages.front();
    for (const auto& step : cut_into_steps(normalised)) EXPECT_NE(step.out.depth, Depth::f64);
    EXPECT_EQ(code_of([&] { validate(steps[0]); }), "bad-depth");
    auto tolerant = request;
    tolerant.tolerance = 0.01;
    EXPECT_FALSE(needs_float64(tolerant));
}

TEST(LiteralRule, FactorsInFloat64KeepAnchorFlipDivisorAndOffset) {
    std::mt19937 random(15);
    int columns = 0;
    for (int i = 0; i < 24; ++i) {
        const int width = 2 + i % 5, height = 2 + i % 7;
        auto kernel = product_kernel(width, height, random);
        kernel.anchor_x = i % width, kernel.anchor_y = (i / 2) % height;
        kernel.flip = i % 2 == 1;
        kernel.divisor = static_cast<float>(absolute_gain(Stage{{kernel}})) * (i % 3 == 0 ? -1.0f : 1.0f);
        kernel.offset = kernel.divisor < 0 ? 1.0f : 0.01f * static_cast<float>(i % 4);
        auto request = hard_request(Depth::u16, Stage{{kernel}},
                                    kBorders[static_cast<std::size_t>(i) % kBorders.size()]);
        request.stages.push_back(named("sobel:direction=x"));
        if (!needs_float64(request)) continue;
        const auto first = cut_into_steps(request).front().stages.front().kernels.front();
        columns += first.width == 1 && width > 1;
        expect_every_algorithm_obeys(request, faint(request, 8000, static_cast<unsigned>(i)).view());
        if (HasFatalFailure()) FAIL() << i;
    }
    EXPECT_GT(columns, 12);
}

TEST(LiteralRule, FactorsInFloat64KeepHowAStageCombines) {
    std::mt19937 random(16);
    int columns = 0;
    for (int i = 0; i < 12; ++i) {
        auto kernel = product_kernel(3 + i % 3, 3 + i % 4, random);
        for (auto& weight : kernel.weights) weight = -weight;
        kernel.divisor = static_cast<float>(absolute_gain(Stage{{kernel}}));
        const Stage lengths{
            {kernel}, i % 2 == 0 ? Combine::l1 : Combine::l2, 0.01f * static_cast<float>(i % 3)};
        auto request = hard_request(Depth::u16, lengths, Border::reflect);
        request.stages.push_back(named("sobel:direction=x"));
        if (!needs_float64(request)) continue;
        columns += cut_into_steps(request).front().stages.front().kernels.front().width == 1;
        expect_every_algorithm_obeys(request, faint(request, 8000, static_cast<unsigned>(i)).view());
        if (HasFatalFailure()) FAIL() << i;
    }
    EXPECT_GT(columns, 6);
}

// Sums of a column times a row are as far from the listed weights as their samples are large.
TEST(LiteralRule, FactorsAreRefusedWhereLargeSamplesEnter) {
    auto request = hard_request(Depth::u16, Stage{{make_kernel(1, 1, {1000})}});
    std::vector<float> weights;
    for (const double c : {0.3, 0.4, 0.3})
        for (const double r : {-0.7, 0.3, 0.4}) weights.push_back(static_cast<float>(c * r));
    request.stages.push_back({{make_kernel(3, 3, weights)}});
    ASSERT_TRUE(needs_float64(request));
    expect_every_algorithm_obeys(request, faint(request, 0, 16).view());
    EXPECT_EQ(cut_into_steps(request)[1].stages.front().kernels.front().width, 3);
    request.stages.front().kernels.front().weights = {1};
    EXPECT_NEAR(amplifications(request)[1], 1, 1e-6);
    request.stages.front().kernels.front().weights = {1000};
    EXPECT_NEAR(amplifications(request)[1], 1000, 1e-3);
}

TEST(LiteralRule, ColourTimesAlphaIsFloat64WhereAFilterAmplifiesItsRounding) {
    auto request = hard_request(Depth::u16, named("sobel:size=7"));
    request.in = request.out = {Depth::u16, 4, 3};
    EXPECT_TRUE(needs_float64(request));
    EXPECT_EQ(cut_into_steps(request).front().out.depth, Depth::f64);
    const auto image = random_image(request.size, request.in, 17);
    for (const auto& engine : kinds())
        EXPECT_TRUE(is_right(request, image.view(), run(*engine, request, image.view()).view()));
    request.stages = {named("sharpen")};
    EXPECT_FALSE(needs_float64(request)) << "colour is divided by alpha afterwards";
}

TEST(LiteralRule, Float64BetweenStepsServesAlphaLightMasksAndHalfFloats) {
    for (const auto in : {Depth::u8, Depth::u16, Depth::f16, Depth::f32})
        for (const auto alpha : {AlphaMode::premultiplied, AlphaMode::straight, AlphaMode::keep})
            for (const auto light : {Light::stored, Light::linear})
                for (const auto sign : {SignedMode::clamp, SignedMode::half, SignedMode::absolute})
                    for (const unsigned channels : {~0u, 0b1010u}) {
                        auto request = recipe_for(Depth::u16, kAmplifying[0], Border::reflect);
                        request.in = {in, 4, 3}, request.out = {Depth::u16, 4, 3};
                        request.alpha = alpha, request.light = light, request.sign = sign;
                        request.channels = channels;
                        EXPECT_TRUE(needs_float64(request));
                        const auto image = random_image(request.size, request.in, 14);
                        for (const auto& engine : kinds())
                            EXPECT_TRUE(
                                is_right(request, image.view(), run(*engine, request, image.view()).view()))
                                << describe(request);
                    }
}

} // namespace
} // namespace kg::testing
