// Compares the reference with numbers computed by hand or published in the literature, independently of the
// code.

#include "core/image/half.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kg {
namespace {

using testing::code_of;

Image grey(std::int64_t width, const std::vector<double>& values, Depth depth = Depth::f32) {
    Image image({width, static_cast<std::int64_t>(values.size()) / width}, {depth});
    for (std::size_t i = 0; i < values.size(); ++i)
        store(image.view(), static_cast<std::int64_t>(i) % width, static_cast<std::int64_t>(i) / width, 0,
              values[i]);
    return image;
}

std::vector<double> filtered(const Image& image, const Kernel& kernel, Border border) {
    ImageRequest request{image.size(), image.format(), image.format(), {Stage{{kernel}}}, border};
    return reference_values(request, image.view());
}

std::vector<double> counting(std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
    return values;
}
std::vector<float> counting_weights(std::size_t n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
    return values;
}

TEST(Reference, CorrelatesAsTheGridShows) { // 5 x 5 of 0..24 with 3 x 3 of 0..8
    const auto image = grey(5, counting(25));
    EXPECT_EQ(filtered(image, make_kernel(3, 3, counting_weights(9)), Border::zero),
              (std::vector<double>{88,  142, 175, 208, 136, 210, 312, 348, 384, 240, 345, 492, 528,
                                   564, 345, 480, 672, 708, 744, 450, 232, 304, 319, 334, 184}));
}

TEST(Reference, ARegionHasTheValuesOfTheWhole) {
    const auto image = grey(9, counting(63)); // 9 x 7
    const Rect region{2, 3, 6, 4};
    Stage box{{make_kernel(5, 3, std::vector<float>(15, 1.0f), 15)}}, generated = box;
    generated.generator = BoxGenerator{5, 3};
    generated.kernels.front().weights.clear();
    for (const auto border : {Border::zero, Border::wrap})
        for (const auto& stages : {std::vector{box}, {generated}, {box, box}, {generated, box}}) {
            const ImageRequest request{image.size(), image.format(), image.format(), stages, border};
            const auto all = reference_values(request, image.view()),
                       some = reference_values(request, image.view(), region);
            ASSERT_EQ(some.size(), all.size());
            for (auto y = region.y; y < region.bottom(); ++y)
                for (auto x = region.x; x < region.right(); ++x) {
                    const auto i = static_cast<std::size_t>(y * 9 + x);
                    EXPECT_EQ(some[i], all[i]) << x << ", " << y;
                }
            EXPECT_NE(some, all) << "the rest is not computed";
        }
}

TEST(Reference, FlipIsTrueConvolution) {
    const auto image = grey(5, counting(25));
    auto kernel = make_kernel(3, 3, counting_weights(9));
    kernel.flip = true;
    EXPECT_EQ(filtered(image, kernel, Border::zero),
              (std::vector<double>{8,   26,  41,  56,  56,  54,  120, 156, 192, 168, 159, 300, 336,
                                   372, 303, 264, 480, 516, 552, 438, 344, 584, 617, 650, 488}));
    EXPECT_EQ(filtered(image, kernel, Border::reflect101),
              (std::vector<double>{144, 150, 186, 222, 240, 114, 120, 156, 192, 210, 294, 300, 336,
                                   372, 390, 474, 480, 516, 552, 570, 624, 630, 666, 702, 720}));
}

TEST(Reference, FlippingMovesTheAnchorToo) { // out[x] = 1 in[x] + 2 in[x - 1] + 3 in[x - 2]: a causal filter
    auto kernel = make_kernel(3, 1, {1, 2, 3});
    kernel.anchor_x = 0;
    kernel.flip = true;
    EXPECT_EQ(filtered(grey(5, {1, 0, 0, 10, 0}), kernel, Border::zero),
              (std::vector<double>{1, 2, 3, 10, 20}));
    auto upright = make_kernel(1, 3, {1, 2, 3});
    upright.anchor_y = 0;
    upright.flip = true;
    EXPECT_EQ(filtered(grey(1, {1, 0, 0, 10, 0}), upright, Border::zero),
              (std::vector<double>{1, 2, 3, 10, 20}));
}

TEST(Reference, EvenKernelsGoByTheirAnchor) {
    const auto image = grey(3, counting(9));
    auto kernel = make_kernel(2, 2, {1, 2, 3, 4});
    // Default (1, 1).
    EXPECT_EQ(filtered(image, kernel, Border::zero), (std::vector<double>{0, 4, 11, 12, 27, 37, 30, 57, 67}));
    kernel.anchor_x = kernel.anchor_y = 0;
    EXPECT_EQ(filtered(image, kernel, Border::zero),
              (std::vector<double>{27, 37, 17, 57, 67, 29, 20, 23, 8}));
}

TEST(Reference, RoundsToNearestEvenAndClamps) {
    const auto image = grey(4, {1, 3, 5, 255}, Depth::u8);
    ImageRequest request{image.size(), image.format(), image.format(), {Stage{{make_kernel(1, 1, {1}, 2)}}}};
    const auto halves = reference_image(request, image.view()); // 0.5 1.5 2.5 127.5
    const auto* row = halves.view().row<std::uint8_t>(0);
    EXPECT_EQ((std::vector<int>{row[0], row[1], row[2], row[3]}), (std::vector<int>{0, 2, 2, 128}));
    request.stages.front().kernels.front() = make_kernel(1, 1, {-3});
    EXPECT_EQ(reference_image(request, image.view()).view().row<std::uint8_t>(0)[1], 0);
}

TEST(Reference, DividesOnceInsteadOfMultiplyingByTheReciprocal) {
    // A sum and a divisor for which division and multiplication by the reciprocal round to different bytes,
    // found by exhaustive search.
    const auto reciprocal = [](int sum, int divisor) {
        return std::nearbyint(static_cast<float>(sum) * (1.0f / static_cast<float>(divisor)));
    };
    int differing = 0;
    for (int divisor = 2; divisor <= 100; divisor += 2)
        for (int value = 0; value <= 255; ++value) {
            const int sum = 3 * value;
            const auto quotient = std::nearbyint(static_cast<float>(sum) / static_cast<float>(divisor));
            if (quotient > 255 || quotient == reciprocal(sum, divisor)) continue;
            ++differing;
            const auto image = grey(1, {static_cast<double>(value)}, Depth::u8);
            const ImageRequest request{image.size(),
                                       image.format(),
                                       image.format(),
                                       {Stage{{make_kernel(1, 1, {3}, static_cast<float>(divisor))}}}};
            EXPECT_EQ(reference_image(request, image.view()).view().row<std::uint8_t>(0)[0], quotient);
        }
    EXPECT_GT(differing, 0);
}

TEST(Reference, OffsetIsInUnitsOfFullScale) {
    const auto image = grey(1, {0}, Depth::u8);
    auto kernel = make_kernel(1, 1, {1});
    kernel.offset = 0.2f;
    EXPECT_NEAR(filtered(image, kernel, Border::zero).front(), 51, 1e-4);
}

ImageRequest on_alpha(const Image& image, Stage stage) {
    return {image.size(), image.format(), image.format(), {std::move(stage)}, Border::replicate};
}

Image red_beside_clear_green() {
    Image image({2, 1}, {Depth::u8, 4, 3});
    const int values[] = {200, 0, 0, 255, 0, 200, 0, 0};
    for (int i = 0; i < 8; ++i) store(image.view(), i / 4, 0, i % 4, values[i]);
    return image;
}

TEST(Reference, ClearPixelsDoNotBleedTheirColour) {
    const auto image = red_beside_clear_green();
    const auto values = reference_values(on_alpha(image, Stage{{make_kernel(3, 1, {1, 1, 1}, 3)}}),
                                         image.view());
    EXPECT_NEAR(values[0], 200, 1e-9); // red stays red, only alpha falls
    EXPECT_NEAR(values[1], 0, 1e-9);
    EXPECT_NEAR(values[3], 170, 1e-9);
}

TEST(Reference, LaplacianDoesNotEraseAlpha) {
    const auto image = red_beside_clear_green();
    const auto values = reference_values(on_alpha(image, Stage{{make_kernel(3, 1, {-1, 2, -1})}}),
                                         image.view());
    EXPECT_EQ(values[3], 255); // copied
    EXPECT_EQ(values[7], 0);
    EXPECT_NEAR(values[0], 200, 1e-9); // 2 * 200 - 200 - 0, weighted by alpha and not divided again
}

TEST(Reference, OffsetNeverTouchesAlpha) {
    const auto image = red_beside_clear_green();
    auto stage = Stage{{make_kernel(1, 1, {1})}};
    stage.kernels.front().offset = 0.1f;
    const auto values = reference_values(on_alpha(image, stage), image.view());
    EXPECT_NEAR(values[0], 225.5, 1e-4);
    EXPECT_EQ(values[3], 255);
}

TEST(Reference, LinearLightAveragesLight) {
    const auto image = grey(2, {0, 255}, Depth::u8);
    ImageRequest request{
        image.size(), image.format(), image.format(), {Stage{{make_kernel(2, 1, {1, 1}, 2)}}}, Border::wrap};
    request.light = Light::linear;
    EXPECT_NEAR(reference_values(request, image.view())[0], 187.516, 1e-3); // sRGB of 0.5
}

TEST(Reference, RefusesContradictions) {
    const auto image = red_beside_clear_green();
    auto request = on_alpha(image, Stage{{make_kernel(1, 1, {1})}});
    request.channels = 0b0111;
    EXPECT_EQ(code_of([&] { reference_values(request, image.view()); }), "alpha-left-out");
    request.channels = ~0u;
    request.stages.front().kernels.push_back(make_kernel(1, 1, {1}));
    EXPECT_EQ(code_of([&] { reference_values(request, image.view()); }), "missing-combine");
    EXPECT_EQ(code_of([&] { make_kernel(2, 2, {1, 2, 3}); }), "wrong-weight-count");
    EXPECT_EQ(code_of([&] { make_kernel(1, 1026, std::vector<float>(1026)); }), "bad-kernel-size");
    EXPECT_EQ(code_of([&] { make_kernel(1, 1, {1}, 0); }), "bad-divisor");
}

TEST(Reference, SumsABoxAtTheReplicatedEdge) {
    EXPECT_EQ(filtered(grey(8, counting(8)), make_kernel(5, 1, {1, 1, 1, 1, 1}), Border::replicate),
              (std::vector<double>{3, 6, 10, 15, 20, 25, 29, 32}));
}

TEST(Generated, ABoxWithoutWeightsIsTheMeanOfAllItCovers) {
    const auto image = grey(8, counting(8));
    ImageRequest request{image.size(),
                         image.format(),
                         image.format(),
                         {generated_stage(BoxGenerator{1201, 1})},
                         Border::replicate};
    const auto values = reference_values(request, image.view());
    for (int x = 0; x < 8; ++x) {
        double sum = 0;
        for (int i = -600; i <= 600; ++i) sum += std::clamp(x + i, 0, 7);
        EXPECT_NEAR(values[static_cast<std::size_t>(x)], sum / 1201, 1e-12);
    }
}

TEST(Generated, ListedWeightsAndGeneratedOnesGiveTheSameResult) {
    Image image({19, 7}, {Depth::f32});
    for (int i = 0; i < 19 * 7; ++i) store(image.view(), i % 19, i / 19, 0, (i * 37 % 101) / 50.0 - 0.7);
    const auto same = [&](const Stage& described) {
        auto listed = described; // the same small filter with listed weights
        auto& kernel = listed.kernels.front();
        const auto* gaussian = std::get_if<GaussianGenerator>(&described.generator);
        const auto row = gaussian ? gaussian_profile(gaussian->sigma, kernel.width)
                                  : std::vector<double>(11, 1.0);
        const auto column = gaussian ? gaussian_profile(gaussian->sigma, kernel.height)
                                     : std::vector<double>(6, 1.0);
        for (const double p : column)
            for (const double q : row) kernel.weights.push_back(static_cast<float>(p * q));
        for (const auto border : kBorders) {
            ImageRequest request{image.size(), image.format(), image.format(), {described}, border};
            const auto generated_values = reference_values(request, image.view());
            request.stages = {listed};
            const auto listed_values = reference_values(request, image.view());
            for (std::size_t i = 0; i < listed_values.size(); ++i)
                EXPECT_NEAR(generated_values[i], listed_values[i], 1e-7);
        }
    };
    auto box = generated_stage(BoxGenerator{11, 6});
    same(box);
    box.kernels.front().anchor_x = 1;
    box.kernels.front().flip = true;
    box.kernels.front().offset = 0.25f;
    same(box);
    same(generated_stage(GaussianGenerator{2.3, 11, 6}));
}

TEST(Generated, ReachesPassesAlphaAndIsRefusedByTheSameRules) {
    const auto stage = generated_stage(GaussianGenerator{300, 2401, 2401});
    EXPECT_FALSE(has_weights(stage));
    EXPECT_EQ(reach(stage).left, 1200);
    EXPECT_TRUE(filters_alpha(stage));
    EXPECT_FALSE(sums_exactly(stage, 255));
    EXPECT_TRUE(sums_exactly(generated_stage(BoxGenerator{2001, 3}), 255));
    EXPECT_FALSE(sums_exactly(generated_stage(BoxGenerator{2001, 3001}), 255));
    EXPECT_EQ(code_of([&] { generated_stage(BoxGenerator{0, 3}); }), "bad-kernel-size");
    EXPECT_EQ(code_of([&] { generated_stage(BoxGenerator{kMaxGeneratedSize + 1, 3}); }), "bad-kernel-size");
    EXPECT_EQ(code_of([&] { generated_stage(GaussianGenerator{0, 9, 9}); }), "bad-sigma");
    EXPECT_EQ(code_of([&] { generated_stage({}); }), "missing-generator");
    auto wrong = stage;
    wrong.kernels.front().anchor_x = 2401;
    EXPECT_EQ(code_of([&] { validate(wrong); }), "bad-anchor");
    wrong = stage;
    wrong.generator = {};
    EXPECT_EQ(code_of([&] { validate(wrong); }), "missing-generator");
    wrong = stage;
    wrong.generator = GaussianGenerator{300, 2399, 2401};
    EXPECT_EQ(code_of([&] { validate(wrong); }), "wrong-generator-size");
}

TEST(Reference, CountsThePixelsThatABoxVisits) { // ones under ones, zero outside
    const auto image = grey(5, std::vector<double>(25, 1));
    EXPECT_EQ(
        filtered(image, make_kernel(3, 3, std::vector<float>(9, 1)), Border::zero),
        (std::vector<double>{4, 6, 6, 6, 4, 6, 9, 9, 9, 6, 6, 9, 9, 9, 6, 6, 9, 9, 9, 6, 4, 6, 6, 6, 4}));
}

TEST(Reference, FactorsMustMultiplyToTheWeights) {
    Stage stage{{make_kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1})}};
    stage.factors = {{{1, 2, 1}, {-1, 0, 1}}};
    EXPECT_NO_THROW(validate(stage));
    stage.factors = {{{1, 2, 1}, {-1, 0, 2}}};
    EXPECT_EQ(code_of([&] { validate(stage); }), "wrong-factors");
    stage.factors = {{{1, 2, 1}, {-1, 0}}};
    EXPECT_EQ(code_of([&] { validate(stage); }), "wrong-factors");
}

