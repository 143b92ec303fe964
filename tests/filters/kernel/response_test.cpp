// Singular values and responses: against values computed by hand, and against what holds for every kernel.

#include "filters/analysis.hpp"
#include "filters/kernel/response_text.hpp"
#include "filters/kernel/singular_values.hpp"
#include "filters/recipe.hpp"
#include "tests/filters/support/random_recipe.hpp"
#include "tests/support/stages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace kg {
namespace {

using testing::named;

Response response_of(const std::string& step) { return response(named(step)); }

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-7) << i;
}

/// Kernels of every kind, small enough to sum directly.
std::vector<Stage> random_stages() {
    std::mt19937 random(5);
    std::vector<Stage> all;
    while (all.size() < 100) {
        auto kernel = random_kernel(random);
        if (kernel.weights.size() > 2000) continue;
        Stage stage;
        stage.kernels = {std::move(kernel)};
        all.push_back(std::move(stage));
    }
    return all;
}

TEST(SingularValues, OfKernelsByHand) {
    const auto box = singular_values(named("box:size=3"));
    expect_near(box->values, {1 / 3.0, 0, 0}); // the root of nine squares of 1/9
    expect_near(box->column, {1 / 3.0, 1 / 3.0, 1 / 3.0});
    EXPECT_NEAR(box->share(), 1, 1e-12);
    const auto sobel = singular_values(named("sobel:direction=x"));
    expect_near(sobel->values, {std::sqrt(12.0), 0, 0}); // root of 6 times root of 2
    EXPECT_NEAR(sobel->column[1] / sobel->column[0], 2, 1e-9);
    EXPECT_NEAR(sobel->row[0] / sobel->row[2], -1, 1e-9);
    EXPECT_GT(sobel->row[2], 0) << "from minus to plus";
    expect_near(singular_values(named("identity"))->values, {1});
    expect_near(singular_values(named("custom:size=2x3:weights=3,0,0,-4,0,0:divisor=2"))->values, {2, 1.5});
    const auto zero = singular_values(named("custom:size=2x2:weights=0,0,0,0"));
    expect_near(zero->values, {0, 0});
    EXPECT_EQ(zero->share(), 0);
    EXPECT_TRUE(zero->column.empty() && zero->row.empty()) << "a column and a row of a kernel that has none";
}

TEST(SingularValues, TheirSquaresSumToThoseOfTheWeights) {
    for (const auto& any : random_stages()) {
        const auto s = singular_values(any);
        if (!s || s->column.empty()) continue;
        const auto& kernel = any.kernels.front();
        const auto divisor = static_cast<double>(kernel.divisor);
        double squares = 0, remainder = 0;
        for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
            const double weight = static_cast<double>(kernel.weights[i]) / divisor;
            const auto width = static_cast<std::size_t>(kernel.width);
            squares += weight * weight;
            remainder += std::pow(weight - s->column[i / width] * s->row[i % width], 2);
        }
        const double whole = std::inner_product(s->values.begin(), s->values.end(), s->values.begin(), 0.0);
        EXPECT_NEAR(whole, squares, 1e-9 * squares);
        EXPECT_NEAR(remainder, squares * (1 - s->share()), 1e-9 * squares) << "the factors are the closest";
    }
}

TEST(SingularValues, OfLargeKernelsOnlyWhereTheyAreSeparable) {
    EXPECT_FALSE(singular_values(named("disk:radius=20")));
    const auto gaussian = singular_values(named("gaussian:sigma=20"));
    ASSERT_TRUE(gaussian);
    EXPECT_EQ(gaussian->values.size(), 1u);
    EXPECT_EQ(gaussian->share(), 1);
    const auto box = singular_values(generated_stage(BoxGenerator{2001, 1500}));
    ASSERT_TRUE(box);
    EXPECT_NEAR(box->values[0], 1 / std::sqrt(2001.0 * 1500), 1e-9);
}

