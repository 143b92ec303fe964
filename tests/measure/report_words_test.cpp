// Texts of a report: names, numbers, the fastest algorithm, and where a peer is faster.

#include "measure/report/row_text.hpp"
#include "measure/report/standing.hpp"
#include "tests/measure/support/sample_report.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kg::measure {
namespace {

Summary summary(double median, double low, double high) {
    Summary all;
    all.samples = 36;
    all.median = median;
    all.ci_low = low;
    all.ci_high = high;
    return all;
}

std::string verdict_of(const BenchReport& report) { return verdict(report, standings(report)); }

TEST(ReportNames, LeaveOutTheAlgorithmAndTheEngine) {
    ReportRow row;
    row.name = "image/tiled/u8x4/3840x2160/k7x7/reflect101/dense/cuda";
    row.engine = "cuda";
    EXPECT_EQ(request_name(row), "image/u8x4/3840x2160/k7x7/reflect101/dense");
    EXPECT_EQ(algorithm_name(row), "tiled");
    row.name += "/warm";
    EXPECT_EQ(request_name(row), "image/u8x4/3840x2160/k7x7/reflect101/dense/warm");
    row.name = "image/cuda/u8x4/cpu"; // an algorithm named like an engine
    EXPECT_EQ(request_name(row), "image/u8x4/cpu");
    row.name = "odd";
    row.algorithm = "tiled";
    EXPECT_EQ(request_name(row), "odd");
    EXPECT_EQ(algorithm_name(row), "tiled");
}

TEST(ReportWords, TimesHaveTheDigitsThatAreCertain) {
    EXPECT_EQ(time_text(summary(41, 40, 42)).text(), "41 us (40-42)");
    EXPECT_EQ(time_text(summary(41.26, 41.0, 41.5)).text(), "41.3 us (41.0-41.5)");
    EXPECT_EQ(time_text(summary(41.256, 41.25, 41.26)).text(), "41.26 us (41.25-41.26)");
    EXPECT_EQ(time_text(summary(1118, 1080, 2100)).text(), "1.12 ms (1.08-2.10)");
    auto once = summary(114432, 114432, 114432);
    once.too_few = true;
    EXPECT_EQ(time_text(once).text(), "114 ms (114-114)");
    EXPECT_EQ(time_text(summary(1234, 1210, 1250)).text(), "1.23 ms (1.21-1.25)");
    EXPECT_EQ(time_text(summary(123456, 123456, 123456)).text(), "123.5 ms (123.5-123.5)");
    EXPECT_EQ(time_text(summary(5e6, 3e6, 8e6)).text(), "5.0 s (3.0-8.0)");
    EXPECT_EQ(time_text(summary(0.4, 0.3, 0.5)).text(), "0.4 us (0.3-0.5)");
    EXPECT_EQ(time_text(summary(0, 0, 0)).median, "0.000 us");
    EXPECT_EQ(short_time(0.123), "0.12 us");
    EXPECT_EQ(short_time(41.26), "41.3 us");
    EXPECT_EQ(short_time(999.7), "1.00 ms");
    EXPECT_EQ(short_time(123e6), "123 s");
}

TEST(ReportWords, CountsAndFractions) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(8294400), "8.3 M");
    EXPECT_EQ(count_text(66355200), "66 M");
    EXPECT_EQ(difference_text(0, 8294400), "0 of 8.3 M values differ");
    EXPECT_EQ(difference_text(2, 578000, 8294400), "2 of 578 k sampled values differ");
    EXPECT_EQ(difference_text(0, 0), "");
    EXPECT_EQ(percent(0.624), "62 %");
    EXPECT_EQ(percent(1.3), "130 %");
    EXPECT_EQ(percent(0.021), "2.1 %");
    EXPECT_EQ(percent(0), "");
    EXPECT_EQ(times_as_long(1.374), "1.37 times as long");
    EXPECT_EQ(joined({"a"}), "a");
    EXPECT_EQ(joined({"a", "b", "c"}), "a, b and c");
}

