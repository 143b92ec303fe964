// The axes of a benchmark and their cases.

#include "app/bench/sweep.hpp"
#include "core/request/separate.hpp"
#include "core/support/error.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kg::testing {
namespace {

TEST(Sweep, EveryCombinationOnceWithKernelSizesFastest) {
    Sweep sweep;
    sweep.sizes = {{10, 8}, {20, 8}};
    sweep.kernel_sizes = {{3, 3}, {5, 5}, {7, 7}};
    sweep.depths = {Depth::u8, Depth::f32};
    sweep.channels = {{1}, {3}};
    sweep.borders = {Border::zero, Border::wrap};
    sweep.filters = {"dense", "gaussian"};
    const auto cases = cases_of(sweep);
    ASSERT_EQ(cases.size(), 2U * 3 * 2 * 2 * 2 * 2);
    EXPECT_EQ(cases[0].filter, "dense");
    EXPECT_EQ(cases.back().filter, "gaussian");
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(cases[i].request.stages.front().kernels.front().width, static_cast<int>(3 + 2 * i));
    EXPECT_EQ(cases[3].request.size, (Extent{20, 8}));
    for (const auto& c : cases) EXPECT_EQ(c.request.in, c.request.out);
}

TEST(Sweep, AFilterWithoutSizesComesOnce) {
    Sweep sweep;
    sweep.filters = {"sharpen", "box"};
    sweep.kernel_sizes = {{3, 3}, {5, 7}};
    const auto cases = cases_of(sweep);
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ(cases[0].recipe, "sharpen");
    EXPECT_EQ(cases[2].request.stages.front().kernels.front().width, 5);
    EXPECT_EQ(cases[2].request.stages.front().kernels.front().height, 7);
}

TEST(Sweep, DuplicatesAreListedOnce) { // the rows of a report have unique names
    Sweep sweep;
    sweep.kernel_sizes = {{3, 3}, {5, 5}, {3, 3}};
    sweep.depths = {Depth::u8, Depth::u8};
    EXPECT_EQ(cases_of(sweep).size(), 2U);
}

TEST(Sweep, TheLastOfChannelsWithAlphaIsAlpha) {
    Sweep sweep;
    sweep.kernel_sizes = {{3, 3}};
    sweep.channels = {{4}, {4, true}, {2, true}};
    const auto cases = cases_of(sweep);
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_FALSE(is_alpha_weighted(cases[0].request));
    EXPECT_TRUE(is_alpha_weighted(cases[1].request));
    EXPECT_EQ(cases[1].request.out.alpha, 3);
    EXPECT_EQ(cases[2].request.in.alpha, 1);
}

/// Weights for dense algorithms only: not separable, no generator, no symmetry.
TEST(Sweep, DenseWeightsHaveNoShortcut) {
    Sweep sweep;
    sweep.kernel_sizes = {{3, 3}, {15, 15}, {31, 31}};
    for (const auto& c : cases_of(sweep)) {
        const auto& stage = c.request.stages.front();
        EXPECT_FALSE(separate(stage, 0));
        EXPECT_TRUE(std::holds_alternative<std::monostate>(stage.generator));
        EXPECT_NEAR(dc_gain(stage), 1, 1e-5);
        const auto& w = stage.kernels.front().weights;
        EXPECT_NE(w.front(), w.back());
        for (const float v : w) EXPECT_GT(v, 0);
    }
    EXPECT_EQ(cases_of(sweep).front().request.stages, cases_of(sweep).front().request.stages);
}

TEST(Sweep, TolerancesAreOtherWorkOfAnotherName) {
    Sweep sweep;
    sweep.kernel_sizes = {{3, 3}, {5, 5}};
    sweep.filters = {"gaussian", "dense"};
    sweep.tolerances = {0, 0.001, 0};
    const auto cases = cases_of(sweep);
    ASSERT_EQ(cases.size(), 2U * 2 * 2);
    EXPECT_EQ(cases[0].filter, "gaussian");
    EXPECT_EQ(cases[0].request.tolerance, 0);
    EXPECT_EQ(cases[3].filter, "gaussian,tolerance=0.001");
    EXPECT_EQ(cases[3].request.tolerance, 0.001);
    EXPECT_EQ(cases[4].filter, "dense") << "sorted by filter";
}

TEST(Sweep, BoxesAndGaussiansGoWhereListedWeightsEnd) {
    Sweep sweep;
    sweep.kernel_sizes = parse_kernel_sizes("3,2001");
    sweep.filters = {"box", "dense"};
    const auto cases = cases_of(sweep);
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_FALSE(has_weights(cases[1].request.stages.front()));
    EXPECT_EQ(cases[1].request.stages.front().kernels.front().width, 2001);
    EXPECT_EQ(cases[2].filter, "dense");
    sweep.kernel_sizes = {{2001, 2001}};
    sweep.filters = {"dense"};
    EXPECT_THROW(cases_of(sweep), Error);
}

TEST(Sweep, ARecipeStandsInPlaceOfFilters) {
    Sweep sweep;
    sweep.recipe.steps = {parse_step("gaussian:sigma=1"), parse_step("sobel")};
    sweep.recipe.tolerance = 0.01;
    const auto cases = cases_of(sweep);
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(cases[0].request.stages.size(), 2U);
    EXPECT_EQ(cases[0].request.tolerance, 0.01);
}

TEST(Sweep, ParsesTheAxes) {
    EXPECT_EQ(parse_sizes("640x480, 4k").at(1), (Extent{3840, 2160}));
    const auto sizes = parse_kernel_sizes("3-9,31,5x7");
    ASSERT_EQ(sizes.size(), 6U);
    EXPECT_EQ(sizes[1], (Extent{5, 5}));
    EXPECT_EQ(sizes[3], (Extent{9, 9}));
    EXPECT_EQ(sizes[5], (Extent{5, 7}));
    EXPECT_EQ(parse_kernel_sizes("4-4").size(), 1U);
    EXPECT_EQ(parse_kernel_sizes("3-1025").back(), (Extent{1025, 1025}));
    EXPECT_EQ(parse_channel_layouts("1,4,4a"), (std::vector<ChannelLayout>{{1}, {4}, {4, true}}));
    for (const auto* wrong : {"", "x", "3x", "-3", "0", "65536", "3,,5", "3.5"})
        EXPECT_EQ(code_of([&] { parse_kernel_sizes(wrong); }), "bad-value") << wrong;
    EXPECT_EQ(code_of([] { parse_kernel_sizes("9-3"); }), "bad-range");
    for (const auto* wrong : {"", "640", "5K"})
        EXPECT_EQ(code_of([&] { parse_sizes(wrong); }), "bad-size") << wrong;
    for (const auto* wrong : {"640x", "0x1", "640x480x3"})
        EXPECT_EQ(code_of([&] { parse_sizes(wrong); }), "bad-value") << wrong;
    for (const auto* wrong : {"", "0", "5", "rgba"})
        EXPECT_EQ(code_of([&] { parse_channel_layouts(wrong); }), "bad-value") << wrong;
}

TEST(Sweep, ErrorsNameTheWordAndWhatStandsInItsPlace) {
    const auto message_of = [](const auto& action) -> std::string {
        try {
            action();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(message_of([] { parse_kernel_sizes("0"); }),
              "\"0\" is not a kernel size: a whole number from 1 to 65535");
    for (const std::string word : {"x", "3x", "-5"})
        EXPECT_EQ(message_of([&] { parse_kernel_sizes(word); }),
                  '"' + word + "\" is not a kernel size: a whole number from 1 to 65535");
    EXPECT_EQ(message_of([] { parse_sizes("5K"); }),
              "\"5K\" is not a size; write 1920x1080, or hd, fhd, 4k, 8k");
    EXPECT_EQ(message_of([] { parse_kernel_sizes("9-3"); }),
              "the range \"9-3\" must go from the smaller to the larger size");
    Sweep sweep;
    sweep.filters = {"gaussian"};
    sweep.kernel_sizes = {{5, 7}};
    EXPECT_EQ(message_of([&] { cases_of(sweep); }),
              "the filter gaussian has square kernels; 5x7 is not square");
    EXPECT_EQ(code_of([&] { cases_of(sweep); }), "kernel-not-square");
}

} // namespace
} // namespace kg::testing
