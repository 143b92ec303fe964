// docs/semantics.md section by section, on images of a few pixels computed by hand, through the reference and
// every algorithm of every engine. Each image is chosen so that the nearest wrong rule, named beside the
// test, gives other numbers. Sections tested elsewhere:
//
//   1 sum, flip              HandComputed.CorrelationAndConvolution, FlipChangesTheSignOfAnOddKernel,
//                            EvenKernelsGoByTheirAnchor; Properties.AnImpulseGivesTheRotatedKernel
//     anchors in files       KernelFiles.JsonCarriesWhatBelongsToAKernel
//   2 borders as drawn       HandComputed.BordersArePadding; Border.ImagesOfTheHelp, any radius
//                            Border.IndexAgreesWithWalking...
//     fused chains           Walk.EveryAlgorithmIsRightOnEveryEngine, whose chains run in strips
//   5 profiles               ImageColour.* of tests/io
//   6 counted samples        DocumentTest.CountsWhatWasClampedAsTheReferenceDoes of tests/editor
//   7, 8 alpha, channels     semantics_alpha_test.cpp, formats_test.cpp
//   9 generators             NamedFilters.AGaussianOfASizeAloneFollowsTheRule,
//                            GaussiansReachFourSigmaAndSumToOne, AnEvenSizeIsCentredBetweenTwoPixels,
//                            LargeOnesAreTheirGenerators, GeneratorsDescribeTheirWeights;
//                            Steps.TheDivisorCanBeTheSum, and
//                            NamedFilters.SignedOnesCancelAndTakeTheirOffsetOnlyWhenAsked
//                            any size: Box.IsRightForEveryRadius, Recursive.StaysWithinItsBoundForEverySigma
//  10 non-finite input       also NonFinite.*, and Box, Recursive, Gradient of tests/cpu
//  11 same bytes             Walk, Box.GivesTheBytesOfDirectForIntegers,
//                            NamedFilters.SobelByItsSingularVectors...
//     off by one at a tie    Check.* tests the verification of this and the next; Walk applies it
//  12 errors of floats       Walk; stated errors Check.AToleranceAppliesToInexactAlgorithmsOnly
//  13 threads and strips     Walk.ThreadsAndEnginesOfOneKindGiveTheSameBytes (the engines' strips differ),
//                            AnyPartEqualsThatPartOfTheWhole; batches Batch.ItemsOfOneShapeRunTogether;
//                            order and concurrency Queue.OnePlanServesManyQueues, TwoPlansOnTwoQueuesInFlight
//  14 files of other projects  Golden.* and GoldenImages.* of tests/conformance

#include "core/request/conversion.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"
#include "tests/engines/support/expect_row.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/error_code.hpp"

#include <algorithm>
#include <cmath>

