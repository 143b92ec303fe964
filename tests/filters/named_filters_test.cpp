// Every named filter: its published weights, exact factors of integer kernels, declared parameters, and the
// rules of generators (semantics 7, 9, 11).

#include "filters/analysis.hpp"
#include "filters/recipe.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/stages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace kg {
namespace {

using testing::code_of;
using testing::kernel_named;
using testing::named;

using Weights = std::vector<float>;

double sum(const Kernel& k) { return std::accumulate(k.weights.begin(), k.weights.end(), 0.0); }

/// Its weights are no parameters: a step has them.
bool has_own_kernels(const Filter& filter) { return filter.id == "custom" || filter.id == "custom_gradient"; }

/// A step of the filter with the given parameter values.
Step step_with(const Filter& filter, const Values& values) {
    return {std::string(filter.id), values, {}, true};
}

TEST(NamedFilters, EveryOneBuildsFromItsPresetsAndItsLimits) {
    for (const auto* filter : filters()) {
        if (has_own_kernels(*filter)) {
            EXPECT_EQ(code_of([&] { stage_of(step_with(*filter, {})); }), "missing-kernel") << filter->id;
            continue;
        }
        EXPECT_NO_THROW(validate(stage_of(step_with(*filter, {})))) << filter->id;
        for (const auto& p : filter->parameters) {
            std::vector<std::string> ends;
            for (const auto choice : p.choices) ends.emplace_back(choice);
            if (p.kind != Parameter::Kind::choice) ends = {to_text(p.minimum), to_text(p.maximum)};
            for (const auto& value : ends)
                EXPECT_NO_THROW(validate(stage_of(step_with(*filter, {{std::string(p.id), value}}))))
                    << filter->id << ":" << p.id << "=" << value;
        }
    }
}

TEST(NamedFilters, EveryParameterIsDeclaredWhole) {
    for (const auto* filter : filters()) {
        EXPECT_FALSE(filter->title.empty() || filter->summary.empty()) << filter->id;
        if (filter->id == "custom") continue;
        const auto values = complete(*filter, {});
        for (const auto& p : filter->parameters) {
            const auto what = std::string(filter->id) + ":" + std::string(p.id);
            EXPECT_FALSE(p.label.empty() || p.help.empty()) << what;
            if (p.usual_maximum != 0) {
                EXPECT_TRUE(p.minimum < p.usual_maximum && p.usual_maximum < p.maximum) << what;
            }
            ASSERT_TRUE(values.contains(p.id)) << what << " has neither a default nor a derived value";
            EXPECT_NO_THROW(complete(*filter, {{std::string(p.id), values.find(p.id)->second}})) << what;
        }
    }
}

TEST(NamedFilters, HaveTheirPublishedWeights) {
    EXPECT_EQ(kernel_named("identity").weights, (Weights{1}));
    EXPECT_EQ(kernel_named("box").weights, Weights(9, 1));
    EXPECT_EQ(kernel_named("box").divisor, 9);
    EXPECT_EQ(kernel_named("binomial").weights,
              (Weights{1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1}));
    EXPECT_EQ(kernel_named("binomial").divisor, 256);
    EXPECT_EQ(kernel_named("binomial:size=3").weights, (Weights{1, 2, 1, 2, 4, 2, 1, 2, 1}));
    EXPECT_EQ(kernel_named("binomial:size=3").divisor, 16);
    EXPECT_EQ(kernel_named("binomial:size=2").weights, Weights(4, 1));
    EXPECT_EQ(kernel_named("sharpen").weights, (Weights{0, -1, 0, -1, 5, -1, 0, -1, 0}));
    EXPECT_EQ(kernel_named("laplacian").weights, (Weights{0, 1, 0, 1, -4, 1, 0, 1, 0}));
    EXPECT_EQ(kernel_named("laplacian:neighbours=8").weights, (Weights{1, 1, 1, 1, -8, 1, 1, 1, 1}));
    EXPECT_EQ(kernel_named("sobel:direction=x").weights, (Weights{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
    EXPECT_EQ(kernel_named("sobel:direction=y").weights, (Weights{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
    EXPECT_EQ(kernel_named("scharr:direction=x").weights, (Weights{-3, 0, 3, -10, 0, 10, -3, 0, 3}));
    EXPECT_EQ(kernel_named("prewitt:direction=y").weights, (Weights{-1, -1, -1, 0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(kernel_named("sobel:direction=x:divisor=8").divisor, 8);
    EXPECT_EQ(kernel_named("emboss").weights, (Weights{-2, -1, 0, -1, 1, 1, 0, 1, 2}));
    EXPECT_EQ(kernel_named("emboss:light=n:over=nothing").weights, (Weights{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
    EXPECT_EQ(kernel_named("emboss:light=se:over=nothing").weights, (Weights{2, 1, 0, 1, 0, -1, 0, -1, -2}));
    EXPECT_EQ(kernel_named("motion:length=5").weights, Weights(5, 1));
    EXPECT_EQ(kernel_named("motion:length=4:angle=90").weights, (Weights{1, 2, 2, 2, 1}));
    EXPECT_EQ(kernel_named("motion:length=4:angle=90").height, 5);
}

TEST(NamedFilters, DisksHoldThePixelsWithinTheirRadius) {
    const std::pair<const char*, float> sizes[] = {{"1", 5},   {"2", 13},   {"3", 29},  {"4", 49},
                                                   {"8", 197}, {"16", 797}, {"1.5", 9}, {"0", 1}};
    for (const auto& [radius, taps] : sizes) {
        const auto disk = kernel_named("disk:radius=" + std::string(radius));
        EXPECT_EQ(sum(disk), taps) << radius;
        EXPECT_EQ(disk.divisor, taps);
        EXPECT_TRUE(analyse(disk).flat_rows);
    }
}

TEST(NamedFilters, GaussiansReachFourSigmaAndSumToOne) {
    for (const double sigma : {0.8, 1.0, 2.0, 3.3}) {
        const auto k = kernel_named("gaussian:sigma=" + to_text(sigma));
        EXPECT_EQ(k.width, 2 * std::ceil(4 * sigma) + 1);
        EXPECT_NE(k.width, 2 * std::ceil(3 * sigma) + 1); // the wrong rule: three sigma
        EXPECT_NEAR(dc_gain(k), 1, 1e-6);
    }
    const auto small = kernel_named("gaussian:sigma=1:size=3").weights; // corner, edge, centre
    EXPECT_NEAR(small[0], 0.0751f, 5e-5f);
    EXPECT_NEAR(small[1], 0.1238f, 5e-5f);
    EXPECT_NEAR(small[4], 0.2042f, 5e-5f);
    const auto tiny = kernel_named("gaussian:sigma=0.5:size=3").weights;
    EXPECT_NEAR(tiny[0], 0.0113f, 5e-5f);
    EXPECT_NEAR(tiny[1], 0.0838f, 5e-5f);
    EXPECT_NEAR(tiny[4], 0.6193f, 5e-5f);
}

TEST(NamedFilters, AGaussianOfASizeAloneFollowsTheRule) {
    const double sigma = 0.3 * ((7 - 1) / 2.0 - 1) + 0.8;
    EXPECT_EQ(kernel_named("gaussian:size=7"), kernel_named("gaussian:size=7:sigma=" + to_text(sigma)));
    EXPECT_EQ(kernel_named("gaussian").width, 9); // sigma 1
}

TEST(NamedFilters, AnEvenSizeIsCentredBetweenTwoPixels) {
    const auto k = kernel_named("gaussian:sigma=1:size=4");
    EXPECT_EQ(k.anchor_x, 2);
    const auto a = analyse(k);
    EXPECT_TRUE(a.symmetric_x && a.symmetric_y);
}

TEST(NamedFilters, LargeOnesAreTheirGenerators) {
    for (const char* step :
         {"box:size=2001", "box:width=5000:height=1", "gaussian:sigma=300", "gaussian:sigma=8191"}) {
        const auto s = named(step);
        EXPECT_FALSE(has_weights(s)) << step;
        EXPECT_NEAR(dc_gain(s), 1, 1e-6) << step;
        EXPECT_EQ(analyse(s).rank, 1) << step;
    }
    EXPECT_EQ(named("gaussian:sigma=300"), generated_stage(GaussianGenerator{300, 2401, 2401}));
    EXPECT_TRUE(has_weights(named("gaussian:sigma=128")));
    EXPECT_TRUE(has_weights(named("box:size=1025")));
}

TEST(NamedFilters, GeneratorsDescribeTheirWeights) {
    EXPECT_EQ(std::get<BoxGenerator>(named("box:width=5:height=4").generator), (BoxGenerator{5, 4}));
    EXPECT_EQ(std::get<BoxGenerator>(named("motion:length=9").generator), (BoxGenerator{9, 1}));
    EXPECT_EQ(std::get<BoxGenerator>(named("motion:length=9:angle=-90").generator), (BoxGenerator{1, 9}));
    EXPECT_EQ(named("motion:length=8").generator, Generator{}); // its ends have half weights
    EXPECT_EQ(std::get<GaussianGenerator>(named("gaussian:sigma=2").generator),
              (GaussianGenerator{2, 17, 17}));
}

TEST(NamedFilters, WholeOnesHaveExactFactors) {
    for (const char* step :
         {"identity", "box:size=7", "box:width=4:height=9", "binomial:size=2", "binomial:size=13", "sobel",
          "sobel:size=5", "sobel:size=7:norm=l1:divisor=8", "scharr", "prewitt", "prewitt:direction=x",
          "motion:length=8", "motion:length=9:angle=90"}) {
        const auto s = named(step);
        ASSERT_EQ(s.factors.size(), s.kernels.size()) << step;
        for (std::size_t i = 0; i < s.kernels.size(); ++i) {
            const auto& k = s.kernels[i];
            EXPECT_EQ(k.divisor, std::rint(k.divisor)) << step;
            for (std::size_t at = 0; at < k.weights.size(); ++at)
                ASSERT_EQ(static_cast<double>(k.weights[at]),
                          static_cast<double>(s.factors[i].column[at / static_cast<std::size_t>(k.width)]) *
                              s.factors[i].row[at % static_cast<std::size_t>(k.width)])
                    << step;
        }
    }
    EXPECT_TRUE(named("binomial:size=17").factors.empty()); // 12870 squared is not a float
}

TEST(NamedFilters, SobelByItsSingularVectorsGivesOtherBytes) { // semantics 11: the reason for integer factors
    const auto s = named("sobel:direction=x:divisor=8");
    const float scale = std::sqrt(std::sqrt(12.0f) / 8);
    const float u[] = {scale / std::sqrt(6.0f), 2 * scale / std::sqrt(6.0f), scale / std::sqrt(6.0f)};
    const float v[] = {-scale / std::sqrt(2.0f), 0, scale / std::sqrt(2.0f)};
    std::mt19937 random(1);
    int by_factors = 0, by_vectors = 0;
    for (int n = 0; n < 10000; ++n) {
        int exact = 0;
        float whole = 0, rounded = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            float whole_row = 0, rounded_row = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                const auto value = static_cast<int>(random() % 256);
                exact += static_cast<int>(s.kernels[0].weights[3 * i + j]) * value;
                whole_row += static_cast<float>(s.factors[0].row[j] * value);
                rounded_row += v[j] * static_cast<float>(value);
            }
            whole += static_cast<float>(s.factors[0].column[i]) * whole_row;
            rounded += u[i] * rounded_row;
        }
        const double wanted = std::nearbyint(exact / 8.0);
        by_factors += std::nearbyint(whole / s.kernels[0].divisor) != static_cast<float>(wanted);
        by_vectors += std::nearbyint(rounded) != static_cast<float>(wanted);
    }
    EXPECT_EQ(by_factors, 0);
    EXPECT_GT(by_vectors, 0);
}

TEST(NamedFilters, SignedOnesCancelAndTakeTheirOffsetOnlyWhenAsked) {
    for (const std::string step :
         {"laplacian", "laplacian:neighbours=8", "log:sigma=0.3", "log", "log:sigma=7.7", "log:amount=50",
          "dog", "dog:amount=50", "dog:sigma1=3:sigma2=0.5", "sobel:direction=x", "scharr:direction=y",
          "prewitt:direction=x", "emboss:over=nothing:strength=0.7"}) {
        const auto k = kernel_named(step);
        double largest = 0;
        for (const float w : k.weights) largest = std::max(largest, std::fabs(static_cast<double>(w)));
        EXPECT_LE(std::fabs(sum(k)), 1e-7 * largest) << step;
        EXPECT_EQ(offset(named(step)), 0) << step;
        EXPECT_EQ(auto_divisor(k), 1) << step;
        EXPECT_EQ(offset(named(step + ":offset=0.5")), 0.5f) << step;
        EXPECT_FALSE(filters_alpha(named(step))) << step;
    }
    EXPECT_EQ(offset(named("sobel:offset=0.25")), 0.25f); // added to the combined result, not to its kernels
}

TEST(NamedFilters, BlursAndSharpenersKeepTheBrightness) {
    for (const char* step : {"identity", "box:size=9", "binomial:size=31", "disk:radius=7.5",
                             "motion:length=30:angle=33", "motion:length=6", "sharpen:amount=2.5",
                             "unsharp:sigma=5:amount=3", "unsharp:amount=0", "emboss:strength=3"}) {
        EXPECT_NEAR(dc_gain(kernel_named(step)), 1, 1e-6) << step;
        EXPECT_TRUE(filters_alpha(named(step))) << step;
    }
}

TEST(NamedFilters, LaplacianOfGaussianIsTheFunctionSampled) {
    // x'' of exp(-r^2 / 2 s^2) / (2 pi s^2) plus y'': -1 / (pi s^4) at the centre, zero at r = s root 2.
    const auto k = kernel_named("log:sigma=4");
    const auto at = [&](int x, int y) {
        return k.weights[static_cast<std::size_t>((y + k.anchor_y) * k.width + x + k.anchor_x)];
    };
    EXPECT_NEAR(at(0, 0), -1 / (std::acos(-1.0) * 256), 1e-6);
    EXPECT_NEAR(at(4, 4), 0, 1e-6);
    EXPECT_GT(at(6, 0), 0);
}

TEST(NamedFilters, DifferenceOfGaussiansIsOne) {
    const auto wide = kernel_named("gaussian:sigma=1.6"), narrow = kernel_named("gaussian:sigma=1:size=15"),
               k = kernel_named("dog");
    ASSERT_EQ(k.width, 15);
    for (std::size_t i = 0; i < k.weights.size(); ++i)
        EXPECT_NEAR(k.weights[i], narrow.weights[i] - wide.weights[i], 1e-7);
}

TEST(NamedFilters, UnsharpRaisesWhatTheBlurTakesAway) {
    const auto blur = kernel_named("gaussian:sigma=1.5"), k = kernel_named("unsharp:sigma=1.5:amount=2");
    ASSERT_EQ(k.width, blur.width);
    for (std::size_t i = 0; i < k.weights.size(); ++i)
        EXPECT_NEAR(k.weights[i], (i == k.weights.size() / 2 ? 3.0f : 0.0f) - 2 * blur.weights[i], 2e-7);
}

TEST(NamedFilters, MotionFollowsItsAngle) {
    const auto rising = kernel_named("motion:length=21:angle=45"),
               falling = kernel_named("motion:length=21:angle=-45");
    EXPECT_EQ(rising.width, rising.height);
    // The second row: it begins and ends beside the corners.
    const auto below = static_cast<std::size_t>(rising.width);
    EXPECT_GT(rising.weights[2 * below - 2], 0); // top right: up is positive
    EXPECT_EQ(rising.weights[below + 1], 0);
    for (std::size_t i = 0; i < rising.weights.size(); ++i) { // mirror images
        const auto width = static_cast<std::size_t>(rising.width);
        EXPECT_NEAR(rising.weights[i], falling.weights[i / width * width + width - 1 - i % width], 1e-7);
    }
    EXPECT_TRUE(analyse(kernel_named("motion:length=37:angle=17.3")).symmetric_turn);
    EXPECT_EQ(kernel_named("motion:length=9:angle=180"), kernel_named("motion:length=9"));
    EXPECT_EQ(kernel_named("motion:length=1:angle=30").weights, (Weights{1}));
}

TEST(NamedFilters, MagnitudeCombinesBothDirections) {
    const auto s = named("scharr");
    ASSERT_EQ(s.kernels.size(), 2u);
    EXPECT_EQ(s.combine, Combine::l2);
    EXPECT_EQ(named("scharr:norm=l1").combine, Combine::l1);
    EXPECT_EQ(s.kernels[0], kernel_named("scharr:direction=x"));
    EXPECT_EQ(s.kernels[1], kernel_named("scharr:direction=y"));
}

TEST(NamedFilters, ACustomGradientIsTheMagnitudeOfItsTwoKernels) {
    for (const auto* step : {"sobel", "sobel:size=5:norm=l1:divisor=8:offset=0.1", "scharr", "prewitt"})
        EXPECT_EQ(stage_of(custom_step(named(step), true)), named(step)) << step;
    const auto s = named("custom_gradient:size_x=3x1:weights_x=-1,0.5,1:size_y=2x2:weights_y=1,0,0,-1");
    ASSERT_EQ(s.kernels.size(), 2u);
    EXPECT_EQ(s.kernels[0], make_kernel(3, 1, {-1, 0.5f, 1}));
    EXPECT_EQ(s.kernels[1], make_kernel(2, 2, {1, 0, 0, -1}));
    EXPECT_EQ(s.combine, Combine::l2);
    EXPECT_TRUE(s.factors.empty()) << "both kernels have integer factors, or none does";
    EXPECT_EQ(named("custom_gradient:size=1x1:weights_x=1:weights_y=2").factors.size(), 2u);
}

} // namespace
} // namespace kg
