// docs/semantics.md sentence by sentence, on pictures of a few pixels worked out by hand, by the reference and every
// algorithm of every engine. Each picture is chosen so that the nearest wrong rule, named beside it, gives other numbers.
// Sums, borders and anchors (sentences 1 and 2) are in seeds_test.cpp, exactness and determinism (11 to 13) in
// walk_test.cpp, filters' weights (9) in tests/filters, files' anchors (14) in tests/conformance.

#include "core/conversion.hpp"
#include "core/error.hpp"
#include "tests/support/ways.hpp"

#include <cmath>
#include <limits>

namespace kg::testing {
namespace {

Image row_of(const PixelFormat& format, const std::vector<double>& samples) {
    Image image({static_cast<std::int64_t>(samples.size()) / format.channels, 1}, format);
    for (std::size_t i = 0; i < samples.size(); ++i)
        store(image.view(), static_cast<std::int64_t>(i) / format.channels, 0,
              static_cast<int>(i) % format.channels, samples[i]);
    return image;
}

ImageRequest request_of(const PixelFormat& format, std::vector<Stage> stages, Border border = Border::zero) {
    ImageRequest request{{1, 1}, format, format, std::move(stages)};
    request.border = border;
    return request;
}

/// Runs a row of pixels through every way; integers must come out exactly, floats to 1e-6.
void expect_row(ImageRequest request, const std::vector<double>& samples, const std::vector<double>& want) {
    const auto picture = row_of(request.in, samples);
    request.size = picture.size();
    ASSERT_EQ(samples.size(), want.size());
    for_each_way(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto got = run(engine, request, picture.view(), algorithm.id);
        for (std::size_t i = 0; i < want.size(); ++i) {
            const double value = sample(got.view(), static_cast<std::int64_t>(i) / request.out.channels, 0,
                                        static_cast<int>(i) % request.out.channels);
            const double slack = is_integer(request.out.depth) ? 0 : 1e-6 * (1 + std::fabs(want[i]));
            EXPECT_TRUE((std::isnan(value) && std::isnan(want[i])) || value == want[i] ||
                        std::fabs(value - want[i]) <= slack)
                << "sample " << i << " is " << value << ", should be " << want[i];
        }
    });
}

Stage stage_of(int width, std::vector<float> weights, float divisor = 1, float offset = 0) {
    Stage stage{{make_kernel(width, 1, std::move(weights), divisor)}};
    stage.kernels.front().offset = offset;
    return stage;
}

constexpr PixelFormat kGrey8{Depth::u8, 1}, kGrey16{Depth::u16, 1}, kFloat{Depth::f32, 1},
    kHalf{Depth::f16, 1}, kRgba8{Depth::u8, 4, 3}, kRgbaFloat{Depth::f32, 4, 3};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                 kInf = std::numeric_limits<double>::infinity();

TEST(Semantics, S1TheDefaultAnchorIsHalfTheSideRoundedDown) { // not (n - 1) / 2: even kernels would shift
    EXPECT_EQ(make_kernel(4, 6, std::vector<float>(24)).anchor_x, 2);
    EXPECT_EQ(make_kernel(4, 6, std::vector<float>(24)).anchor_y, 3);
    expect_row(request_of(kGrey8, {stage_of(2, {1, 0})}), {10, 20, 30}, {0, 10, 20});
}

TEST(Semantics,
     S1FlipTurnsTheAnchorWithTheKernel) { // not the kernel alone: out[x] = in[x] + 2 in[x - 1] + 4 in[x - 2]
    auto causal = stage_of(3, {1, 2, 4});
    causal.kernels.front().anchor_x = 0;
    causal.kernels.front().flip = true;
    expect_row(request_of(kGrey8, {causal}), {1, 0, 0, 10}, {1, 2, 4, 10});
}

TEST(Semantics,
     S2EachStepExtendsTheWholeResultBeforeItAnew) { // not the first picture by the sum of the radii
    const auto shift = stage_of(3, {1, 0, 0});      // reads its left neighbour
    auto raised = stage_of(1, {1}, 1, 0.2f);        // adds 51
    expect_row(request_of(kGrey8, {raised, shift}), {10, 20}, {0, 61}); // the zeros outside were not raised
    expect_row(request_of(kGrey8, {shift, shift}, Border::reflect101), {1, 2, 3}, {1, 2, 1});
}

TEST(Semantics, S3DepthsMapFullScaleToFullScale) { // not by shifting bits, not number by number
    auto request = request_of(kGrey8, {stage_of(1, {1})});
    request.out.depth = Depth::u16;
    expect_row(request, {0, 1, 128, 255}, {0, 257, 32896, 65535});
    request.out.depth = Depth::f32;
    expect_row(request, {0, 51, 255}, {0, 0.2, 1});
    request = request_of(kGrey16, {stage_of(1, {1})});
    request.out.depth = Depth::u8;
    expect_row(request, {0, 128, 129, 65535}, {0, 0, 1, 255}); // 129 / 257 = 0.502
    request = request_of(kFloat, {stage_of(1, {1})});
    request.out.depth = Depth::u8;
    expect_row(request, {0, 0.5, 1, 1.5, -1}, {0, 128, 255, 255, 0}); // 127.5 ties to even
}

TEST(Semantics, S3OffsetsAreInUnitsOfTheInputsFullScale) { // not of 255 for every depth
    expect_row(request_of(kGrey8, {stage_of(1, {0}, 1, 0.2f)}), {9}, {51});
    expect_row(request_of(kGrey16, {stage_of(1, {0}, 1, 0.2f)}), {9}, {13107});
    expect_row(request_of(kFloat, {stage_of(1, {0}, 1, 0.25f)}), {9}, {0.25});
    auto request = request_of(kGrey8, {stage_of(1, {1}, 1, 0.2f)});
    request.out.depth = Depth::f32;
    expect_row(request, {51}, {0.4});
}

// Not by the reciprocal: 91 * (1 / 14) is a little above 6.5 and rounds to 7.
TEST(Semantics, S4DividesOnceInF32) {
    expect_row(request_of(kGrey8, {stage_of(1, {1}, 14)}), {91, 175, 203}, {6, 12, 14});
    expect_row(request_of(kGrey8, {stage_of(1, {3}, 82)}), {205}, {8});
}

TEST(Semantics, S4EachKernelHasItsOwnDivisorThenOneOffset) { // not the offset inside the sum of magnitudes
    Stage both{{make_kernel(3, 1, {-1, 0, 1}, 2), make_kernel(1, 1, {1}, 4)}, Combine::l1, 0.2f};
    expect_row(request_of(kGrey8, {both}, Border::replicate), {100, 60, 20},
               {20 + 25 + 51, 40 + 15 + 51, 20 + 5 + 51});
    both.combine = Combine::l2;
    expect_row(request_of(kFloat, {both}, Border::replicate), {0, 12, 6},
               {6 + 0.2, std::sqrt(3.0 * 3 + 3 * 3) + 0.2, std::sqrt(3.0 * 3 + 1.5 * 1.5) + 0.2});
    both.kernels.front().offset = 0.1f;
    EXPECT_THROW(validate(both), Error); // offsets of its kernels are errors
}

TEST(Semantics, S4Signed) {
    const auto slope = stage_of(3, {-1, 0, 1});
    auto request = request_of(kGrey8, {slope}, Border::replicate);
    expect_row(request, {100, 40, 10}, {0, 0, 0}); // -60 -90 -30 clamped
    request.sign = SignedMode::absolute;
    expect_row(request, {100, 40, 10}, {60, 90, 30});
    request.stages.front().kernels.front().offset = 0.2f; // after the offset: |-60 + 51|, not |-60| + 51
    expect_row(request, {100, 40, 10}, {9, 39, 21});
    request.stages = {slope};
    request.sign = SignedMode::half; // 127.5 - 60 = 67.5 ties to 68
    expect_row(request, {100, 40, 10}, {68, 38, 98});
    request.sign = SignedMode::keep;
    request.out.depth = Depth::f32;
    expect_row(request, {100, 40, 10}, {-60 / 255.0, -90 / 255.0, -30 / 255.0});
    request = request_of(kFloat, {slope}, Border::replicate); // floats never clamp
    expect_row(request, {1, 0.5, 3}, {-0.5, 2, 2.5});
}

TEST(Semantics, S5NothingIsRoundedOrClampedBetweenSteps) { // 3 / 4 * 4 = 3, not 4; 200 * 2 / 2 = 200, not 127
    expect_row(request_of(kGrey8, {stage_of(1, {1}, 4), stage_of(1, {4})}), {3, 5, 255}, {3, 5, 255});
    expect_row(request_of(kGrey8, {stage_of(1, {2}), stage_of(1, {1}, 2)}), {200, 255}, {200, 255});
    expect_row(request_of(kGrey8, {stage_of(1, {-1}), stage_of(1, {-1})}), {200, 7}, {200, 7});
}

TEST(Semantics,
     S5TheCurveIsThePiecewiseOneOddBelowZero) { // not a power of 2.2: that gives 186 for half the light
    auto request = request_of(kGrey8, {stage_of(2, {1, 1}, 2)}, Border::wrap);
    request.light = Light::linear;
    expect_row(request, {0, 255}, {188, 188});
    request = request_of(kFloat, {stage_of(1, {-1})});
    request.light = Light::linear;
    expect_row(request, {0.5, 0.02, -0.25}, {-0.5, -0.02, 0.25});
    request.stages = {stage_of(1, {1}, 2)};
    expect_row(request, {0.02}, {0.01}); // the straight part near black
}

TEST(Semantics, S5LightIsOfColourOnly) { // alpha is no light
    auto request = request_of(kRgbaFloat, {stage_of(1, {1}, 2)});
    request.light = Light::linear;
    request.alpha = AlphaMode::straight;
    expect_row(request, {0.02, 0.02, 0.02, 0.5}, {0.01, 0.01, 0.01, 0.25});
}

TEST(Semantics, S6RoundsToEvenAndClampsAndNaNIsZero) { // not half up; NaN not 255
    auto request = request_of(kFloat, {stage_of(1, {1})});
    request.out.depth = Depth::u8;
    expect_row(request, {0.5, kNaN, kInf, -kInf}, {128, 0, 255, 0});
    expect_row(request_of(kGrey8, {stage_of(1, {1}, 2)}), {1, 3, 5, 7}, {0, 2, 2, 4});
    request.out.depth = Depth::f16;
    expect_row(request, {1e6, -1e6, kNaN, kInf, -kInf, 0.5}, {65504, -65504, kNaN, kInf, -kInf, 0.5});
    expect_row(request_of(kHalf, {stage_of(1, {2})}), {65504, 1}, {65504, 2});
}

TEST(Semantics, S7PremultipliedWeighsColourByCoverage) { // not straight: the clear pixel's green would bleed
    const std::vector<double> red_and_clear_green{200, 0, 0, 255, 0, 200, 0, 0};
    const auto mean = stage_of(3, {1, 1, 1}, 3);
    auto request = request_of(kRgba8, {mean}, Border::replicate);
    expect_row(request, red_and_clear_green, {200, 0, 0, 170, 200, 0, 0, 85});
    request.alpha = AlphaMode::straight;
    expect_row(request, red_and_clear_green, {133, 67, 0, 170, 67, 133, 0, 85});
    request.alpha = AlphaMode::keep;
    expect_row(request, red_and_clear_green, {133, 67, 0, 255, 67, 133, 0, 0});
}

TEST(Semantics, S7ColourIsZeroWhereAlphaIs) { // not what lay hidden there
    expect_row(request_of(kRgba8, {stage_of(1, {1})}), {90, 80, 70, 0}, {0, 0, 0, 0});
}

TEST(Semantics, S7AGainOffOneCopiesAlpha) { // a Laplacian would erase it: its own sum over alpha is 0
    const auto laplacian = stage_of(3, {-1, 2, -1});
    expect_row(request_of(kRgba8, {laplacian}, Border::replicate), {200, 0, 0, 255, 100, 0, 0, 255},
               {100, 0, 0, 255, 0, 0, 0, 255});
    const auto almost_one = stage_of(1, {1.0005f}), beyond = stage_of(1, {1.002f});
    EXPECT_TRUE(filters_alpha(almost_one));
    EXPECT_FALSE(filters_alpha(beyond));
    // An offset is colour's, and never alpha's.
    expect_row(request_of(kRgba8, {stage_of(1, {1}, 1, 0.2f)}), {10, 20, 30, 128}, {61, 71, 81, 128});
}

TEST(Semantics, S7AlphaThatIsNotComputedIsCopiedWhateverItIs) { // not clamped with what colour is divided by
    const std::vector<double> multiplied{0.3, 0.6, 0, 1.5, 0.1, 0.2, 0, 0.5, 0.7, 0, 0, -0.25, 1, 1, 1, kNaN},
        straight{0.3, 0.6, 0, 1.5, 0.2, 0.4, 0, 0.5, 0, 0, 0, -0.25, 0, 0, 0, kNaN};
    auto request = request_of(kRgbaFloat, {stage_of(1, {1})});
    request.in.premultiplied = true;
    request.alpha = AlphaMode::keep;
    expect_row(request, multiplied, straight);
    request.alpha = AlphaMode::straight; // nor where the mask leaves it out
    request.channels = 0b0111;
    expect_row(request, multiplied, straight);
    request.light = Light::linear; // nor on the way by single pixels
    request.in.linear = true;
    expect_row(request, {0.3, 0, 0, 1.5}, {linear_to_srgb(0.3), 0, 0, 1.5});
    request = request_of({Depth::f32, 2, 0}, {stage_of(1, {1})}); // alpha first
    request.in.premultiplied = true;
    request.alpha = AlphaMode::keep;
    expect_row(request, {1.5, 0.3, -1, 0.3, 0.5, 0.25}, {1.5, 0.3, -1, 0, 0.5, 0.5});
    request.alpha = AlphaMode::straight; // computed, it is clamped to its range
    expect_row(request, {1.5, 0.3, -1, 0.3, 0.5, 0.25}, {1, 0.3, 0, 0, 0.5, 0.5});
}

TEST(Semantics, S7AlphaIsWhatTheFormatSays) { // four channels alone are no alpha
    auto request = request_of({Depth::u8, 4, -1}, {stage_of(3, {1, 1, 1}, 3)}, Border::replicate);
    expect_row(request, {200, 0, 0, 255, 0, 200, 0, 0}, {133, 67, 0, 170, 67, 133, 0, 85});
}

TEST(Semantics, S8ChannelsOutsideTheMaskPassThrough) {
    auto request = request_of({Depth::u8, 3, -1}, {stage_of(1, {2})});
    request.channels = 0b010;
    expect_row(request, {10, 20, 30}, {10, 40, 30});
    request.sign = SignedMode::half;
    expect_row(request, {10, 20, 30}, {10, 168, 30}); // 40 + 127.5, ties to even; the others stay as they are
    request = request_of(kRgba8, {stage_of(1, {1})});
    request.channels = 0b0111;
    EXPECT_THROW(validate(request), Error);
    request.alpha = AlphaMode::keep;
    EXPECT_NO_THROW(validate(request));
}

TEST(Semantics,
     S10NonFiniteInputReachesExactlyWhatCoversIt) { // a zero weight is no tap: 0 * NaN would be NaN
    const auto request = request_of(kFloat, {stage_of(3, {1, 0, 1})});
    expect_row(request, {1, 2, kNaN, 4, 5, 6}, {2, kNaN, 6, kNaN, 10, 5});
    expect_row(request, {1, 2, kInf, 4, 5, 6}, {2, kInf, 6, kInf, 10, 5});
    expect_row(request_of(kFloat, {stage_of(3, {1, 1, 1})}), {0, 0, kInf, -kInf, 0, 0, 0},
               {0, kInf, kNaN, kNaN, -kInf, 0, 0}); // what has passed leaves no trace
}

TEST(Semantics, S10AWeightThatVanishesInF32IsNoTapForAnyWay) { // beyond 14 sigma, where float64 still has one
    auto request = request_of(kFloat, {generated_stage(GaussianGenerator{1, 1101, 1101})}, Border::replicate);
    request.size = {60, 40};
    auto picture = random_picture(request.size, request.in, 4);
    picture.view().row<float>(20)[30] = std::numeric_limits<float>::quiet_NaN();
    for_each_way(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto result = run(engine, request, picture.view(), algorithm.id);
        EXPECT_TRUE(is_right(request, picture.view(), result.view()));
    });
    EXPECT_FALSE(std::isnan(reference_values(request, picture.view()).front()));
}

} // namespace
} // namespace kg::testing