TEST(ReportWords, RemarksQualifyTheTimes) {
    auto row = timed_row("tiled", 3, 41);
    EXPECT_TRUE(remarks(row, false).empty());
    row.chosen = true;
    row.includes = "filter, conversion";
    row.throttled = "power";
    auto& run = row.times->run;
    run.too_few = true;
    run.samples = 4;
    run.drift = 1;
    run.outliers = 1;
    EXPECT_EQ(joined(remarks(row, true), ", "),
              "auto takes it, tie, holds filter, conversion, only 4 samples, became "
              "slower, throttled: power, 1 outlier");
    EXPECT_EQ(joined(doubts(row)), "only 4 samples, became slower and throttled: power");
    EXPECT_TRUE(is_doubtful(row));
    EXPECT_FALSE(is_doubtful(timed_row("tiled", 3, 41)));
    EXPECT_FALSE(is_doubtful(untimed_row("tiled", 3, Verdict::wrong, "x")));
    row.alone_us = 35;
    EXPECT_NE(joined(remarks(row, true), ", ").find("holds conversions, 35.0 us without"), std::string::npos);
    run.drift = -1;
    EXPECT_NE(joined(remarks(row, false)).find("became faster"), std::string::npos);
    EXPECT_TRUE(remarks(untimed_row("tiled", 3, Verdict::wrong, "x"), false).empty());
}

TEST(ReportVerdict, NamesTheFastestItsCertaintyAndCorrectness) {
    EXPECT_EQ(verdict_of(one_request()),
              "tiled is fastest: 41.0 us (40.6-41.4); tie with naive; 0 of 8.3 M values differ");
    auto report = one_request();
    report.complete = false;
    report.rows[3].verdict = Verdict::wrong;
    report.rows[1].differing = 7;
    EXPECT_EQ(verdict_of(report), "tiled is fastest: 41.0 us (40.6-41.4); tie with naive; 7 of 8.3 M values "
                                  "differ, none beyond its bound; box "
                                  "is wrong; not complete");
    report = one_request();
    report.rows[2] = timed_row("opencv:filter2D", 3, 20.5, "opencv");
    EXPECT_EQ(verdict_of(report), "opencv:filter2D is fastest: 20.5 us (20.3-20.7); opencv:filter2D is ahead "
                                  "of ours: tiled takes 2.00 times as long; 0 of 8.3 M values differ");
}

TEST(ReportVerdict, CountsWinsOverManyRequests) {
    EXPECT_EQ(verdict_of(sweep()), "separable is fastest on 5 of 7 requests, naive on 1 and opencv:filter2D "
                                   "on 1; another library is ahead of ours on 1, opencv:filter2D: ours takes "
                                   "1.23 times as long; 0 of 58 M values differ; fft is wrong");
    auto report = sweep();
    report.rows.push_back(timed_row("opencv:GaussianBlur", 3, 20, "opencv"));
    EXPECT_NE(verdict_of(report).find("; another library is ahead of ours on 2, opencv:GaussianBlur the "
                                      "furthest: ours takes 2.25 times as long; "),
              std::string::npos)
        << verdict_of(report);
    report.rows = {timed_row("opencv:GaussianBlur", 3, 20, "opencv"),
                   timed_row("opencv:GaussianBlur", 5, 20, "opencv")};
    EXPECT_NE(verdict_of(report).find(": none of ours has a time; "), std::string::npos);
}

TEST(ReportVerdict, OfReportsWithoutTimes) {
    EXPECT_EQ(verdict_of(BenchReport{}), "Nothing was measured");
    auto report = empty_report();
    report.complete = false;
    EXPECT_EQ(verdict_of(report), "Nothing was measured; not complete");
    report.complete = true;
    report.rows = {untimed_row("a", 3, Verdict::wrong, "off"), untimed_row("b", 3, Verdict::wrong, "off"),
                   untimed_row("c", 3, Verdict::refused, "no"),
                   untimed_row("d", 3, Verdict::right, "stopped")};
    EXPECT_EQ(verdict_of(report), "No algorithm has a time: 1 not timed yet, 2 wrong and 1 refused");
    report.rows = {untimed_row("a", 3, Verdict::stopped, kTimeWasOver)};
    report.rows.front().code = kTimeWasOverCode;
    report.complete = false;
    EXPECT_EQ(verdict_of(report),
              "The time was over before any algorithm was verified and timed; not complete");
}