TEST(Response, OfKernelsByHand) {
    const auto box = response_of("box:size=3");
    for (int x = 0; x < Response::kSize; ++x) {
        const double f = (x - 32) / 64.0;
        EXPECT_NEAR(box.at(x, 32), std::fabs(1 + 2 * std::cos(2 * std::numbers::pi * f)) / 3, 1e-12);
    }
    EXPECT_NEAR(box.nyquist_x, 1 / 3.0, 1e-12);
    EXPECT_NEAR(box.noise_gain, 1 / 3.0, 1e-12);
    expect_near(box.impulse.values, {1 / 9.0, 1 / 9.0, 1 / 9.0});
    EXPECT_EQ(box.impulse.first, -1);
    expect_near(box.step.values, {0, 1 / 3.0, 2 / 3.0, 1, 1});
    EXPECT_EQ(box.step.first, -2);

    const auto gaussian = response_of("gaussian:sigma=2"); // its transform is a Gaussian
    for (const int x : {32, 36, 40, 44})
        EXPECT_NEAR(gaussian.at(x, 32), std::exp(-2 * std::pow(std::numbers::pi * 2 * (x - 32) / 64.0, 2)),
                    2e-4);

    const auto sobel = response_of("sobel:direction=x");
    EXPECT_NEAR(sobel.gain, 0, 1e-12);
    EXPECT_NEAR(sobel.at(48, 32), 8, 1e-12) << "4 * 2 sin at a quarter cycle per pixel";
    EXPECT_NEAR(sobel.nyquist_x, 0, 1e-12);
    EXPECT_NEAR(sobel.noise_gain, std::sqrt(12.0), 1e-12);
    expect_near(sobel.step.values, {0, 4, 4, 0, 0});
    expect_near(sobel.impulse.values, {2, 0, -2});

    const auto down = response_of("sobel:direction=y"); // a vertical edge would show nothing
    EXPECT_TRUE(down.is_down && !sobel.is_down);
    expect_near(down.step.values, {0, 4, 4, 0, 0});
    expect_near(down.impulse.values, {2, 0, -2});

    const auto identity = response_of("identity");
    for (const double m : identity.magnitude) EXPECT_NEAR(m, 1, 1e-12);
    EXPECT_NEAR(identity.radial[32], 1, 1e-12);
}

/// Else a kernel such as a difference of the rows above and below would have an empty plot.
TEST(Response, ShowsTheStrongestLineWhereThatOfTheBrightPixelIsEmpty) {
    const auto below = response_of("custom:size=3x3:weights=1,0,1,0,0,0,1,3,1");
    EXPECT_EQ(below.impulse_below, -1) << "row y reads row y + 1: a bright pixel shows in the row above it";
    expect_near(below.impulse.values, {1, 3, 1});
    EXPECT_EQ(impulse_text(below), "What one bright pixel becomes, along the row that is 1 pixel above it.");
    const auto beside = response_of("custom:size=5x1:anchor=4,0:weights=1,0,0,0,0");
    EXPECT_EQ(beside.impulse_below, 0) << "its own row";
    const auto down = response_of("custom:size=3x3:weights=1,0,1,0,0,0,-1,0,-1");
    EXPECT_TRUE(down.is_down);
    EXPECT_EQ(down.impulse_below, 1) << "column x reads column x - 1, the first of the strongest";
    expect_near(down.impulse.values, {-1, 0, 1});
    EXPECT_EQ(impulse_text(down),
              "What one bright pixel becomes, along the column that is 1 pixel to the right of it.");
    EXPECT_EQ(impulse_text(response_of("sobel:direction=y")),
              "What one bright pixel becomes, along its column.");
}

/// "Up to" is the largest of all directions, not the largest mean of them.
TEST(Response, NamesTheLargestGainOfDetails) {
    const auto sharpen = detail_effect(response_of("sharpen"));
    EXPECT_NEAR(sharpen.factor, 9, 1e-9) << "a chessboard: 5 + 4";
    EXPECT_NE(detail_text(response_of("sharpen")).find("up to 9.0 times"), std::string::npos);
    EXPECT_NEAR(detail_effect(response_of("laplacian")).factor, 8, 1e-9);
    EXPECT_NEAR(detail_effect(response_of("sobel:direction=x")).factor, 8, 1e-9);
    for (const auto& any : random_stages()) {
        const auto r = response(any);
        const auto effect = detail_effect(r);
        using Kind = DetailEffect::Kind;
        const bool selects = effect.kind == Kind::selects;
        if (selects || effect.kind == Kind::strengthens) {
            EXPECT_EQ(effect.factor, r.largest() / (selects ? 1 : std::fabs(r.gain)));
        }
    }
    EXPECT_NE(detail_effect(response_of("motion:length=61")).kind, DetailEffect::Kind::removes)
        << "details across the motion stay";
}

TEST(Response, FollowsAnchorAndFlip) {
    const auto shifted = response_of("custom:size=3x1:weights=1,0,0:anchor=0,0");
    EXPECT_EQ(shifted.impulse.first, -2);
    expect_near(shifted.impulse.values, {0, 0, 1});
    const auto flipped = response_of("custom:size=3x1:weights=1,2,4:flip=true");
    expect_near(flipped.impulse.values, {1, 2, 4}); // the point spread function of a convolution
    expect_near(response_of("custom:size=3x1:weights=1,2,4").impulse.values, {4, 2, 1});
}