namespace kg::testing {
namespace {

TEST(Semantics, S1TheDefaultAnchorIsHalfTheSizeRoundedDown) { // not (n - 1) / 2: even kernels would shift
    EXPECT_EQ(make_kernel(4, 6, std::vector<float>(24)).anchor_x, 2);
    EXPECT_EQ(make_kernel(4, 6, std::vector<float>(24)).anchor_y, 3);
    expect_row(row_request(kGrey8, {stage_of(2, {1, 0})}), {10, 20, 30}, {0, 10, 20});
}

// Not the kernel alone: out[x] = in[x] + 2 in[x - 1] + 4 in[x - 2].
TEST(Semantics, S1FlipMovesTheAnchorWithTheKernel) {
    auto causal = stage_of(3, {1, 2, 4});
    causal.kernels.front().anchor_x = 0;
    causal.kernels.front().flip = true;
    expect_row(row_request(kGrey8, {causal}), {1, 0, 0, 10}, {1, 2, 4, 10});
}

TEST(Semantics, S1CorrelatesAsTheGridReads) { // not convolution: that gives 0 10 20 40
    expect_row(row_request(kGrey8, {stage_of(3, {1, 2, 4})}), {0, 0, 10, 0}, {0, 40, 20, 10});
}

TEST(Semantics, S1TheAnchorIsChosenBeforeFlipping) { // not after: the row would stay as it is
    auto even = stage_of(2, {1, 0});
    even.kernels.front().flip = true;
    expect_row(row_request(kGrey8, {even}), {10, 20, 30}, {20, 30, 0});
}

TEST(Semantics, S1ExtentsAreOneTo1025) {
    EXPECT_NO_THROW(validate(Stage{{make_kernel(1025, 1, std::vector<float>(1025, 1))}}));
    EXPECT_NO_THROW(validate(Stage{{make_kernel(2, 1024, std::vector<float>(2048, 1))}}));
    EXPECT_EQ(code_of([&] { make_kernel(1, 1026, std::vector<float>(1026, 1)); }), "bad-kernel-size");
    EXPECT_EQ(code_of([&] { make_kernel(0, 1, {}); }), "bad-kernel-size");
}

TEST(Semantics, S2ReflectsAtThePixelUnlessAskedOtherwise) { // not "reflect": that gives 1 1 2
    EXPECT_EQ(ImageRequest{}.border, Border::reflect101);
    EXPECT_EQ(Recipe{}.border, Border::reflect101);
    expect_row(row_request(kGrey8, {stage_of(3, {1, 0, 0})}, Recipe{}.border), {1, 2, 4}, {2, 1, 2});
}

TEST(Semantics, S2AnExtentOfOneReflectsToItself) { // not to nothing, and not beyond the image
    for (const auto border : kBorders)
        for (const int kernel_size : {3, 9}) {
            const std::vector<float> ones(static_cast<std::size_t>(kernel_size), 1);
            const double pixels = border == Border::zero ? 1 : kernel_size;
            expect_row(row_request(kGrey8, {stage_of(kernel_size, ones)}, border), {7}, {7 * pixels});
            expect_row(row_request(kGrey8, {Stage{{make_kernel(1, kernel_size, ones)}}}, border), {7, 8},
                       {7 * pixels, 8 * pixels});
        }
}

// Not the first image by the sum of the radii.
TEST(Semantics, S2EachStepExtendsTheWholeResultBeforeItAnew) {
    const auto shift = stage_of(3, {1, 0, 0});                           // reads its left neighbour
    auto raised = stage_of(1, {1}, 1, 0.2f);                             // adds 51
    expect_row(row_request(kGrey8, {raised, shift}), {10, 20}, {0, 61}); // the zeros outside were not raised
    expect_row(row_request(kGrey8, {shift, shift}, Border::reflect101), {1, 2, 3}, {1, 2, 1});
}

TEST(Semantics, S3SumsRunOnTheStoredNumbersUnlessAskedOtherwise) { // not on light: half of it is 188
    EXPECT_EQ(ImageRequest{}.light, Light::stored);
    EXPECT_EQ(Recipe{}.light, Light::stored);
    expect_row(row_request(kGrey8, {stage_of(2, {1, 1}, 2)}, Border::wrap), {0, 255}, {128, 128});
    expect_row(row_request(kFloat, {stage_of(1, {2})}), {300, -5}, {600, -10}); // floats are unchanged
}

TEST(Semantics, S3DepthsMapFullScaleToFullScale) { // not by shifting bits, not value by value
    auto request = row_request(kGrey8, {stage_of(1, {1})});
    request.out.depth = Depth::u16;
    expect_row(request, {0, 1, 128, 255}, {0, 257, 32896, 65535});
    request.out.depth = Depth::f32;
    expect_row(request, {0, 51, 255}, {0, 0.2, 1});
    request = row_request(kGrey16, {stage_of(1, {1})});
    request.out.depth = Depth::u8;
    expect_row(request, {0, 128, 129, 65535}, {0, 0, 1, 255}); // 129 / 257 = 0.502
    request = row_request(kFloat, {stage_of(1, {1})});
    request.out.depth = Depth::u8;
    expect_row(request, {0, 0.5, 1, 1.5, -1}, {0, 128, 255, 255, 0}); // 127.5 ties to even
}

TEST(Semantics, S3OffsetsAreInUnitsOfTheInputsFullScale) { // not of 255 for every depth
    expect_row(row_request(kGrey8, {stage_of(1, {0}, 1, 0.2f)}), {9}, {51});
    expect_row(row_request(kGrey16, {stage_of(1, {0}, 1, 0.2f)}), {9}, {13107});
    expect_row(row_request(kFloat, {stage_of(1, {0}, 1, 0.25f)}), {9}, {0.25});
    auto request = row_request(kGrey8, {stage_of(1, {1}, 1, 0.2f)});
    request.out.depth = Depth::f32;
    expect_row(request, {51}, {0.4});
}

// Not by the reciprocal: 91 * (1 / 14) is a little above 6.5 and rounds to 7.
TEST(Semantics, S4DividesOnceInF32) {
    expect_row(row_request(kGrey8, {stage_of(1, {1}, 14)}), {91, 175, 203}, {6, 12, 14});
    expect_row(row_request(kGrey8, {stage_of(1, {3}, 82)}), {205}, {8});
}

TEST(Semantics, S4EachKernelHasItsOwnDivisorThenOneOffset) { // not the offset inside the sum of magnitudes
    Stage both{{make_kernel(3, 1, {-1, 0, 1}, 2), make_kernel(1, 1, {1}, 4)}, Combine::l1, 0.2f};
    expect_row(row_request(kGrey8, {both}, Border::replicate), {100, 60, 20},
               {20 + 25 + 51, 40 + 15 + 51, 20 + 5 + 51});
    both.combine = Combine::l2;
    expect_row(row_request(kFloat, {both}, Border::replicate), {0, 12, 6},
               {6 + 0.2, std::sqrt(3.0 * 3 + 3 * 3) + 0.2, std::sqrt(3.0 * 3 + 1.5 * 1.5) + 0.2});
    both.kernels.front().offset = 0.1f;
    EXPECT_EQ(code_of([&] { validate(both); }), "misplaced-offset"); // its kernels must not have offsets
    both.kernels.front().offset = 0, both.kernels.back().offset = 0.1f;
    EXPECT_EQ(code_of([&] { validate(both); }), "misplaced-offset");
    Stage one{{make_kernel(1, 1, {1})}};
    one.offset = 0.1f; // the kernel's own offset
    EXPECT_EQ(code_of([&] { validate(one); }), "misplaced-offset");
}

TEST(Semantics, S4OneKernelIsCombinedLikeSeveral) { // its magnitude, not its sum
    for (const auto combine : {Combine::l1, Combine::l2}) {
        auto slope = stage_of(3, {-1, 0, 1}); // has factors
        slope.combine = combine;
        slope.offset = 1.0f / 255;
        expect_row(row_request(kGrey8, {slope}), {10, 30, 60, 20}, {31, 51, 11, 61});
    }
}

TEST(Semantics, S4Signed) {
    const auto slope = stage_of(3, {-1, 0, 1});
    auto request = row_request(kGrey8, {slope}, Border::replicate);
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
    request = row_request(kFloat, {slope}, Border::replicate); // floats never clamp
    expect_row(request, {1, 0.5, 3}, {-0.5, 2, 2.5});
}

TEST(Semantics, S4FloatsNeverClampWhateverTheirSource) { // not at 0 because integers do
    auto request = row_request(kGrey8, {stage_of(3, {-1, 0, 1})}, Border::replicate);
    for (const auto depth : {Depth::f32, Depth::f16}) {
        request.out.depth = depth;
        request.sign = SignedMode::clamp;
        expect_row(request, {255, 0, 255}, {-1, 0, 1});
        request.sign = SignedMode::absolute;
        expect_row(request, {255, 0, 255}, {1, 0, 1});
        request.sign = SignedMode::half;
        expect_row(request, {255, 0, 255}, {-0.5, 0.5, 1.5});
    }
    Recipe recipe;
    recipe.sign = SignedMode::keep;
    EXPECT_EQ(request_for(recipe, {1, 1}, kGrey8).out.depth, Depth::f32);
    EXPECT_EQ(Recipe{}.sign, SignedMode::clamp);
}

TEST(Semantics, S5NothingIsRoundedOrClampedBetweenSteps) { // 3 / 4 * 4 = 3, not 4; 200 * 2 / 2 = 200, not 127
    expect_row(row_request(kGrey8, {stage_of(1, {1}, 4), stage_of(1, {4})}), {3, 5, 255}, {3, 5, 255});
    expect_row(row_request(kGrey8, {stage_of(1, {2}), stage_of(1, {1}, 2)}), {200, 255}, {200, 255});
    expect_row(row_request(kGrey8, {stage_of(1, {-1}), stage_of(1, {-1})}), {200, 7}, {200, 7});
}

// Not a power of 2.2: that gives 186 for half the light.
TEST(Semantics, S5TheCurveIsThePiecewiseOneOddBelowZero) {
    auto request = row_request(kGrey8, {stage_of(2, {1, 1}, 2)}, Border::wrap);
    request.light = Light::linear;
    expect_row(request, {0, 255}, {188, 188});
    request = row_request(kFloat, {stage_of(1, {-1})});
    request.light = Light::linear;
    expect_row(request, {0.5, 0.02, -0.25}, {-0.5, -0.02, 0.25});
    request.stages = {stage_of(1, {1}, 2)};
    expect_row(request, {0.02}, {0.01}); // the linear segment near black
}

TEST(Semantics, S5LightIsOfColourOnly) { // alpha is not light
    auto request = row_request(kRgbaFloat, {stage_of(1, {1}, 2)});
    request.light = Light::linear;
    request.alpha = AlphaMode::straight;
    expect_row(request, {0.02, 0.02, 0.02, 0.5}, {0.01, 0.01, 0.01, 0.25});
}

TEST(Semantics, S5DecodesBeforeItMultipliesByAlpha) { // the curve applies to straight colour
    auto request = row_request(kRgbaFloat, {stage_of(2, {1, 1}, 2)}, Border::wrap);
    request.light = Light::linear;
    const double grey = linear_to_srgb(srgb_to_linear(0.5) / 3); // 0.5 light / 2, over an alpha of 0.75
    expect_row(request, {0.5, 0.5, 0.5, 0.5, 0, 0, 0, 1}, {grey, grey, grey, 0.75, grey, grey, grey, 0.75});
}

TEST(Semantics, S6RoundsToEvenAndClampsAndNaNIsZero) { // not half up; NaN not 255
    auto request = row_request(kFloat, {stage_of(1, {1})});
    request.out.depth = Depth::u8;
    expect_row(request, {0.5, kNaN, kInf, -kInf}, {128, 0, 255, 0});
    expect_row(row_request(kGrey8, {stage_of(1, {1}, 2)}), {1, 3, 5, 7}, {0, 2, 2, 4});
    request.out.depth = Depth::f16;
    expect_row(request, {1e6, -1e6, kNaN, kInf, -kInf, 0.5}, {65504, -65504, kNaN, kInf, -kInf, 0.5});
    expect_row(row_request(kHalf, {stage_of(1, {2})}), {65504, 1}, {65504, 2});
}

// A zero weight is no tap: 0 * NaN would be NaN.
TEST(Semantics, S10NonFiniteInputReachesExactlyWhatCoversIt) {
    const auto request = row_request(kFloat, {stage_of(3, {1, 0, 1})});
    expect_row(request, {1, 2, kNaN, 4, 5, 6}, {2, kNaN, 6, kNaN, 10, 5});
    expect_row(request, {1, 2, kInf, 4, 5, 6}, {2, kInf, 6, kInf, 10, 5});
    expect_row(row_request(kFloat, {stage_of(3, {1, 1, 1})}), {0, 0, kInf, -kInf, 0, 0, 0},
               {0, kInf, kNaN, kNaN, -kInf, 0, 0}); // no trace remains after the window
}

// Beyond 14 sigma, where float64 still has one.
TEST(Semantics, S10AWeightThatVanishesInF32IsNoTapForAnyAlgorithm) {
    auto request = row_request(kFloat, {generated_stage(GaussianGenerator{1, 1101, 1101})},
                               Border::replicate);
    request.size = {60, 40};
    auto image = random_image(request.size, request.in, 4);
    image.view().row<float>(20)[30] = std::numeric_limits<float>::quiet_NaN();
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto result = run(engine, request, image.view(), algorithm.id);
        EXPECT_TRUE(is_right(request, image.view(), result.view()));
    });
    EXPECT_FALSE(std::isnan(reference_values(request, image.view()).front()));
}