TEST(Half, RoundTripsAndRounds) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = half_to_float(half);
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value))));
        } else {
            EXPECT_EQ(float_to_half(value), half);
            EXPECT_EQ(double_to_half(static_cast<double>(value)), half);
        }
    }
}

TEST(Half, ADoubleIsRoundedOnce) { // over f32 the first two would be ties, rounded to even
    EXPECT_EQ(double_to_half(1 + 0x1p-11 + 0x1p-40), 0x3c01);
    EXPECT_EQ(double_to_half(-(1 + 0x3p-11 - 0x1p-40)), 0xbc01);
    EXPECT_EQ(double_to_half(1 + 0x1p-11), 0x3c00);
    EXPECT_EQ(double_to_half(0x1.8p-25), 0x0001);
    EXPECT_EQ(double_to_half(0x1p-25 + 0x1p-60), 0x0001); // below the least normal number, too
    EXPECT_EQ(double_to_half(65519.999999999), 0x7bff);
    EXPECT_EQ(double_to_half(1e300), 0x7c00);
    Image image({1, 1}, {Depth::f16, 1}); // as the reference stores its float64 values
    store(image.view(), 0, 0, 0, 1 + 0x1p-11 + 0x1p-40);
    EXPECT_EQ(*image.view().row<std::uint16_t>(0), 0x3c01);
}

} // namespace
} // namespace kg
