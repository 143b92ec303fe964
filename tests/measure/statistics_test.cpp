// Statistics on samples with known answers.

#include "measure/statistics.hpp"

#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace kg::measure {
namespace {

using testing::code_of;

std::vector<double> one_to(int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

/// 1 to n in an order without a trend.
std::vector<double> shuffled(int n, unsigned seed) {
    auto values = one_to(n);
    std::shuffle(values.begin(), values.end(), std::mt19937(seed));
    return values;
}

std::vector<double> noise(double middle, double spread, int n, unsigned seed) {
    std::mt19937 random(seed);
    std::lognormal_distribution<double> skewed(0, 1);
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back(middle + spread * skewed(random));
    return values;
}

TEST(Summarize, GivesThePublishedOrderStatistics) {
    // Ranks (from 1) of the 95 % interval of the median, from published tables of the binomial distribution.
    const struct {
        int n, low, high;
    } known[] = {{6, 1, 6},   {8, 1, 8},    {9, 2, 8},    {12, 3, 10},
                 {20, 6, 15}, {30, 10, 21}, {50, 18, 33}, {100, 40, 61}};
    for (const auto& row : known) {
        const auto s = summarize(shuffled(row.n, 1));
        EXPECT_EQ(s.ci_low, row.low) << row.n;
        EXPECT_EQ(s.ci_high, row.high) << row.n;
        EXPECT_FALSE(s.too_few);
        EXPECT_EQ(s.samples, static_cast<std::size_t>(row.n));
    }
}

TEST(Summarize, ReportsTooFewSamples) {
    for (int n = 1; n <= 5; ++n) {
        const auto s = summarize(shuffled(n, 2));
        EXPECT_TRUE(s.too_few) << n;
        EXPECT_EQ(s.ci_low, 1);
        EXPECT_EQ(s.ci_high, n);
    }
}

TEST(Summarize, CountsOutliersButIsNotMovedByThem) {
    auto values = shuffled(101, 3);
    for (std::size_t i = 0; i < 10; ++i) values[i * 10 + 3] = 1e6;
    const auto s = summarize(values);
    EXPECT_EQ(s.outliers, 10u);
    EXPECT_NEAR(s.median, 51, 12);
    EXPECT_EQ(summarize(shuffled(101, 3)).outliers, 0u);
}

TEST(Summarize, SeesTheClockFall) {
    auto rising = noise(100, 1, 60, 4), steady = rising;
    for (std::size_t i = 0; i < rising.size(); ++i) rising[i] += 0.2 * static_cast<double>(i);
    EXPECT_EQ(summarize(rising).drift, 1);
    std::ranges::reverse(rising);
    EXPECT_EQ(summarize(rising).drift, -1);
    EXPECT_EQ(summarize(steady).drift, 0);
}

TEST(Summarize, CallsATrendBelowTwoPercentNone) {
    std::vector<double> values;
    for (int i = 0; i < 60; ++i) values.push_back(1000 + 0.1 * i);
    EXPECT_EQ(summarize(values).drift, 0);
}

TEST(Summarize, TakesEqualSamples) {
    const auto s = summarize(std::vector<double>(40, 7.0));
    EXPECT_EQ(s.median, 7);
    EXPECT_EQ(s.ci_low, 7);
    EXPECT_EQ(s.ci_high, 7);
    EXPECT_EQ(s.drift, 0);
    EXPECT_EQ(s.outliers, 0u);
}

TEST(Summarize, RefusesWhatIsNoTiming) {
    EXPECT_EQ(code_of([] { summarize({}); }), "no-samples");
    EXPECT_EQ(code_of([] { summarize(std::vector<double>{1, -1}); }), "bad-sample");
    EXPECT_EQ(code_of([] { summarize(std::vector<double>{1, std::nan("")}); }), "bad-sample");
}

TEST(Summarize, ContainsTheTrueMedianAsOftenAsStated) {
    // exp of a normal variable with median 1: at least 95 % of the intervals contain 1 (binomial: 1,900 of
    // 2,000 less 3 sigma).
    std::mt19937 random(5);
    std::lognormal_distribution<double> skewed(0, 0.5);
    int held = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> values(31);
        for (auto& v : values) v = skewed(random);
        const auto s = summarize(values);
        held += s.ci_low <= 1 && 1 <= s.ci_high;
    }
    EXPECT_GE(held, 1870);
    EXPECT_LT(held, 1980); // an interval that always contains it is too wide
}

TEST(Summarize, GivesTheOrderStatisticsOfBatches) {
    std::vector<double> values; // six batches of three around 10, 20, ..., 60
    for (const double middle : {30, 10, 60, 20, 50, 40})
        for (const double off : {1, 0, -1}) values.push_back(middle + off);
    const auto plain = summarize(values), batches = summarize(values, 3);
    EXPECT_EQ(plain.ci_low, 20); // ranks 5 and 14 of 18
    EXPECT_EQ(plain.ci_high, 50);
    EXPECT_EQ(batches.ci_low, 10);
    EXPECT_EQ(batches.ci_high, 60);
    EXPECT_EQ(batches.median, plain.median);
    values.push_back(71); // an incomplete batch
    EXPECT_EQ(summarize(values, 3).ci_high, 71);
}

TEST(Summarize, ContainsTheTrueMedianThoughBatchesDiffer) {
    // Each batch is disturbed as a whole, by exp of a normal variable with median 1, and its samples by a
    // tenth of that.
    std::mt19937 random(6);
    std::lognormal_distribution<double> of_batch(0, 0.1), of_sample(0, 0.01);
    int plain = 0, batches = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> values;
        for (int batch = 0; batch < 6; ++batch) {
            const double middle = of_batch(random);
            for (int i = 0; i < 6; ++i) values.push_back(middle * of_sample(random));
        }
        const auto holds = [](const Summary& s) { return s.ci_low <= 1 && 1 <= s.ci_high; };
        plain += holds(summarize(values));
        batches += holds(summarize(values, 6));
    }
    EXPECT_GE(batches, 1870);
    EXPECT_LT(plain, 1800) << "then batches need no separate treatment";
}

