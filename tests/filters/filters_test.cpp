#include "core/error.hpp"
#include "filters/analysis.hpp"
#include "filters/kernel_file.hpp"
#include "filters/recipe.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg {
namespace {

Kernel kernel_of(const std::string& step) { return stage_of(parse_step(step)).kernels.front(); }

std::string sentence(auto action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

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

TEST(Filters, StepsRoundTripAsText) {
    for (const auto* text :
         {"gaussian:sigma=2", "gaussian:sigma=1.5:size=9", "box", "box:size=5", "sharpen:amount=0.5",
          "sobel:direction=x", "sobel:norm=l1", "custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
          "custom:size=2x3:weights=1/9,2,0.1,4,5,6e-3:divisor=3:offset=0.5:anchor=0,2:flip=true"}) {
        const auto step = parse_step(text);
        EXPECT_EQ(parse_step(to_text(step)), step) << text;
    }
}

TEST(Filters, MistakesGetASentence) {
    EXPECT_NE(sentence([] { parse_step("gausian"); }).find("did you mean \"gaussian\""), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("gaussian:sgima=2"); }).find("did you mean \"sigma\""),
              std::string::npos);
    EXPECT_NE(sentence([] { parse_step("gaussian:sigma=zwei"); }).find("zwei"), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("gaussian:sigma=-1"); }).find("between 0.1 and 128"),
              std::string::npos);
    EXPECT_NE(sentence([] { parse_step("gaussian:sigma=nan"); }).find("nan"), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("box:size=2.5"); }).find("whole number"), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("box:size=3:size=5"); }).find("twice"), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("sobel:direction=z"); }).find("magnitude, x, y"), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("custom:size=3x3:weights=1,2"); }).find("9"), std::string::npos);
    EXPECT_NE(sentence([] { parse_step("custom"); }).find("weights"), std::string::npos);
    EXPECT_NE(sentence([] { stage_of(parse_step("gaussian:sigma=2:size=1026")); }).find("1025"),
              std::string::npos);
}

TEST(KernelFiles, TextInManySpellings) {
    const auto expected = make_kernel(3, 2, {1, 2, 3, 4, 5, 6});
    for (const auto* text : {"1 2 3\n4 5 6\n", "1,2,3\n4,5,6", "1\t2\t3\r\n4\t5\t6\r\n",
                             "# a kernel\n1; 2; 3 # first\n\n4; 5; 6\n", "\xEF\xBB\xBF 1, 2, 3,\n4, 5, 6,"})
        EXPECT_EQ(parse_kernel(text, "k.txt"), expected) << text;
    EXPECT_FLOAT_EQ(parse_kernel("1/9", "k").weights[0], 1.0f / 9.0f);
}

TEST(KernelFiles, JsonRoundTrips) {
    auto kernel = make_kernel(2, 3, {1, -2, 0.1f, 4, 5, 1e-7f}, 7);
    kernel.anchor_x = 0, kernel.anchor_y = 2, kernel.offset = 0.5f, kernel.flip = true;
    EXPECT_EQ(parse_kernel(to_json(kernel), "k.json"), kernel);
}

TEST(KernelFiles, HostileOnesGetLineAndColumn) {
    const auto fails = [](std::string_view text) { return sentence([&] { parse_kernel(text, "bad.txt"); }); };
    EXPECT_NE(fails("1 2\n3 x 5").find("line 2, column 3"), std::string::npos) << fails("1 2\n3 x 5");
    EXPECT_NE(fails("1 2\n3").find("row 2 has 1 numbers, but row 1 has 2"), std::string::npos);
    EXPECT_NE(fails("1 nan").find("line 1, column 3"), std::string::npos);
    EXPECT_NE(fails("1 1e400").find("line 1, column 3"), std::string::npos);
    EXPECT_NE(fails("inf").find("line 1"), std::string::npos);
    EXPECT_NE(fails("1e39").find("line 1, column 1: a weight of 1e39 is too large"), std::string::npos)
        << fails("1e39");
    EXPECT_NE(fails("").find("no numbers"), std::string::npos);
    EXPECT_NE(fails(std::string_view("1\0 2", 4)).find("text"), std::string::npos);
    EXPECT_NE(fails("{\"rows\": [[1, 2],\n [3]}").find("line 2"), std::string::npos)
        << fails("{\"rows\": [[1, 2],\n [3]}");
    EXPECT_NE(fails("{\"rows\": [[1]], \"ancor\": [0,0]}").find("ancor"), std::string::npos);
    EXPECT_NE(fails("{\"rows\": [[1]], \"anchor\": [3,0]}").find("anchor"), std::string::npos);
    EXPECT_NE(fails("{\"rows\": 5}").find("rows"), std::string::npos);
    EXPECT_NE(fails(std::string(5000, '1')).find("line 1"), std::string::npos);
    std::string wide;
    for (int i = 0; i < 1026; ++i) wide += "1 ";
    EXPECT_NE(fails(wide).find("1025"), std::string::npos);
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

TEST(Recipe, ChannelLettersBecomeAMask) {
    const PixelFormat rgba{Depth::u8, 4, 3}, grey{Depth::u8, 1};
    EXPECT_EQ(channel_mask("rgb", rgba), 0b0111u);
    EXPECT_EQ(channel_mask("a", rgba), 0b1000u);
    EXPECT_EQ(channel_mask("", rgba), 0b1111u);
    EXPECT_EQ(channel_mask("rgb", grey), 1u);
    EXPECT_THROW(channel_mask("rx", rgba), Error);
}

} // namespace
} // namespace kg
