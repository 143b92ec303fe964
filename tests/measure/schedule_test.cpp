// A benchmark keeps its time limit, whatever its steps cost; rows with times were verified, and rows without
// give a reason. Time is counted work.

#include "measure/bench.hpp"

#include "core/support/error.hpp"
#include "filters/recipe.hpp"
#include "tests/measure/support/counted_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace kg::measure {
namespace {

using testing::CountedAlgorithm;
using testing::CountedTime;

constexpr double kSecond = 1e6; // in microseconds

class Schedule : public ::testing::Test {
protected:
    BenchReport bench_of(std::vector<CountedAlgorithm> algorithms, double seconds, int requests = 3) {
        const auto engine = testing::make_counted_engine(time_, std::move(algorithms));
        std::vector<BenchCase> cases;
        for (int i = 0; i < requests; ++i) {
            const PixelFormat grey{Depth::u8, 1};
            BenchCase c;
            c.request = {{40 + i, 24}, grey, grey, {stage_of(parse_step("gaussian:sigma=1"))}};
            c.filter = "gaussian";
            cases.push_back(c);
        }
        BenchRules rules;
        rules.seconds = seconds;
        rules.comparison.rounds = 3, rules.comparison.samples_per_round = 3;
        rules.comparison.timing.time = &time_;
        rules.comparison.timing.least_sample_us = 1;
        rules.comparison.clocks = [](const Engine&) { return Clocks{}; };
        rules.comparison.verifier = [this](const ImageRequest& request, const ConstImageView& image,
                                           double most_products, const std::stop_token& stop) {
            time_.work(reference_us_, stop);
            return verifier_of(request, image, most_products, stop);
        };
        const double began = time_.now_us();
        auto report = bench(cases, {&engine, 1}, rules);
        took_ = (time_.now_us() - began) / kSecond;
        return report;
    }

    /// Times beside a verification, or a reason for their absence.
    static void expect_honest(const BenchReport& report) {
        bool short_of_time = false;
        for (const auto& row : report.rows) {
            SCOPED_TRACE(row.name);
            EXPECT_EQ(row.times.has_value(), row.verdict == Verdict::right);
            if (row.times) {
                EXPECT_GT(row.checked, 0);
                EXPECT_GT(row.times->run.samples, 0u);
                continue;
            }
            EXPECT_EQ(name(row.verdict), "stopped");
            EXPECT_EQ(row.reason, kTimeWasOver);
            short_of_time = true;
        }
        EXPECT_EQ(report.complete, !short_of_time);
    }

    static std::size_t timed(const BenchReport& report, std::string_view algorithm = {}) {
        return static_cast<std::size_t>(std::ranges::count_if(report.rows, [&](const ReportRow& row) {
            return row.times && (algorithm.empty() || row.algorithm == algorithm);
        }));
    }

