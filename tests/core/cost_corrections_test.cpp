// The constants by which auto chooses: what lies between measured points, and the file that holds them.

#include "core/plan/cost_corrections.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg::testing {
namespace {

ImageStep step(Depth depth, int channels, Extent size, int kernel_size) {
    const auto weights = static_cast<std::size_t>(kernel_size * kernel_size);
    return ImageStep({size,
                      {depth, channels},
                      {depth, channels},
                      {{{make_kernel(kernel_size, kernel_size, std::vector<float>(weights, 1))}}}});
}

TEST(CostCorrections, AreOneWhereNothingWasMeasured) {
    const CostCorrections costs({{"tiled", Depth::u8, 4, 1, 3, 2}});
    EXPECT_EQ(costs.factor("tiled", step(Depth::u8, 4, {1000, 1000}, 3)), 2);
    EXPECT_EQ(costs.factor("tile", step(Depth::u8, 4, {1000, 1000}, 3)), 1);
    EXPECT_EQ(costs.factor("tiled", step(Depth::u16, 4, {1000, 1000}, 3)), 1);
    EXPECT_EQ(costs.factor("tiled", step(Depth::u8, 3, {1000, 1000}, 3)), 1);
    EXPECT_EQ(CostCorrections().factor("tiled", step(Depth::u8, 4, {1000, 1000}, 3)), 1);
}

TEST(CostCorrections, AreInterpolatedBetweenKernelsAndSizes) {
    const CostCorrections costs(
        {{"a", Depth::f32, 1, 1, 3, 1}, {"a", Depth::f32, 1, 1, 27, 4}, {"a", Depth::f32, 1, 4, 3, 16}});
    const auto factor = [&](Extent size, int k) { return costs.factor("a", step(Depth::f32, 1, size, k)); };
    EXPECT_NEAR(factor({1000, 1000}, 9), 2, 1e-9) << "halfway between 3 and 27";
    EXPECT_NEAR(factor({1000, 1000}, 1), 1, 1e-9) << "below the smallest kernel";
    EXPECT_NEAR(factor({1000, 1000}, 63), 4, 1e-9) << "above the largest";
    EXPECT_NEAR(factor({2000, 1000}, 3), 4, 1e-9) << "halfway between 1 and 4 megapixels";
    EXPECT_NEAR(factor({2000, 1000}, 27), 8, 1e-9) << "the larger image has one kernel only";
    EXPECT_NEAR(factor({100, 100}, 3), 1, 1e-9);
    EXPECT_NEAR(factor({10000, 10000}, 3), 16, 1e-9);
}

TEST(CostCorrections, AreTheGeometricMeanOfSamplesOfOneKind) {
    const CostCorrections costs(
        {{"a", Depth::u8, 1, 1, 3, 1}, {"a", Depth::u8, 1, 1, 3, 8}, {"a", Depth::u8, 1, 1, 3, 1}});
    EXPECT_NEAR(costs.factor("a", step(Depth::u8, 1, {1000, 1000}, 3)), 2, 1e-9);
    EXPECT_EQ(costs.samples().size(), 1u);
}

TEST(CostCorrections, OfAlphaWeightedStepsAreTheirOwn) {
    auto weighted = step(Depth::u8, 4, {1000, 1000}, 3);
    weighted.in.alpha = weighted.out.alpha = 3;
    const CostCorrections plain({{"a", Depth::u8, 4, 1, 3, 2}});
    EXPECT_EQ(plain.factor("a", weighted), 2) << "nothing else was measured";
    const CostCorrections both({{"a", Depth::u8, 4, 1, 3, 2}, {"a", Depth::u8, 4, 1, 3, 7, true}});
    EXPECT_NEAR(both.factor("a", weighted), 7, 1e-12);
    EXPECT_EQ(both.factor("a", step(Depth::u8, 4, {1000, 1000}, 3)), 2);
    weighted.alpha = AlphaMode::straight;
    EXPECT_EQ(both.factor("a", weighted), 2);
}

TEST(CostCorrections, ComeBackFromTheirFile) {
    const CostCorrections costs(
        {{"a", Depth::u8, 1, 0.262144, 3, 1.25}, {"b", Depth::f32, 4, 16.7772, 31, 0.5, true}});
    const auto text = costs_text(costs, "cuda", "NVIDIA H200");
    EXPECT_EQ(text.substr(0, text.find('\n')), "kernelglass-costs/1 cuda NVIDIA H200");
    EXPECT_TRUE(is_costs_text(text));
    EXPECT_FALSE(is_costs_text("{\"rows\": []}"));
    const auto back = parse_costs(text, "costs.txt", "cuda");
    ASSERT_EQ(back.samples().size(), 2u);
    EXPECT_EQ(costs_text(back, "cuda", "NVIDIA H200"), text);
    EXPECT_EQ(back.samples()[1].algorithm, "b");
    EXPECT_EQ(back.samples()[1].factor, 0.5);
    EXPECT_TRUE(back.samples()[1].alpha && !back.samples()[0].alpha);
}

TEST(CostCorrections, KeepEarlierSamplesOfOtherKinds) {
    const CostCorrections now({{"a", Depth::u8, 1, 1, 3, 2}, {"b", Depth::u8, 1, 1, 3, 3}}),
        earlier({{"a", Depth::u8, 1, 1, 3, 5}, {"a", Depth::u8, 1, 1, 5, 6}, {"c", Depth::f32, 4, 2, 9, 7}});
    const auto both = now.with_earlier(earlier);
    std::string all;
    for (const auto& s : both.samples())
        all += s.algorithm + std::to_string(s.kernel_size) + " " + std::to_string(std::lround(s.factor)) +
               ";";
    EXPECT_EQ(all, "a3 2;a5 6;b3 3;c9 7;");
}

TEST(CostCorrections, OfTinyImagesComeBackToo) {
    const auto text = costs_text(CostCorrections({{"a", Depth::u8, 1, 3.6e-5, 3, 2e-6}}), "cuda", "x");
    EXPECT_EQ(parse_costs(text, "costs.txt", "cuda").samples().front().factor, 2e-6);
}

TEST(CostCorrections, RefuseWhatIsNoFileOfConstants) {
    const auto code = [](const std::string& text) {
        return code_of([&] { parse_costs(text, "costs.txt", "cuda"); });
    };
    const std::string head = "kernelglass-costs/1 cuda x\n";
    EXPECT_EQ(code(head + "\n# note\na u8 1 1 3 1\n"), "no error");
    EXPECT_EQ(code(""), "bad-costs");
    EXPECT_EQ(code("kernelglass-costs/10 cuda x\n"), "bad-costs");
    EXPECT_EQ(code("kernelglass-costs/1 cpu x\n"), "bad-costs") << "of another engine";
    EXPECT_EQ(code(head + "a u8 1.5 1 3 1\n"), "bad-value");
    EXPECT_EQ(code(head + "a u8 5 1 3 1\n"), "bad-value");
    EXPECT_EQ(code(head + "a u8 1 1 0.5 1\n"), "bad-value");
    EXPECT_EQ(code("a u8 1 1 3 1\n"), "bad-costs");
    EXPECT_EQ(code(head + "a u8 1 1 3\n"), "bad-costs");
    EXPECT_EQ(code(head + "a u7 1 1 3 1\n"), "bad-costs");
    EXPECT_EQ(code(head + "a u8 1 1 3 0\n"), "bad-value");
    EXPECT_EQ(code(head + "a u8 1 -1 3 1\n"), "bad-value");
    EXPECT_EQ(code(head + "a u8 1 1 3 nan\n"), "not-a-number");
}

} // namespace
} // namespace kg::testing
