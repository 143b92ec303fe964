// Sections 7 and 8 of docs/semantics.md; semantics_test.cpp tests the others.

#include "core/request/conversion.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"
#include "tests/engines/support/expect_row.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg::testing {
namespace {

// Not straight: green of the transparent pixel would bleed.
TEST(Semantics, S7PremultipliedWeightsColourByAlpha) {
    const std::vector<double> red_and_clear_green{200, 0, 0, 255, 0, 200, 0, 0};
    const auto mean = stage_of(3, {1, 1, 1}, 3);
    auto request = row_request(kRgba8, {mean}, Border::replicate);
    expect_row(request, red_and_clear_green, {200, 0, 0, 170, 200, 0, 0, 85});
    request.alpha = AlphaMode::straight;
    expect_row(request, red_and_clear_green, {133, 67, 0, 170, 67, 133, 0, 85});
    request.alpha = AlphaMode::keep;
    expect_row(request, red_and_clear_green, {133, 67, 0, 255, 67, 133, 0, 0});
}

TEST(Semantics, S7ColourIsZeroWhereAlphaIs) { // not the hidden colour
    expect_row(row_request(kRgba8, {stage_of(1, {1})}), {90, 80, 70, 0}, {0, 0, 0, 0});
}

TEST(Semantics, S7StraightAndKeepFilterStraightColourWhateverTheFileHolds) {
    // Red with half alpha next to opaque green. Not the mean of premultiplied colour: 0.25 of red over alpha
    // 0.5 or 1.
    const auto mean = stage_of(2, {1, 1}, 2); // a pixel and the one before it
    const std::vector<double> multiplied{0.5, 0, 0, 0.5, 0, 1, 0, 1};
    auto request = row_request(kRgbaFloat, {mean}, Border::replicate);
    request.in.premultiplied = true;
    request.alpha = AlphaMode::keep;
    expect_row(request, multiplied, {1, 0, 0, 0.5, 0.5, 0.5, 0, 1});
    request.alpha = AlphaMode::straight;
    expect_row(request, multiplied, {1, 0, 0, 0.5, 0.5, 0.5, 0, 0.75});
    request.out.premultiplied = true; // the same image in a premultiplied file
    expect_row(request, multiplied, {0.5, 0, 0, 0.5, 0.375, 0.375, 0, 0.75});
    request.alpha = AlphaMode::keep;
    expect_row(request, multiplied, {0.5, 0, 0, 0.5, 0.5, 0.5, 0, 1});
    request.stages = {stage_of(1, {1})}; // an alpha outside its range is preserved, and so is colour
    expect_row(request, {0.5, 0, 0, 1.5, 0.5, 0, 0, -1}, {0.5, 0, 0, 1.5, 0, 0, 0, -1});
}

TEST(Semantics, S7AGainOffOneCopiesAlpha) { // a Laplacian would erase it: its own sum over alpha is 0
    const auto laplacian = stage_of(3, {-1, 2, -1});
    expect_row(row_request(kRgba8, {laplacian}, Border::replicate), {200, 0, 0, 255, 100, 0, 0, 255},
               {100, 0, 0, 255, 0, 0, 0, 255});
    const auto almost_one = stage_of(1, {1.0005f}), beyond = stage_of(1, {1.002f});
    EXPECT_TRUE(filters_alpha(almost_one));
    EXPECT_FALSE(filters_alpha(beyond));
    // An offset applies to colour, never to alpha.
    expect_row(row_request(kRgba8, {stage_of(1, {1}, 1, 0.2f)}), {10, 20, 30, 128}, {61, 71, 81, 128});
}

// Not colour over unclamped alpha: 0.5 in the middle.
TEST(Semantics, S7FilteredAlphaIsClampedToItsRange) {
    const auto sharpen = stage_of(3, {-1, 3, -1});
    EXPECT_EQ(ImageRequest{}.alpha, AlphaMode::premultiplied);
    EXPECT_EQ(Recipe{}.alpha, AlphaMode::premultiplied);
    expect_row(row_request(kRgbaFloat, {sharpen}), {0.5, 0, 0, 0, 0.5, 0, 0, 1, 0.5, 0, 0, 0},
               {0, 0, 0, 0, 1.5, 0, 0, 1, 0, 0, 0, 0});
}

/// Straight and premultiplied results.
void expect_both(ImageRequest request, const std::vector<double>& samples,
                 const std::vector<double>& multiplied, const std::vector<double>& straight) {
    request.in.premultiplied = request.out.premultiplied = true;
    {
        SCOPED_TRACE("multiplied");
        expect_row(request, samples, multiplied);
    }
    request.out.premultiplied = false;
    SCOPED_TRACE("straight");
    expect_row(request, samples, straight);
}

const std::vector<double> kEdge{0.2, 0, 0, 0.5, 0.6, 0, 0, 1, 0.1, 0, 0, 0};        // premultiplied colour
Stage sharpen_row(float offset = 0) { return stage_of(3, {-1, 3, -1}, 1, offset); } // alpha: 0.5, 2.5, -1
Stage mean() { return stage_of(3, {1, 1, 1}, 3); }

// Colour is the sum, also where alpha is 0.
TEST(Semantics, S7AlphaIsClampedAlsoWhereColourStaysMultiplied) {
    expect_both(row_request(kRgbaFloat, {sharpen_row()}), kEdge, {0, 0, 0, 0.5, 1.5, 0, 0, 1, -0.3, 0, 0, 0},
                {0, 0, 0, 0.5, 1.5, 0, 0, 1, 0, 0, 0, 0});
}

TEST(Semantics, S7AlphaIsNotClampedBetweenSteps) { // otherwise the result would be 0.5, 0.5, 1/3
    expect_both(row_request(kRgbaFloat, {sharpen_row(), mean()}), kEdge,
                {0.5, 0, 0, 1, 0.4, 0, 0, 2.0 / 3, 0.4, 0, 0, 0.5},
                {0.5, 0, 0, 1, 0.6, 0, 0, 2.0 / 3, 0.8, 0, 0, 0.5});
    expect_row(row_request(kRgba8, {sharpen_row(), mean()}), {102, 0, 0, 128, 153, 0, 0, 255, 255, 0, 0, 0},
               {136, 0, 0, 255, 127, 0, 0, 170, 170, 0, 0, 127});
}

TEST(Semantics, S7AnOffsetBetweenStepsClampsNothing) { // it is added times alpha: 0.1 times 0.5, 2.5, -1
    expect_both(row_request(kRgbaFloat, {sharpen_row(0.1f), mean()}), kEdge,
                {0.6, 0.1, 0.1, 1, 1.4 / 3, 0.2 / 3, 0.2 / 3, 2.0 / 3, 0.45, 0.05, 0.05, 0.5},
                {0.6, 0.1, 0.1, 1, 0.7, 0.1, 0.1, 2.0 / 3, 0.9, 0.1, 0.1, 0.5});
}

TEST(Semantics, S7TheLastOffsetIsOfColourDividedByClampedAlpha) { // 1.5 / 1 + 0.1, not + 0.1 times 2.5
    expect_both(row_request(kRgbaFloat, {sharpen_row(0.1f)}), kEdge,
                {0.05, 0.05, 0.05, 0.5, 1.6, 0.1, 0.1, 1, -0.3, 0, 0, 0},
                {0.1, 0.1, 0.1, 0.5, 1.6, 0.1, 0.1, 1, 0, 0, 0, 0});
}

// An alpha that was only copied is preserved.
TEST(Semantics, S7AlphaThatWasFilteredAndThenCopiedIsClampedAtTheEnd) {
    const std::vector<double> slopes{-1.5, 0, 0, 0.5, 3.3, 0, 0, 1, -2.1, 0, 0, 0};
    expect_both(row_request(kRgbaFloat, {sharpen_row(), stage_of(3, {-1, 2, -1})}), kEdge, slopes, slopes);
    expect_both(row_request(kRgbaFloat, {stage_of(1, {2})}), {0.5, 0, 0, 1.5, 0.25, 0, 0, -1},
                {1, 0, 0, 1.5, 0.5, 0, 0, -1}, {1, 0, 0, 1.5, 0.5, 0, 0, -1});
}

TEST(Semantics, S7ColourIsMultipliedByAnAlphaOf0Too) { // when a straight result is premultiplied
    auto request = row_request(kRgbaFloat, {stage_of(1, {1})});
    request.out.premultiplied = true;
    for (const auto alpha : {AlphaMode::straight, AlphaMode::keep}) {
        request.alpha = alpha;
        expect_row(request, {0.8, 0.4, 0.2, 0, 0.8, 0.4, 0.2, 1.0 / 255},
                   {0, 0, 0, 0, 0.8 / 255, 0.4 / 255, 0.2 / 255, 1.0 / 255});
    }
}

// Although the gain of each kernel is 1; colour is not divided again.
TEST(Semantics, S7AStageThatCombinesCopiesAlpha) {
    const auto identity = make_kernel(1, 1, {1});
    expect_row(row_request(kRgbaFloat, {Stage{{identity, identity}, Combine::l1, 0.1f}}), {0.5, 0, 0.2, 0.5},
               {0.6, 0.1, 0.3, 0.5});
    expect_row(row_request(kRgbaFloat, {Stage{{identity, identity}, Combine::l2, 0.1f}}), {0.5, 0, 0, 0.5},
               {std::sqrt(0.125) + 0.1, 0.1, 0.1, 0.5});
}

TEST(Semantics, S7TheOffsetOfASignalIsNotWeightedByAlpha) { // not 0.125, not 0.5
    expect_row(row_request(kRgbaFloat, {stage_of(3, {-1, 2, -1}, 1, 0.25f)}, Border::replicate),
               {0.8, 0, 0, 0.5, 0.4, 0, 0, 1}, {0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0.25, 1});
}

TEST(Semantics, S7AlphaThatIsNotComputedIsCopiedWhateverItIs) { // not clamped like the divisor of colour
    const std::vector<double> multiplied{0.3, 0.6, 0, 1.5, 0.1, 0.2, 0, 0.5, 0.7, 0, 0, -0.25, 1, 1, 1, kNaN},
        straight{0.3, 0.6, 0, 1.5, 0.2, 0.4, 0, 0.5, 0, 0, 0, -0.25, 0, 0, 0, kNaN};
    auto request = row_request(kRgbaFloat, {stage_of(1, {1})});
    request.in.premultiplied = true;
    request.alpha = AlphaMode::keep;
    expect_row(request, multiplied, straight);
    request.alpha = AlphaMode::straight; // nor where the mask excludes it
    request.channels = 0b0111;
    expect_row(request, multiplied, straight);
    request.light = Light::linear; // nor when converting pixel by pixel
    request.in.linear = true;
    expect_row(request, {0.3, 0, 0, 1.5}, {linear_to_srgb(0.3), 0, 0, 1.5});
    request = row_request({Depth::f32, 2, 0}, {stage_of(1, {1})}); // alpha first
    request.in.premultiplied = true;
    request.alpha = AlphaMode::keep;
    expect_row(request, {1.5, 0.3, -1, 0.3, 0.5, 0.25}, {1.5, 0.3, -1, 0, 0.5, 0.5});
    request.alpha = AlphaMode::straight; // if computed, it is clamped to its range
    expect_row(request, {1.5, 0.3, -1, 0.3, 0.5, 0.25}, {1, 0.3, 0, 0, 0.5, 0.5});
}

TEST(Semantics, S7AlphaIsDefinedByTheFormat) { // four channels alone do not imply alpha
    auto request = row_request({Depth::u8, 4, -1}, {stage_of(3, {1, 1, 1}, 3)}, Border::replicate);
    expect_row(request, {200, 0, 0, 255, 0, 200, 0, 0}, {133, 67, 0, 170, 67, 133, 0, 85});
}

TEST(Semantics, S8ChannelsOutsideTheMaskPassThrough) {
    auto request = row_request({Depth::u8, 3, -1}, {stage_of(1, {2})});
    request.channels = 0b010;
    expect_row(request, {10, 20, 30}, {10, 40, 30});
    request.sign = SignedMode::half;
    expect_row(request, {10, 20, 30}, {10, 168, 30}); // 40 + 127.5, ties to even; the others are unchanged
    request = row_request(kRgba8, {stage_of(1, {1})});
    request.channels = 0b0111;
    EXPECT_EQ(code_of([&] { validate(request); }), "alpha-left-out");
    request.alpha = AlphaMode::keep;
    EXPECT_NO_THROW(validate(request));
}

} // namespace
} // namespace kg::testing