/// Parseval, the gain at frequency 0, and the ends of a step: for any kernel.
TEST(Response, KeepsEnergyAndGain) {
    for (const auto& any : random_stages()) {
        const auto r = response(any);
        const double scale = std::max(r.largest(), 1e-300);
        EXPECT_NEAR(r.at(32, 32), std::fabs(r.gain), 1e-6 * scale);
        EXPECT_NEAR(r.radial[0], std::fabs(r.gain), 1e-6 * scale);
        EXPECT_NEAR(r.step.values.back(), r.gain, 1e-6 * scale);
        EXPECT_EQ(r.step.values.front(), 0);
        const auto& kernel = any.kernels.front();
        if (std::max(kernel.width, kernel.height) > Response::kSize) continue; // folded
        double energy = 0;
        for (const double m : r.magnitude) energy += m * m;
        EXPECT_NEAR(energy / (64 * 64), r.noise_gain * r.noise_gain, 1e-9 * energy);
    }
}

TEST(Response, OfAGeneratorIsThatOfItsWeights) {
    const auto listed = response(named("gaussian:sigma=30"));
    auto generated = named("gaussian:sigma=30");
    generated.kernels.front().weights.clear();
    const auto same = response(generated);
    for (std::size_t i = 0; i < listed.magnitude.size(); ++i)
        EXPECT_NEAR(listed.magnitude[i], same.magnitude[i], 1e-6);
    EXPECT_NEAR(listed.noise_gain, same.noise_gain, 1e-9);
    EXPECT_EQ(listed.step.first, same.step.first);
    const auto large = response(generated_stage(BoxGenerator{65535, 3}));
    EXPECT_NEAR(large.at(32, 32), 1, 1e-9);
    EXPECT_LT(large.step.values.size(), 1100u);
    EXPECT_NEAR(large.step.values.back(), 1, 1e-9);
}

TEST(Response, TellsWhatBecomesOfDetailsAndEdges) {
    using Kind = DetailEffect::Kind;
    const auto details = [](const std::string& step) { return detail_effect(response_of(step)); };
    EXPECT_EQ(details("identity").kind, Kind::keeps);
    EXPECT_EQ(details("gaussian:sigma=2").kind, Kind::removes);
    EXPECT_NEAR(details("gaussian:sigma=2").pixels, 5.8, 0.3)
        << "a tenth of a Gaussian at 0.17 cycles per pixel";
    EXPECT_EQ(details("gaussian:sigma=0.5").kind, Kind::weakens);
    EXPECT_EQ(details("sharpen").kind, Kind::strengthens);
    EXPECT_EQ(details("laplacian").kind, Kind::selects);
    EXPECT_EQ(details("custom:size=2x2:weights=0,0,0,0").kind, Kind::nothing);
    const auto edge = [](const std::string& step) { return edge_effect(response_of(step)); };
    EXPECT_EQ(edge("identity").pixels, 0);
    EXPECT_EQ(edge("box:size=5").pixels, 4); // 0.2, 0.4, 0.6, 0.8
    EXPECT_TRUE(edge("sobel:direction=x").is_line);
    EXPECT_EQ(edge("sobel:direction=x").pixels, 2);
    EXPECT_NEAR(edge("sharpen").overshoot, 1, 1e-6) << "2 beside an edge from 0 to 1";
    for (const char* step : {"identity", "gaussian:sigma=2", "sharpen", "sobel:direction=y", "laplacian"})
        for (const auto& text : {detail_text(response_of(step)), radial_text(response_of(step)),
                                 edge_text(response_of(step)), noise_text(response_of(step))})
            EXPECT_TRUE(!text.empty() && text.back() == '.') << text;
}

TEST(Response, CountsWorkAndBytes) {
    const PixelFormat u8{Depth::u8, 3}, f32{Depth::f32, 3};
    const auto work = sample_work(named("gaussian:sigma=2"), 0, 1, u8, f32);
    EXPECT_EQ(work.direct, 289);
    EXPECT_EQ(work.separated, 34);
    EXPECT_EQ(work.bytes, 5);
    EXPECT_EQ(sample_work(generated_stage(BoxGenerator{2001, 3}), 0, 1, u8, u8).direct, 6003);
}

} // namespace
} // namespace kg