// A plain sum in f32 would stay at 2^24, despite the 960 ones after it.
TEST(Semantics, S11LongSumsRunAlongRowsThenOverThem) {
    auto request = row_request(kFloat, {Stage{{make_kernel(31, 31, std::vector<float>(961, 1))}}});
    request.size = {33, 33};
    Image image(request.size, request.in);
    for (std::int64_t y = 0; y < 33; ++y) std::fill_n(image.view().row<float>(y), 33, 1.0f);
    image.view().row<float>(1)[1] = 0x1p24f;
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        EXPECT_TRUE(is_right(request, image.view(), run(engine, request, image.view(), algorithm.id).view()));
    });
    auto plain = reference_image(request, image.view());
    plain.view().row<float>(16)[16] = 0x1p24f; // the output whose first tap is the large one
    EXPECT_FALSE(is_right(request, image.view(), plain.view()));
}

TEST(Semantics, S12NothingIsToleratedByDefault) {
    EXPECT_EQ(ImageRequest{}.tolerance, 0);
    EXPECT_EQ(Recipe{}.tolerance, 0);
    auto request = row_request(kGrey8, {stage_of(parse_step("gaussian:sigma=40"))});
    request.size = {640, 480};
    for (const auto& engine : engines())
        for (const double tolerance : {0.0, 1e-12, 1e-3}) {
            request.tolerance = tolerance;
            // An engine for smaller kernels is skipped.
            if (std::ranges::none_of(algorithm_answers(*engine, request), &std::string::empty,
                                     &AlgorithmAnswer::why_not))
                continue;
            const auto chosen = plan(*engine, request)->algorithm;
            for (const auto* algorithm : engine->algorithms())
                if (algorithm->error && chosen.find(algorithm->id) != std::string::npos) {
                    EXPECT_LE(algorithm->error(ImageStep(request)), tolerance) << chosen;
                }
        }
}

TEST(Semantics, S13TheChoiceDependsOnTheRequestAlone) { // not on earlier runs or their time
    std::vector<ImageRequest> requests;
    for (const int kernel_size : {3, 7, 31})
        for (const auto& format : {kGrey8, kRgba8, kFloat}) {
            const auto size = ":size=" + std::to_string(kernel_size);
            requests.push_back(row_request(format, {stage_of(parse_step("box" + size))}));
            requests.push_back(row_request(format, {stage_of(parse_step("gaussian:sigma=2" + size))}));
            requests.back().size = requests.end()[-2].size = {200, 150};
        }
    for (const auto& engine : engines()) {
        std::vector<std::string> chosen;
        for (const auto& request : requests)
            chosen.push_back(plan(*engine, request)->algorithm + plan(*engine, request)->reason);
        for (auto i = requests.size(); i-- > 0;) {
            run(*engine, requests[i], random_image(requests[i].size, requests[i].in, 1).view());
            EXPECT_EQ(plan(*engine, requests[i])->algorithm + plan(*engine, requests[i])->reason, chosen[i])
                << label(*engine);
        }
    }
}

} // namespace
} // namespace kg::testing
