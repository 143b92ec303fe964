// The verification that all other tests use: what it must reject.

#include "tests/support/algorithms.hpp"

namespace kg::testing {
namespace {

/// A Gaussian whose tolerance admits inexact algorithms.
ImageRequest tolerant(Depth depth) {
    ImageRequest request{{61, 47}, {depth, 1}, {depth, 1}, {generated_stage(GaussianGenerator{3, 25, 25})}};
    request.tolerance = 0.1;
    return request;
}

/// The result of the reference with one sample changed by `change`, relative to full scale.
Image changed(const ImageRequest& request, const ConstImageView& image, double change) {
    auto result = reference_image(request, image);
    store(result.view(), 20, 9, 0, sample(result.view(), 20, 9, 0) + change * full_scale(request.out));
    return result;
}

/// An image of zeros with one sample at its last pixel.
Image one_sample(const ImageRequest& request, double value) {
    Image image(request.size, request.in);
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x) store(image.view(), x, y, 0, 0);
    store(image.view(), request.size.width - 1, request.size.height - 1, 0, value);
    return image;
}

TEST(Check, AToleranceAppliesToInexactAlgorithmsOnly) {
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const auto request = tolerant(depth);
        const auto image = random_image(request.size, request.in, 1);
        const auto stated = cpu_algorithm("recursive").error(ImageStep(request));
        ASSERT_GT(stated, 2.0 / 255); // so that the changes below are visible in every depth
        ASSERT_LE(stated, request.tolerance);
        const auto off = changed(request, image.view(), 0.9 * stated);
        EXPECT_TRUE(is_right(request, image.view(), off.view(), &cpu_algorithm("recursive"))) << name(depth);
        EXPECT_FALSE(is_right(request, image.view(), off.view(), &cpu_algorithm("separable"))) << name(depth);
        EXPECT_FALSE(is_right(request, image.view(), off.view())) << name(depth);
        // The user's tolerance does not allow more than the stated error of the algorithm.
        const auto far_off = changed(request, image.view(), 1.2 * stated + 2 / full_scale(depth));
        EXPECT_FALSE(is_right(request, image.view(), far_off.view(), &cpu_algorithm("recursive")))
            << name(depth);
    }
}

TEST(Check, ExactIntegerSumsAreIdenticalBytesDespiteATolerance) {
    auto request = tolerant(Depth::u8);
    request.stages = {generated_stage(BoxGenerator{5, 5})};
    const auto image = random_image(request.size, request.in, 1);
    const auto right = reference_image(request, image.view());
    EXPECT_TRUE(is_right(request, image.view(), right.view(), &cpu_algorithm("box")));
    for (std::int64_t y = 0; y < request.size.height; y += 4) // a multiple of 1/25 is never a tie
        for (std::int64_t x = 0; x < request.size.width; x += 13) {
            auto off = right.clone();
            store(off.view(), x, y, 0, sample(off.view(), x, y, 0) - 1);
            EXPECT_FALSE(is_right(request, image.view(), off.view(), &cpu_algorithm("box"))) << x << " " << y;
        }
}

TEST(Check, AStatedErrorIsRelativeToTheNumbersOfTheStages) {
    // A sample of 100 in the sRGB curve is 56,700 in linear light, by which the error is multiplied.
    auto request = tolerant(Depth::f32);
    request.light = Light::linear;
    const auto bright = one_sample(request, 100), dim = one_sample(request, 1);
    const auto off = changed(request, bright.view(), 1); // far from that sample: the result is 0 there
    EXPECT_TRUE(is_right(request, bright.view(), off.view(), &cpu_algorithm("recursive")));
    EXPECT_FALSE(is_right(request, bright.view(), off.view()));
    EXPECT_FALSE(is_right(request, dim.view(), off.view(), &cpu_algorithm("recursive")));
}

TEST(Check, SquaresThatUnderflowCountAsSmallNumbers) { // semantics 12
    ImageRequest request{{61, 47}, {Depth::f32, 1}, {Depth::f32, 1}};
    request.stages = {{.kernels{Kernel{.weights{1}}, Kernel{.weights{1}}}, .combine = Combine::l2}};
    const auto image = one_sample(request, 1e-22); // its square is no float32 number
    const auto right = reference_image(request, image.view());
    auto lost = right.clone();
    store(lost.view(), request.size.width - 1, request.size.height - 1, 0, 0);
    EXPECT_TRUE(is_right(request, image.view(), lost.view()));
    EXPECT_FALSE(is_right(request, image.view(), changed(request, image.view(), 1e-21).view()));
    request.stages.front().combine = Combine::l1;
    EXPECT_FALSE(is_right(request, image.view(), lost.view()));
}

