// The reports of a window: which one is shown, which one stands beside it.

#include "app/bench/session/reports.hpp"

#include "tests/measure/support/sample_report.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

std::shared_ptr<const RankedReport> ranked(measure::BenchReport report, const std::string& name) {
    return std::make_shared<const RankedReport>(std::move(report), name);
}

TEST(BenchReports, AnOpenedReportIsShownOrStandsBeside) {
    BenchReports reports;
    EXPECT_FALSE(reports.shown());
    EXPECT_FALSE(reports.row());
    reports.open(ranked(measure::one_request(), "a"));
    EXPECT_EQ(reports.shown()->name, "a");
    EXPECT_FALSE(reports.beside());
    reports.open(ranked(measure::one_request(), "b"));
    EXPECT_EQ(reports.shown()->name, "a");
    EXPECT_EQ(reports.beside()->name, "b");
    reports.show(1); // it cannot stand beside itself
    EXPECT_EQ(reports.shown()->name, "b");
    EXPECT_FALSE(reports.beside());
    reports.put_beside(1);
    EXPECT_FALSE(reports.beside());
    reports.put_beside(0);
    EXPECT_EQ(reports.beside()->name, "a");
}

TEST(BenchReports, AMeasurementIsShownAndWhatWasOpenedStandsBeside) {
    BenchReports reports;
    reports.open(ranked(measure::one_request(), "opened"));
    const auto own = ranked(measure::one_request(), "own");
    reports.take_own(own);
    reports.take_own(own); // every frame
    ASSERT_EQ(reports.all().size(), 2u);
    EXPECT_EQ(reports.shown()->name, "own");
    EXPECT_EQ(reports.beside()->name, "opened");
    reports.take_own(ranked(measure::sweep(), "own"));
    EXPECT_EQ(reports.all().size(), 2u) << "it replaces the previous one";
    EXPECT_EQ(reports.shown()->standings.size(), 7u);
    EXPECT_EQ(reports.beside()->name, "opened");
}

TEST(BenchReports, ComparesRowsOfTheSameWork) {
    auto slower = measure::one_request();
    for (auto& row : slower.rows)
        if (row.times)
            for (auto* us : {&row.times->run.median, &row.times->run.p5, &row.times->run.p95,
                             &row.times->run.ci_low, &row.times->run.ci_high})
                *us *= 2;
    slower.rows.push_back(measure::timed_row("fft", 3, 70));
    BenchReports reports;
    reports.open(ranked(measure::one_request(), "mine"));
    reports.open(ranked(slower, "laptop"));
    const auto beside = reports.beside(*reports.row());
    ASSERT_TRUE(beside);
    EXPECT_DOUBLE_EQ(beside->ratio, 0.5);
    EXPECT_EQ(beside->order, measure::Order::faster);
    ASSERT_EQ(reports.only_beside().size(), 1u);
    EXPECT_EQ(measure::algorithm_name(*reports.only_beside().front()), "fft");
    EXPECT_FALSE(reports.beside(measure::timed_row("tiled", 5, 1))) << "another kernel size";
    reports.put_beside({});
    EXPECT_FALSE(reports.difference());
}

TEST(BenchReports, ARequestAndARowAreChosen) {
    BenchReports reports;
    reports.open(ranked(measure::sweep(), "sweep"));
    ASSERT_TRUE(reports.family());
    EXPECT_EQ(reports.family()->requests.size(), 7u);
    reports.choose_request(6);
    EXPECT_EQ(reports.standing()->any().kernel_width, 31);
    EXPECT_EQ(measure::algorithm_name(*reports.row()), "opencv:filter2D") << "the fastest, first";
    reports.choose_row(reports.standing()->untimed.front()->name);
    EXPECT_EQ(measure::algorithm_name(*reports.row()), "box");
    reports.choose_request(0); // another request does not have this row
    EXPECT_EQ(measure::algorithm_name(*reports.row()), "naive");
}

} // namespace
} // namespace kg