TEST(Compare, TiesWhenIntervalsOverlap) {
    const auto a = summarize(noise(100, 1, 50, 6)), same = summarize(noise(100, 1, 50, 7)),
               slow = summarize(noise(110, 1, 50, 8));
    EXPECT_EQ(compare(a, same), Order::tie);
    EXPECT_EQ(compare(a, slow), Order::faster);
    EXPECT_EQ(compare(slow, a), Order::slower);
}

TEST(Compare, TiesWithTooFewSamples) {
    const auto few = summarize(std::vector<double>{1, 1, 1}), many = summarize(std::vector<double>(40, 9.0));
    EXPECT_EQ(compare(few, many), Order::tie);
}

TEST(Overlap, AsksTheIntervalsAlone) {
    Summary a, b;
    a.ci_low = 1, a.ci_high = 2;
    b.ci_low = 2, b.ci_high = 3;
    EXPECT_TRUE(overlap(a, b) && overlap(b, a)) << "they touch";
    b.ci_low = 2.5;
    a.too_few = true;
    EXPECT_FALSE(overlap(a, b) || overlap(b, a));
    EXPECT_EQ(compare(a, b), Order::tie) << "too few samples";
}

TEST(Rank, CountsWhatTiesWithTheFastest) {
    const std::vector<Summary> rows{summarize(noise(130, 1, 50, 9)), summarize(noise(100, 1, 50, 10)),
                                    summarize(noise(100, 1, 50, 11)), summarize(noise(150, 1, 50, 12))};
    const auto ranking = rank(rows);
    ASSERT_EQ(ranking.order.size(), 4u);
    EXPECT_EQ(ranking.ties, 1u);
    EXPECT_TRUE(ranking.order[0] == 1 || ranking.order[0] == 2);
    EXPECT_EQ(ranking.order[2], 0u);
    EXPECT_EQ(ranking.order[3], 3u);
    EXPECT_EQ(rank({}).order.size(), 0u);
}

} // namespace
} // namespace kg::measure