TEST(Check, AConversionToTheCurveHasTheCurvesError) { // float32's powers differ from float64's
    ImageRequest request{{61, 47}, {Depth::f32, 1}, {Depth::f32, 1}};
    request.in.linear = true;
    auto image = one_sample(request, 0);
    store(image.view(), 20, 9, 0, 0.0078);
    EXPECT_TRUE(is_right(request, image.view(), changed(request, image.view(), 3e-8).view()));
    EXPECT_FALSE(is_right(request, image.view(), changed(request, image.view(), 2e-7).view()));
}

TEST(Check, OneLevelOffIsWrongUnlessTheSumIsATie) { // semantics 11 with fractional weights
    ImageRequest request{{9, 1}, {Depth::u8, 1}, {Depth::u8, 1}, {Stage{{make_kernel(1, 1, {0.3f})}}}};
    Image image(request.size, request.in);
    for (int x = 0; x < 9; ++x) store(image.view(), x, 0, 0, 20 * x + 5); // 1.5, 7.5, ...: all ties
    auto result = reference_image(request, image.view());
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
    // 25.5 may round up or down.
    store(result.view(), 4, 0, 0, sample(result.view(), 4, 0, 0) == 25 ? 26 : 25);
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
    store(result.view(), 4, 0, 0, 27);
    EXPECT_FALSE(is_right(request, image.view(), result.view()));
    result = reference_image(request, image.view());
    store(image.view(), 4, 0, 0, 86); // 25.8 is 26
    store(result.view(), 4, 0, 0, 26);
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
    store(result.view(), 4, 0, 0, 25);
    EXPECT_FALSE(is_right(request, image.view(), result.view()));
}

TEST(Check, HalfOfFullScaleIsAddedToARoundedResult) { // float32 cannot represent 32767.5 minus 1/3001
    ImageRequest request{
        {9, 1}, {Depth::u16, 1}, {Depth::u16, 1}, {Stage{{make_kernel(2, 1, {1, -1}, 3001)}}}};
    request.sign = SignedMode::half;
    Image image(request.size, request.in);
    for (int x = 0; x < 9; ++x) store(image.view(), x, 0, 0, 100 + x);
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        auto result = run(engine, request, image.view(), algorithm.id);
        EXPECT_TRUE(is_right(request, image.view(), result.view(), &algorithm));
        store(result.view(), 4, 0, 0, sample(result.view(), 4, 0, 0) + 2);
        EXPECT_FALSE(is_right(request, image.view(), result.view(), &algorithm));
    });
}

TEST(Check, ColourIsDividedByAFaintAlphaBeforeTheCurveOfLight) {
    const PixelFormat format{Depth::f32, 4, 3};
    ImageRequest request{{3, 1}, format, format, {Stage{{make_kernel(3, 1, {1, -1, 1})}}}};
    request.light = Light::linear;
    Image image(request.size, request.in);
    for (int x = 0; x < 3; ++x) {
        for (int c = 0; c < 3; ++c) store(image.view(), x, 0, c, x == 1 ? 0.5 : 1);
        store(image.view(), x, 0, 3, x == 1 ? 1 - 0x1p-13 : 0.5);
    }
    // The rounding errors of sums of alpha up to 2 are a hundredth of the alpha that is left.
    auto result = reference_image(request, image.view());
    EXPECT_EQ(sample(result.view(), 1, 0, 3), 0x1p-13);
    const double colour = sample(result.view(), 1, 0, 0);
    EXPECT_GT(colour, 20);
    store(result.view(), 1, 0, 0, colour * 1.003);
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
    store(result.view(), 1, 0, 0, colour * 1.05);
    EXPECT_FALSE(is_right(request, image.view(), result.view()));
}

TEST(Check, ColourTimesAnAlphaOfNothingMayHaveTheErrorOfAlpha) {
    ImageRequest request{
        {3, 1}, {Depth::f32, 4, 3}, {Depth::f32, 4, 3}, {Stage{{make_kernel(3, 1, {1, 1, 1})}}}};
    request.alpha = AlphaMode::straight;
    request.out.premultiplied = true;
    request.sign = SignedMode::keep;
    Image image(request.size, request.in);
    for (int x = 0; x < 3; ++x) {
        for (int c = 0; c < 3; ++c) store(image.view(), x, 0, c, 100);
        store(image.view(), x, 0, 3, x == 1 ? -1 : 0.5);
    }
    auto result = reference_image(request, image.view());
    ASSERT_EQ(sample(result.view(), 1, 0, 0), 0);
    // Alpha is the sum of terms of magnitude 2, colour is 300.
    store(result.view(), 1, 0, 0, 300 * 2 * 0x1p-23);
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
    store(result.view(), 1, 0, 0, 300 * 2 * 0x1p-18);
    EXPECT_FALSE(is_right(request, image.view(), result.view()));
}

