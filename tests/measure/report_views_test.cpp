// What follows from a report for charts and windows: the crossover, the roofline, times with transfers.

#include "measure/report/crossover.hpp"
#include "measure/report/roofline.hpp"
#include "measure/report/with_transfers.hpp"
#include "tests/measure/support/sample_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg::measure {
namespace {

TEST(Crossover, NamesTheFastestByKernelSize) {
    const auto report = sweep();
    const auto all = standings(report);
    const auto family = families(all).front();
    EXPECT_EQ(crossover_text(family), "naive at 3, separable from 5 to 21, opencv:filter2D at 31");
    const auto data = crossover(family);
    EXPECT_EQ(data.timed_sizes, 7u);
    EXPECT_EQ(data.series.size(), 4u);
    ASSERT_TRUE(data.wrong.contains(5));
    const auto fft = std::ranges::find(data.series, "fft", &CrossoverSeries::label);
    ASSERT_NE(fft, data.series.end());
    EXPECT_EQ(fft->runs.size(), 2u) << "interrupted where it is wrong";
    EXPECT_FALSE(fft->wins);
}

TEST(Crossover, FamiliesOfImageSizesDifferInTheSizeAlone) {
    BenchReport report;
    for (const auto* size : {"200x100", "100x50", "100x100"}) {
        auto row = sweep().rows.front();
        row.engine = "cpu";
        row.name = "bank/direct/nchw/n1/c6/" + std::string(size) + "/to6/k3x3/zero/cpu";
        row.width = size[0] == '2' ? 200 : 100;
        row.height = size[4] == '5' ? 50 : 100;
        report.rows.push_back(row);
    }
    const auto all = standings(report);
    EXPECT_EQ(families(all).size(), 3u);
    const auto sizes = families(all, FamilyAxis::image_size);
    ASSERT_EQ(sizes.size(), 1u);
    EXPECT_EQ(sizes[0].name, "bank/nchw/n1/c6/to6/k3x3/zero");
    const auto data = crossover(sizes[0]);
    EXPECT_EQ(data.sizes, (std::set{5000, 10'000, 20'000}));
    ASSERT_EQ(data.series.size(), 1u);
    EXPECT_EQ(data.series[0].last().size, 20'000);
}

TEST(Roofline, PlacesRowsByTheirWork) {
    const auto report = one_request();
    const auto points = roofline_points(report.devices.front(), standings(report));
    ASSERT_EQ(points.size(), 3u);
    EXPECT_TRUE(points.front().fastest);
    const auto& limits = report.devices.front().limits;
    EXPECT_DOUBLE_EQ(points.front().rate, 6 * limits.multiply_adds_g_per_s / 41);
    EXPECT_DOUBLE_EQ(points.front().intensity,
                     6 * limits.multiply_adds_g_per_s / (20 * limits.copy_gb_per_s));
}

TEST(Roofline, HasNoPointsWithoutLimits) {
    auto report = one_request();
    report.devices.front().limits.copy_gb_per_s = 0;
    EXPECT_TRUE(roofline_points(report.devices.front(), standings(report)).empty());
    EXPECT_NE(why_no_roofline(report.devices.front().limits).find("speed of a copy;"), std::string::npos);
    EXPECT_NE(why_no_roofline({}).find("a copy and of multiply-adds"), std::string::npos);
}

TEST(Roofline, BoundsHoldThePointsTheRidgeAndTheRoof) {
    const ReportLimits limits{10, 400}; // their ridge is at 40
    const auto at = [](double intensity, double rate) {
        return RooflinePoint{intensity, rate, nullptr, {}, false};
    };
    const auto inside = roofline_bounds(limits, {at(8, 60), at(20, 90)});
    EXPECT_DOUBLE_EQ(inside.left, 4);
    EXPECT_DOUBLE_EQ(inside.right, 80);
    EXPECT_DOUBLE_EQ(inside.low, 40 / 1.5) << "the roof at the left end";
    EXPECT_DOUBLE_EQ(inside.high, 600);
    const auto beyond = roofline_bounds(limits, {at(60, 12), at(50, 900)});
    EXPECT_DOUBLE_EQ(beyond.left, 20);
    EXPECT_DOUBLE_EQ(beyond.right, 120);
    EXPECT_DOUBLE_EQ(beyond.low, 8);
    EXPECT_DOUBLE_EQ(beyond.high, 1350);
}

TEST(WithTransfers, AddsMediansAndIntervals) {
    const auto report = one_request();
    const auto all = standings(report);
    const auto sum = with_transfers(*all.front().timed.front()->times);
    EXPECT_DOUBLE_EQ(sum.median, 41 + 300.1 + 310.7);
    EXPECT_DOUBLE_EQ(sum.ci_low, 0.99 * (41 + 300.1 + 310.7));
    EXPECT_EQ(transfers_verdict(all.front()),
              "With transfers tiled is fastest: 652 us (645-658); tie with naive");
    EXPECT_EQ(transfers_verdict({}), "");
}

TEST(WithTransfers, MayRankOtherwise) {
    auto report = one_request();
    report.rows[1].times->upload.median += 500; // tiled's
    report.rows[1].times->upload.ci_low += 500;
    report.rows[1].times->upload.ci_high += 500;
    EXPECT_TRUE(transfers_verdict(standings(report).front()).starts_with("With transfers naive is fastest"));
}

} // namespace
} // namespace kg::measure
