// The results of analyse(), which must not report more than is true.

#include "filters/analysis.hpp"
#include "filters/recipe.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace kg {
namespace {

using testing::kernel_named;

std::string verdict_of(const std::string& step) {
    return verdict(kernel_named(step), analyse(kernel_named(step)));
}
std::string remarks_of(const std::string& step) {
    std::string all;
    for (const auto& remark : remarks(analyse(kernel_named(step)))) all += remark + "\n";
    return all;
}

TEST(Analysis, BeginsWithTheVerdict) {
    EXPECT_EQ(verdict_of("box:size=7"), "Separable: rank 1; 14 products instead of 49.");
    EXPECT_EQ(verdict_of("gaussian:sigma=2"), "Separable: rank 1; 34 products instead of 289.");
    EXPECT_EQ(verdict_of("sharpen"), "Not separable: rank 2; 5 products a pixel.");
    EXPECT_EQ(verdict_of("unsharp:sigma=1"),
              "Not separable: rank 2; 81 products a pixel, 36 as a sum of separable ones.");
    EXPECT_EQ(verdict_of("sobel:direction=x"),
              "Separable: rank 1, but two passes save nothing: 6 products directly, as in two passes.");
    EXPECT_EQ(verdict_of("identity"),
              "Separable: rank 1, but two passes save nothing: 1 product directly, 2 in two passes.");
    EXPECT_EQ(verdict_of("motion:length=9"),
              "Separable: rank 1, but two passes save nothing: 9 products directly, 10 in two passes.");
    EXPECT_EQ(verdict_of("custom:size=2x2:weights=0,0,0,0"),
              "All weights are zero: every pixel becomes the offset.");
    EXPECT_TRUE(prints(verdict_of("disk:radius=200"), "rank above 64"));
}

TEST(Analysis, FindsTheRank) {
    EXPECT_EQ(analyse(kernel_named("gaussian:sigma=3")).rank, 1);
    EXPECT_EQ(analyse(kernel_named("laplacian:neighbours=8")).rank, 2);
    EXPECT_EQ(analyse(kernel_named("dog")).rank, 2);
    // x^2 g x g, g x y^2 g, and the subtracted mean.
    EXPECT_EQ(analyse(kernel_named("log:sigma=2")).rank, 3);
    EXPECT_EQ(analyse(make_kernel(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 10})).rank, 3);
    EXPECT_EQ(analyse(make_kernel(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9})).rank, 2);
    EXPECT_EQ(analyse(make_kernel(2, 2, {0, 0, 0, 0})).rank, 0);
}

TEST(Analysis, FindsSymmetryZerosGainAndFlatRows) {
    const auto sharpen = analyse(kernel_named("sharpen"));
    EXPECT_EQ(sharpen.zeros, 4);
    EXPECT_EQ(sharpen.gain, 1);
    EXPECT_TRUE(sharpen.integer && sharpen.exact && sharpen.symmetric_x && sharpen.symmetric_y &&
                sharpen.symmetric_turn);
    EXPECT_FALSE(sharpen.flat_rows);
    const auto sobel = analyse(kernel_named("sobel:direction=x"));
    EXPECT_FALSE(sobel.symmetric_x);
    EXPECT_TRUE(sobel.symmetric_y);
    EXPECT_FALSE(sobel.symmetric_turn);
    EXPECT_EQ(sobel.gain, 0);
    EXPECT_TRUE(analyse(kernel_named("motion:length=9:angle=30")).symmetric_turn);
    EXPECT_FALSE(analyse(kernel_named("motion:length=9:angle=30")).symmetric_x);
    EXPECT_TRUE(analyse(make_kernel(4, 2, {0, 2, 2, 0, 3, 3, 3, 3})).flat_rows);
    EXPECT_FALSE(analyse(make_kernel(4, 1, {1, 0, 0, 1})).flat_rows);
    EXPECT_TRUE(analyse(kernel_named("binomial:size=9")).exact);
    EXPECT_FALSE(analyse(kernel_named("binomial:size=9")).exact_16); // sums of 16-bit samples exceed 2^24
    EXPECT_TRUE(analyse(kernel_named("binomial:size=5")).exact_16);
    const auto large = analyse(kernel_named("binomial:size=11")); // 4^10 * 255 > 2^24
    EXPECT_TRUE(large.integer);
    EXPECT_FALSE(large.exact);
}