TEST(Check, SubnormalTermsAreRoundedToMultiplesOfTheSmallestFloat) {
    ImageRequest request{{9, 1}, {Depth::f32, 1}, {Depth::f32, 1}, {Stage{{make_kernel(3, 1, {1, 1, 1})}}}};
    Image image(request.size, request.in);
    for (int x = 0; x < 9; ++x) store(image.view(), x, 0, 0, 500 * 0x1p-149);
    auto result = reference_image(request, image.view());
    store(result.view(), 4, 0, 0, 1502 * 0x1p-149);
    EXPECT_TRUE(is_right(request, image.view(), result.view()));
    store(result.view(), 4, 0, 0, 1600 * 0x1p-149);
    EXPECT_FALSE(is_right(request, image.view(), result.view()));
}

TEST(Check, TheErrorOfAnAlgorithmIsQueriedStepByStep) { // each with the formats between the steps
    static std::vector<ImageStep> asked;
    const Algorithm algorithm{
        "made up", "", "", "", nullptr, nullptr, nullptr, false, [](const PlanStep& request) {
            asked.push_back(std::get<ImageStep>(request));
            return asked.back().for_integers ? 0.0 : 0.01;
        }};
    for (const auto depth : {Depth::f32, Depth::u8}) {
        const Stage mean{{make_kernel(2, 1, {1, 1}, 2)}};
        ImageRequest request{{61, 47}, {depth, 1}, {depth, 1}, {mean, mean}};
        Image image(request.size, request.in);
        for (int y = 0; y < 47; ++y)
            for (int x = 0; x < 61; ++x) store(image.view(), x, y, 0, 0.5 * full_scale(depth));
        asked.clear();
        const bool ends_in_floats = depth == Depth::f32; // 0.02 in two steps are 5 levels of a byte
        EXPECT_EQ(is_right(request, image.view(), changed(request, image.view(), 0.019).view(), &algorithm),
                  ends_in_floats);
        ASSERT_EQ(asked.size(), 2u) << name(depth);
        EXPECT_EQ(asked[0].in.depth, depth);
        EXPECT_EQ(asked[0].out.depth, Depth::f32);
        EXPECT_EQ(asked[1].in.depth, Depth::f32);
        EXPECT_EQ(asked[1].for_integers, !ends_in_floats);
        EXPECT_FALSE(
            is_right(request, image.view(), changed(request, image.view(), 0.021).view(), &algorithm));
    }
}

/// A blur, then a 7 x 7 Sobel, which would multiply the rounding of the blur to f32 by 1280.
TEST(Check, ALaterStepMayNotAmplifyEarlierRoundings) {
    ImageRequest request{{64, 48}, {Depth::u16, 1}, {Depth::u16, 1}, {}};
    const std::vector<int> smooth{1, 6, 15, 20, 15, 6, 1}, slope{-1, -4, -5, 0, 5, 4, 1};
    std::vector<float> weights;
    for (const int column : smooth)
        for (const int row : slope) weights.push_back(static_cast<float>(column * row));
    const Stage sobel{{make_kernel(7, 7, weights)}, Combine::single, 0, {}, {{smooth, slope}}};
    request.stages = {Stage{{make_kernel(3, 1, {0.3f, 0.4f, 0.3f})}}, sobel};
    Image image(request.size, request.in); // a slope small enough that nothing is clamped
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) store(image.view(), x, y, 0, 40000 + 10 * x + (x * 7 + y * 3) % 5);
    for (const auto& engine : engines())
        for_each_algorithm({engine}, request, [&](Engine& e, const Algorithm& algorithm) {
            EXPECT_TRUE(is_right(request, image.view(), run(e, request, image.view(), algorithm.id).view(),
                                 &algorithm))
                << algorithm.id;
        });
    const auto off_by = [&](double levels) { return changed(request, image.view(), levels / 65535); };
    EXPECT_FALSE(is_right(request, image.view(), off_by(2).view())); // semantics 12 would allow 512
    request.stages = {sobel};
    EXPECT_FALSE(is_right(request, image.view(), off_by(2).view()));
    request.stages = {request.stages.front(), Stage{{make_kernel(3, 1, {0.3f, 0.4f, 0.3f})}}};
    request.stages.front().kernels.front().divisor = 1280; // with these weights nothing is amplified
    EXPECT_FALSE(is_right(request, image.view(), off_by(2).view()));
}

} // namespace
} // namespace kg::testing