TEST(Standings, OrderAlgorithmsAndFindPeersAhead) {
    const auto report = sweep();
    const auto all = standings(report);
    ASSERT_EQ(all.size(), 7u);
    EXPECT_EQ(all[1].request, "image/u8x4/1920x1080/k5x5/reflect101/dense");
    ASSERT_EQ(all[1].timed.size(), 3u);
    EXPECT_EQ(algorithm_name(*all[1].timed[0]), "separable");
    EXPECT_EQ(algorithm_name(*all[1].untimed[0]), "fft") << "wrong ones first";

    const auto ahead = peers_ahead(all);
    ASSERT_EQ(ahead.size(), 1u);
    EXPECT_EQ(ahead[0].peer->kernel_width, 31);
    EXPECT_EQ(algorithm_name(*ahead[0].ours), "separable");
    EXPECT_NEAR(ahead[0].ratio, 370.0 / 300, 1e-12);
    EXPECT_EQ(compared_with_peers(all), 7u);

    const auto in_size = families(all);
    ASSERT_EQ(in_size.size(), 1u);
    EXPECT_EQ(in_size[0].name, "image/u8x4/1920x1080/reflect101/dense");
    EXPECT_EQ(kernel_size(in_size[0].requests.back()->any()), 31);
}

TEST(Standings, APeerIsComparedWithOursOnTheSameEngine) {
    auto report = one_request();
    auto on_gpu = timed_row("tiled", 3, 4);
    on_gpu.engine = "cuda";
    on_gpu.name = "image/tiled/u8x4/1920x1080/k3x3/reflect101/dense/cuda";
    report.rows.push_back(on_gpu);
    report.rows[2] = timed_row("opencv:filter2D", 3, 20, "opencv");
    const auto all = standings(report);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].label(*all[0].timed[0]), "tiled on cuda");
    ASSERT_EQ(peers_ahead(all).size(), 1u);
    EXPECT_EQ(peers_ahead(all)[0].ours->engine, "cpu");
    report.rows[2] = timed_row("opencv:filter2D", 3, 40.9, "opencv"); // overlaps with ours
    EXPECT_TRUE(peers_ahead(standings(report)).empty());
    report.rows = {timed_row("opencv:filter2D", 3, 20, "opencv")};
    const auto alone = standings(report);
    ASSERT_EQ(peers_ahead(alone).size(), 1u);
    EXPECT_EQ(peers_ahead(alone)[0].ours, nullptr);
    EXPECT_TRUE(std::isinf(peers_ahead(alone)[0].ratio));
}

TEST(Standings, FindWhereAutoChoosesASlowerAlgorithm) {
    auto report = sweep();
    for (auto& row : report.rows) row.chosen = algorithm_name(row) == "separable";
    const auto all = standings(report);
    const auto found = mischosen(all);
    ASSERT_EQ(found.size(), 1u) << "a peer that is faster at 31 is nothing that auto could take";
    EXPECT_EQ(found[0].taken->kernel_width, 3);
    EXPECT_EQ(algorithm_name(*found[0].best), "naive");
    EXPECT_NEAR(found[0].ratio, 2, 1e-12);
    report.rows[1] = timed_row("separable", 3, 45.5);
    report.rows[1].chosen = true;
    EXPECT_TRUE(mischosen(standings(report)).empty()) << "a tie";
}

TEST(Standings, LinesAndColumnsAreFamiliesOfTheirOwn) {
    auto report = empty_report();
    for (const auto& [w, h] : {std::pair{7, 7}, std::pair{7, 1}, std::pair{9, 1}, std::pair{1, 7}}) {
        auto row = timed_row("tiled", 7, 40);
        row.kernel_width = w;
        row.kernel_height = h;
        row.name = "image/tiled/u8x4/k" + std::to_string(w) + "x" + std::to_string(h) + "/cpu";
        report.rows.push_back(row);
    }
    const auto all = standings(report);
    const auto found = families(all);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].name, "image/u8x4/kNx1");
    EXPECT_EQ(found[1].requests.size(), 2u);
}

} // namespace
} // namespace kg::measure
