// Fitting the constants by which auto chooses to measured reports.

#include "app/bench/tune.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace kg::testing {
namespace {

measure::ReportRow timed(const std::string& algorithm, double formula_us, double median_us) {
    measure::ReportRow row;
    row.name = "image/" + algorithm + "/u8x4/1000x1000/k3x3/reflect101/dense/cuda";
    row.engine = "cuda", row.algorithm = algorithm, row.depth = "u8", row.channels = 4;
    row.width = row.height = 1000, row.kernel_width = 5, row.kernel_height = 3;
    row.formula_us = formula_us;
    row.times.emplace();
    row.times->run.median = median_us;
    return row;
}

measure::BenchReport report_of(std::vector<measure::ReportRow> rows) {
    measure::BenchReport report;
    report.rows = std::move(rows);
    return report;
}

TEST(Tune, FitsTheMeasuredOverTheEstimatedTime) {
    const auto costs = fitted_costs(
        std::vector{report_of({timed("tiled", 10, 15)}), report_of({timed("tiled", 10, 60)})}, "cuda");
    ASSERT_EQ(costs.samples().size(), 1u) << "reports of one request are averaged";
    const auto& sample = costs.samples().front();
    EXPECT_EQ(sample.algorithm, "tiled");
    EXPECT_EQ(sample.depth, Depth::u8);
    EXPECT_EQ(sample.channels, 4);
    EXPECT_NEAR(sample.megapixels, 1, 1e-12);
    EXPECT_EQ(sample.kernel_size, 5) << "the longer extent";
    EXPECT_NEAR(sample.factor, 3, 1e-12);
}

TEST(Tune, FitsAlphaWeightedRequestsByThemselves) {
    auto weighted = timed("tiled", 10, 60);
    weighted.alpha_weighted = true;
    const auto costs = fitted_costs(std::vector{report_of({timed("tiled", 10, 15), weighted})}, "cuda");
    ASSERT_EQ(costs.samples().size(), 2u);
    EXPECT_FALSE(costs.samples()[0].alpha);
    EXPECT_TRUE(costs.samples()[1].alpha);
    EXPECT_NEAR(costs.samples()[1].factor, 6, 1e-12);
}

TEST(Tune, LeavesOutWhatSaysNothingOfTheAlgorithmAlone) {
    auto peer = timed("npp:FilterBorder", 10, 15), cpu = timed("tiled", 10, 15),
         warm = timed("tiled", 10, 15), untimed = timed("tiled", 10, 15), unknown = timed("tiled", 0, 15),
         converted = timed("tiled", 10, 15), signal = timed("naive", 10, 15), bank = timed("naive", 10, 15);
    peer.peer = "npp", cpu.engine = "cpu", warm.cold = false, converted.algorithm = "convert > tiled";
    untimed.times.reset();
    signal.name = "signal/naive/i32/1024x1/m1024/full/zero/cuda", signal.depth = "i32";
    bank.name = "bank/naive/nchw/n1/c3/768x512/to3/k3x3/zero/cuda", bank.depth = "f32";
    const auto all = report_of({peer, cpu, warm, untimed, unknown, converted, signal, bank});
    EXPECT_EQ(code_of([&] { fitted_costs(std::span(&all, 1), "cuda"); }), "nothing-to-fit");
}

TEST(Tune, MeasuresEveryKindOfRequest) {
    const auto cases = tuning_cases();
    EXPECT_EQ(cases.size(), (7 + 5 + 2 + 3 + 2) * 2 * (4 + 2 + 2));
    for (const auto& one : cases) EXPECT_FALSE(one.request.stages.empty());
    EXPECT_TRUE(std::ranges::is_sorted(cases, std::greater(), [](const auto& one) {
        return one.request.size.width; // the time may be over before the last
    }));
}

} // namespace
} // namespace kg::testing