TEST(Analysis, FindsWholeFactorsByItself) {
    const auto factors = [](const char* step) { return integer_factors(kernel_named(step)); };
    EXPECT_EQ(factors("sobel:direction=x"), (IntegerFactors{{1, 2, 1}, {-1, 0, 1}}));
    EXPECT_EQ(factors("sobel:direction=y"), (IntegerFactors{{-1, 0, 1}, {1, 2, 1}}));
    EXPECT_EQ(factors("custom:size=3x2:weights=0,0,0,-6,-12,-6"), (IntegerFactors{{0, -6}, {1, 2, 1}}));
    EXPECT_EQ(factors("custom:size=3x2:weights=2,4,6,3,6,9"), (IntegerFactors{{2, 3}, {1, 2, 3}}));
    EXPECT_FALSE(factors("sharpen"));
    EXPECT_FALSE(factors("custom:size=2x1:weights=0.5,1"));
    EXPECT_FALSE(factors("custom:size=2x1:weights=0,0"));
    EXPECT_FALSE(factors("custom:size=1x1:weights=3e9"));
}

TEST(Analysis, WholeFactorsAreFoundWhereverThereAreSome) {
    std::mt19937 random(9);
    const auto number = [&] { return static_cast<int>(random() % 19) - 9; };
    for (int n = 0; n < 2000; ++n) {
        std::vector<int> column(1 + random() % 6), row(1 + random() % 6);
        std::ranges::generate(column, number);
        std::ranges::generate(row, number);
        std::vector<float> weights;
        for (const int c : column)
            for (const int r : row) weights.push_back(static_cast<float>(c * r));
        const auto k = make_kernel(static_cast<int>(row.size()), static_cast<int>(column.size()), weights);
        const auto found = integer_factors(k);
        const bool zero = std::ranges::all_of(weights, [](float w) { return w == 0; });
        ASSERT_EQ(found.has_value(), !zero);
        for (std::size_t i = 0; found && i < weights.size(); ++i)
            ASSERT_EQ(weights[i],
                      static_cast<float>(found->column[i / row.size()] * found->row[i % row.size()]));
        if (zero || row.size() < 2 || column.size() < 2) continue;
        auto spoilt = k; // one weight differs from the product: at rank 2 no factors may be reported
        spoilt.weights[random() % weights.size()] += 1;
        EXPECT_EQ(integer_factors(spoilt).has_value(), analyse(spoilt).rank == 1);
    }
}

TEST(Analysis, ATypedKernelGetsItsFactors) {
    const auto typed = stage_of(parse_step("custom:size=3x3:weights=1,2,1,2,4,2,1,2,1:divisor=16:flip=true"));
    ASSERT_EQ(typed.factors.size(), 1u);
    EXPECT_EQ(typed.factors[0], (IntegerFactors{{1, 2, 1}, {1, 2, 1}}));
    EXPECT_NO_THROW(validate(typed));
    EXPECT_TRUE(stage_of(parse_step("custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0")).factors.empty());
}

