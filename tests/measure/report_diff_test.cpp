// Comparison of two reports: synthetic runs whose differences are known.

#include "measure/report/diff/diff.hpp"
#include "tests/measure/support/sample_report.hpp"
#include "tests/support/documented_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kg::measure {
namespace {

ReportRow& row(BenchReport& report, const std::string& algorithm, int k) {
    for (auto& one : report.rows)
        if (algorithm_name(one) == algorithm && one.kernel_width == k) return one;
    throw std::runtime_error("no such row");
}

void scale(ReportRow& row, double by) {
    auto& run = row.times->run;
    for (auto* value : {&run.median, &run.p5, &run.p95, &run.ci_low, &run.ci_high}) *value *= by;
}

Change change_of(const Diff& diff, const std::string& name) {
    for (const auto& row : diff.rows)
        if (row.name == name) return row.change;
    throw std::runtime_error("no such row");
}

/// A run of an algorithm that takes `truth` us: samples vary by `within`, skewed upwards, and the whole run
/// by `between`.
Summary run_of(double truth, double within, double between, std::mt19937& random) {
    const auto level = truth * (1 + between * std::normal_distribution<double>()(random));
    std::lognormal_distribution<double> noise(0, 0.8);
    std::vector<double> samples;
    for (int i = 0; i < 36; ++i) samples.push_back(level * (1 + within * noise(random)));
    return summarize(samples);
}

TEST(ReportDiff, TheSameReportTies) {
    const auto report = sweep();
    const auto result = diff(report, report);
    EXPECT_EQ(result.rows.size(), report.rows.size());
    EXPECT_EQ(result.count(Change::tie), 27u);
    EXPECT_EQ(result.count(Change::no_time), 8u) << "seven refused and one wrong";
    EXPECT_EQ(result.regressions(), 0u);
    EXPECT_TRUE(result.same_machine);
    EXPECT_TRUE(result.notes.empty());
}

TEST(ReportDiff, FindsFasterSlowerAndRegressions) {
    auto old = sweep(), now = sweep();
    scale(row(now, "naive", 3), 1.2);
    scale(row(now, "separable", 7), 0.7);
    scale(row(now, "naive", 7), 1.04); // intervals of 1 % on either side touch
    const auto result = diff(old, now);
    EXPECT_EQ(change_of(result, row(old, "naive", 3).name), Change::slower);
    EXPECT_EQ(change_of(result, row(old, "separable", 7).name), Change::faster);
    EXPECT_EQ(change_of(result, row(old, "naive", 7).name), Change::tie);
    EXPECT_EQ(result.regressions(), 1u);
    EXPECT_EQ(diff(old, now, 0.25).regressions(), 0u) << "slower, within the bound";
    EXPECT_EQ(diff(old, now, 0.25).count(Change::slower), 1u);
    EXPECT_EQ(diff(now, old).regressions(), 1u) << "what was faster";
    EXPECT_NEAR(result.rows[0].ratio, 1.2, 1e-12);
}

TEST(ReportDiff, RightAndWrong) {
    auto old = sweep(), now = sweep();
    auto& fft = row(now, "fft", 5);
    fft = timed_row("fft", 5, 500);
    auto& naive = row(now, "naive", 3);
    naive.times.reset();
    naive.verdict = Verdict::wrong;
    naive.reason = "off by 3";
    auto& box = row(now, "box", 7);
    box.verdict = Verdict::failed;
    const auto result = diff(old, now);
    EXPECT_EQ(change_of(result, fft.name), Change::became_right);
    EXPECT_EQ(change_of(result, naive.name), Change::became_wrong);
    EXPECT_EQ(change_of(result, box.name), Change::became_wrong) << "refused, now it fails";
    EXPECT_EQ(result.regressions(), 2u);
    EXPECT_EQ(result.rows[0].reason, "off by 3");
    EXPECT_EQ(change_of(diff(now, now), naive.name), Change::no_time) << "wrong before, wrong now";
}

TEST(ReportDiff, AWayThatRefusesWhatItDidIsARegression) {
    auto old = sweep(), now = sweep();
    auto &refused = row(now, "naive", 3), &stopped = row(now, "naive", 7);
    refused = untimed_row("naive", 3, Verdict::refused, "not any more");
    stopped = untimed_row("naive", 7, Verdict::stopped, "too late");
    const auto result = diff(old, now);
    EXPECT_EQ(change_of(result, refused.name), Change::became_refused);
    EXPECT_EQ(change_of(result, stopped.name), Change::no_time);
    EXPECT_EQ(result.regressions(), 1u);
    EXPECT_EQ(result.compared(), 26u) << "27 that tie with themselves, less the one that was stopped";
    const auto text = to_terminal(result, {100});
    EXPECT_NE(text.find("25 tie and 1 became\nrefused\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nBecame refused\n  image/naive/u8x4/1920x1080/k3x3/reflect101/dense/cpu\n"
                        "    not any more\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(diff(now, old).regressions(), 0u) << "what is new is no regression";
}

TEST(ReportDiff, NothingToCompareIsNoTie) {
    EXPECT_EQ(diff(one_request(), empty_report()).compared(), 0u);
    const auto text = to_terminal(diff(one_request(), empty_report()), {100});
    EXPECT_TRUE(text.starts_with("Nothing can be compared")) << text;
    EXPECT_NE(text.find("image/tiled/"), std::string::npos);
    EXPECT_EQ(text.find("image/box/"), std::string::npos) << "it had no time: " << text;
}

TEST(ReportDiff, RowsOfOneReportAlone) {
    auto old = one_request(), now = one_request();
    now.rows.erase(now.rows.begin());
    now.rows.push_back(timed_row("naive", 99, 5));
    const auto result = diff(old, now);
    ASSERT_EQ(result.rows.size(), 5u);
    EXPECT_EQ(result.rows[0].change, Change::only_old);
    EXPECT_EQ(result.rows[4].change, Change::only_now);
    EXPECT_EQ(result.regressions(), 0u);
    EXPECT_EQ(diff(BenchReport{}, BenchReport{}).rows.size(), 0u);
    EXPECT_EQ(diff(empty_report(), one_request()).count(Change::only_now), 4u);
}

TEST(ReportDiff, TooFewSamplesTie) {
    auto old = one_request(), now = one_request();
    scale(now.rows[0], 3);
    now.rows[0].times->run.too_few = true;
    EXPECT_EQ(diff(old, now).rows[0].change, Change::tie);
    EXPECT_EQ(diff(old, now).notes, std::vector<std::string>{"1 row tied because of too few samples."});
}

TEST(ReportDiff, TwoRunsOfOneMachineTie) {
    std::mt19937 random(5);
    for (const auto& [within, between] :
         {std::pair{0.002, 0.01}, std::pair{0.01, 0.01}, std::pair{0.05, 0.02}}) {
        int ties = 0, found = 0;
        constexpr int kRows = 1000;
        for (int i = 0; i < kRows; ++i) {
            const auto a = run_of(100, within, between, random), b = run_of(100, within, between, random);
            ties += compare_runs(a, b) == Order::tie;
            found += compare_runs(run_of(120, within, between, random), a) == Order::slower;
        }
        EXPECT_GE(ties, kRows * 95 / 100) << within << " " << between;
        EXPECT_GE(found, kRows * 95 / 100) << "slower by a fifth " << within << " " << between;
    }
}

TEST(ReportDiff, AMachineOfTwoSpeedsTies) {
    // Most samples of one run at 100, most of the other at 130, but each contains both.
    std::vector<double> a(36, 100), b(36, 130);
    for (std::size_t i = 0; i < 8; ++i) std::swap(a[i], b[i]);
    EXPECT_NE(compare(summarize(a), summarize(b)), Order::tie)
        << "by their intervals alone they would differ";
    EXPECT_EQ(compare_runs(summarize(a), summarize(b)), Order::tie);
}

TEST(ReportDiff, NotesOtherDifferences) {
    auto old = one_request(), now = one_request();
    now.devices[0].name = "another";
    now.complete = false;
    old.rows[0].throttled = "power";
    auto result = diff(old, now);
    EXPECT_FALSE(result.same_machine);
    EXPECT_EQ(
        result.notes,
        (std::vector<std::string>{
            "This compares two machines, not two versions of the program on one.",
            "The devices of cpu differ: AMD EPYC, 2 threads, AVX3, then another, 2 threads, AVX3.",
            "The new report is not complete.", "The device was throttled in 1 row of the old report."}));
    now = old = one_request();
    now.devices[0].driver = "2";
    now.devices[0].limits.copy_gb_per_s = 15;
    result = diff(old, now);
    EXPECT_TRUE(result.same_machine);
    EXPECT_EQ(result.notes, (std::vector<std::string>{
                                "The drivers of cpu differ: , then 2.",
                                "The copy limit of cpu is 0.81 times the old one: the machine itself ran at "
                                "another speed."}));
    now.host = "elsewhere";
    EXPECT_FALSE(diff(old, now).same_machine);
}

TEST(ReportDiff, AsText) {
    auto old = sweep(), now = sweep();
    scale(row(now, "naive", 3), 1.2);
    scale(row(now, "separable", 7), 0.7);
    auto& wrong = row(now, "fft", 31);
    wrong.times.reset();
    wrong.verdict = Verdict::wrong;
    wrong.reason = "off by 3";
    const auto text = to_terminal(diff(old, now), {100});
    EXPECT_TRUE(text.starts_with("2 regressions, slower by more than 5.0 %, wrong or refused: of 27 rows in "
                                 "both, 24 tie, 1 faster, 1\n"
                                 "slower and 1 became wrong\n"))
        << text;
    EXPECT_NE(
        text.find("\nBecame wrong\n  image/fft/u8x4/1920x1080/k31x31/reflect101/dense/cpu\n    off by 3\n"),
        std::string::npos);
    EXPECT_NE(
        text.find("\nSlower\n  image/naive/u8x4/1920x1080/k3x3/reflect101/dense/cpu\n    1.20x, 45.0 us "
                  "(44.5-45.5) then, 54.0 us (53.5-54.5) now\n"),
        std::string::npos);
    EXPECT_NE(text.find("\nFaster\n"), std::string::npos);
    EXPECT_TRUE(
        to_terminal(diff(old, old), {100}).starts_with("No regression: of 27 rows in both, 27 tie\n"));
    EXPECT_TRUE(
        to_terminal(diff(BenchReport{}, BenchReport{}), {100}).starts_with("Nothing can be compared"));
    EXPECT_NE(to_terminal(diff(old, now, 0.5), {100}).find("within the bound"), std::string::npos);
}

TEST(ReportDiff, AsDocumentedJson) {
    auto old = sweep(), now = one_request();
    now.rows[0].times.reset();
    now.rows[0].verdict = Verdict::wrong;
    for (const auto& result : {diff(old, now), diff(now, old), diff(BenchReport{}, BenchReport{})})
        EXPECT_EQ(testing::undocumented(to_json(result), "kernelglass-bench-diff/1"),
                  std::vector<std::string>{});
}

} // namespace
} // namespace kg::measure