    CountedTime time_;
    double reference_us_ = 0;
    double took_ = 0; ///< seconds of the last benchmark
};

constexpr double kAtMost = 1.2; // multiple of the requested time

TEST_F(Schedule, EndsInTimeWhateverRunsAndReferencesCost) {
    for (const double seconds : {1.0, 20.0, 70.0})
        for (double run_us = 10; run_us <= 1e10; run_us *= 7)
            for (const double reference : {0.0, 0.1, 3.0, 1e4}) {
                SCOPED_TRACE(std::to_string(seconds) + " s, runs of " + std::to_string(run_us) +
                             " us, references of " + std::to_string(reference) + " s");
                reference_us_ = reference * kSecond;
                const auto report = bench_of({{run_us, run_us}, {run_us, run_us}, {run_us, run_us}}, seconds);
                EXPECT_LE(took_, kAtMost * seconds);
                EXPECT_EQ(report.rows.size(), 9u);
                expect_honest(report);
            }
}

TEST_F(Schedule, EndsInTimeWherePredictionsAreWrong) {
    for (double slow = 1e3; slow <= 1e9; slow *= 10) {
        SCOPED_TRACE(slow);
        const auto report = bench_of({{1, slow}, {slow, 100}, {2, slow / 10}, {3, 1e3}, {4, 10 * slow}}, 20);
        EXPECT_LE(took_, kAtMost * 20);
        EXPECT_EQ(report.rows.size(), 15u);
        expect_honest(report);
    }
}

TEST_F(Schedule, MeasuresAllWhereThereIsTime) {
    reference_us_ = 1e3;
    const auto report = bench_of({{100, 100}, {1e3, 1e3}, {5e3, 5e3}}, 20);
    EXPECT_EQ(timed(report), 9u);
    EXPECT_TRUE(report.complete);
    for (const auto& row : report.rows) EXPECT_EQ(row.times->run.samples, 9u) << row.name;
    EXPECT_LT(took_, 20);
}

TEST_F(Schedule, WhatIsSlowDoesNotKeepTheOthersFromBeingMeasured) {
    reference_us_ = 50e3;
    const auto report = bench_of({{1e9, 1e9}, {1e3, 1e3}, {5e8, 5e8}, {20e3, 20e3}}, 20);
    EXPECT_EQ(timed(report, "counted_1"), 3u);
    EXPECT_EQ(timed(report, "counted_3"), 3u);
    EXPECT_EQ(timed(report), 6u);
    EXPECT_LE(took_, kAtMost * 20);
    expect_honest(report);
}

TEST_F(Schedule, ASlowReferenceIsNotTheFirstOnesTime) {
    reference_us_ = 0.3 * 20 / 3 * kSecond; // three quarters of the time for preparation
    const auto report = bench_of({{100, 100}, {200, 200}}, 20);
    EXPECT_EQ(timed(report, "counted_0"), 3u);
    EXPECT_LE(took_, kAtMost * 20);
    expect_honest(report);
}

TEST_F(Schedule, AReferenceThatTakesTooLongLeavesNothingMeasured) {
    reference_us_ = 1e12;
    const auto report = bench_of({{100, 100}, {200, 200}}, 20);
    EXPECT_EQ(timed(report), 0u);
    EXPECT_LE(took_, kAtMost * 20);
    expect_honest(report);
}

TEST_F(Schedule, TheReferenceIsComputedOnceForAllAlgorithmsOfARequest) {
    reference_us_ = 1 * kSecond;
    const std::vector<CountedAlgorithm> algorithms(6, {10, 10});
    EXPECT_EQ(timed(bench_of(algorithms, 0)), 18u);
    EXPECT_LT(took_, 3 * 1.1) << "three requests";
}

TEST_F(Schedule, WithoutALimitNothingIsLeftOut) {
    reference_us_ = 100 * kSecond;
    const auto report = bench_of({{10, 10}, {1e7, 1e7}}, 0);
    EXPECT_EQ(timed(report), 6u);
    EXPECT_TRUE(report.complete);
}

TEST(TimeLimit, StopsWithTheOuterStopAndAtItsEnd) {
    CountedTime time;
    std::stop_source outer;
    const TimeLimit limit(time, 100, outer.get_token()), endless(time, 1e300, outer.get_token());
    time.work(99, {});
    EXPECT_FALSE(limit.is_over());
    EXPECT_EQ(limit.left_us(), 1);
    EXPECT_THROW(time.work(50, limit.token()), Cancelled);
    EXPECT_EQ(time.now_us(), 100) << "as soon as it is over";
    EXPECT_TRUE(limit.is_over());
    EXPECT_FALSE(endless.is_over());
    outer.request_stop();
    EXPECT_TRUE(endless.is_over());
    EXPECT_TRUE(TimeLimit(time, 100).is_over()) << "from the beginning";
}

TEST(TimeLimit, OfTheSteadyClockStopsByItself) {
    const TimeLimit limit(steady_time(), steady_time().now_us() + 1);
    while (!limit.token().stop_requested()) {
    } // hangs if the limit never ends it
    EXPECT_TRUE(limit.is_over());
    const TimeLimit endless(steady_time(), std::numeric_limits<double>::infinity());
    EXPECT_FALSE(endless.is_over());
}

} // namespace
} // namespace kg::measure