TEST(Analysis, RecognisesAGaussian) {
    for (const double sigma : {0.7, 1.5, 4.0, 11.25}) {
        auto k = kernel_named("gaussian:sigma=" + to_text(sigma));
        k.divisor = 3; // any scale
        const auto fit = analyse(k).gaussian;
        ASSERT_TRUE(fit) << sigma;
        EXPECT_NEAR(fit->sigma, sigma, 1e-4 * sigma);
        EXPECT_LT(fit->error, 1e-6);
    }
    // Truncated at 1.5 sigma.
    EXPECT_NEAR(analyse(kernel_named("gaussian:sigma=2:size=7")).gaussian.value().sigma, 2, 1e-3);
    EXPECT_NEAR(analyse(make_kernel(5, 1, {1, 4, 6, 4, 1}, 16)).gaussian.value().sigma, 1, 0.1);
    const auto binomial = analyse(kernel_named("binomial:size=9")).gaussian;
    ASSERT_TRUE(binomial);
    EXPECT_NEAR(binomial->sigma, std::sqrt(2.0), 0.05); // root(8) / 2
    EXPECT_GT(binomial->error, 1e-4);
    for (const auto* other :
         {"box:size=9", "sharpen", "sobel:direction=x", "disk:radius=5", "identity", "motion:length=9"})
        EXPECT_FALSE(analyse(kernel_named(other)).gaussian) << other;
}

TEST(Analysis, IsWrittenAsMessages) {
    EXPECT_TRUE(prints(remarks_of("binomial"), "A Gaussian of sigma "));
    EXPECT_TRUE(prints(remarks_of("gaussian:sigma=2"), "A Gaussian of sigma 2."));
    EXPECT_TRUE(prints(remarks_of("sobel:direction=y"), "the column -1 0 1 times the row 1 2 1"));
    EXPECT_TRUE(prints(remarks_of("sobel:direction=y"), "The weights cancel"));
    EXPECT_TRUE(prints(remarks_of("box"), "A constant image stays as it is."));
    EXPECT_TRUE(prints(remarks_of("disk:radius=3"), "Every row is flat"));
    EXPECT_FALSE(prints(remarks_of("disk:radius=3"), "can serve"))
        << "whether an algorithm applies is not part of the analysis";
    EXPECT_TRUE(prints(remarks_of("sharpen"), "4 of 9 weights are zero."));
}

TEST(Analysis, GeneratorsAndTheirWeightsGiveTheSameAnalysis) {
    for (const auto* step : {"box:size=9", "box:size=31", "box:width=201:height=12",
                             "gaussian:sigma=1:size=9", "gaussian:sigma=3", "gaussian:sigma=3:size=9",
                             "gaussian:sigma=2.5:size=101", "gaussian:sigma=1:size=129"}) {
        SCOPED_TRACE(step);
        auto stage = stage_of(parse_step(step));
        for (const float divisor : {stage.kernels.front().divisor, 3.5f}) {
            stage.kernels.front().divisor = divisor;
            const auto described = analyse(stage), found = analyse(stage.kernels.front());
            EXPECT_EQ(described.rank, found.rank);
            EXPECT_EQ(described.symmetric_x, found.symmetric_x);
            EXPECT_EQ(described.symmetric_y, found.symmetric_y);
            EXPECT_EQ(described.symmetric_turn, found.symmetric_turn);
            EXPECT_EQ(described.gain, found.gain);
            EXPECT_EQ(described.taps, found.taps);
            EXPECT_EQ(described.zeros, found.zeros);
            EXPECT_EQ(described.integer, found.integer);
            EXPECT_EQ(described.exact, found.exact);
            EXPECT_EQ(described.exact_16, found.exact_16);
            EXPECT_EQ(described.flat_rows, found.flat_rows);
            EXPECT_EQ(described.factors, found.factors);
            ASSERT_EQ(described.gaussian.has_value(), found.gaussian.has_value());
            if (!described.gaussian) continue;
            EXPECT_NEAR(described.gaussian->sigma, found.gaussian->sigma, 1e-4 * described.gaussian->sigma);
            EXPECT_LT(found.gaussian->error, 1e-6);
        }
    }
}

TEST(Analysis, KernelsWithoutWeightsAreDescribedByTheirGenerator) {
    const auto large = stage_of(parse_step("gaussian:sigma=500"));
    EXPECT_EQ(testing::code_of([&] { analyse(large.kernels.front()); }), "unlisted-weights");
    const auto a = analyse(large);
    EXPECT_EQ(verdict(large.kernels.front(), a), "Separable: rank 1; 8002 products instead of 16008001.");
    EXPECT_EQ(a.gaussian.value().sigma, 500);
}

} // namespace
} // namespace kg
