// A benchmark of tensors keeps its time limit: requests are measured whole or not at all, cheap ones first
// where not all fit, and what was left out states it. Time is counted work.

#include "measure/tensor_schedule.hpp"

#include "core/support/error.hpp"
#include "measure/signal_work.hpp"
#include "measure/tensor_bench.hpp"
#include "tests/measure/support/counted_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace kg::measure {
namespace {

using testing::CountedAlgorithm;
using testing::CountedTime;

constexpr double kSecond = 1e6; // in microseconds
constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Without a reference.
TensorNeed need(double weight, double us) {
    TensorNeed made;
    made.weight = weight;
    made.candidates = 1;
    made.preparing_us = made.rounds_us = us / 2;
    made.fastest_us = us;
    return made;
}

TEST(TensorSchedule, AllThatFitAreTakenInTheirOrder) {
    const ReferenceRate rate;
    const std::vector needs{need(3, 10), need(1, 10), need(2, 10)};
    const auto turn = next_turn(needs, 3 * kSecond, rate);
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->request, 0u);
    const double needed = needs[0].whole_us(rate);
    EXPECT_NEAR(turn->most_us, needed + (3 * kSecond - 3 * needed) / 2, 1e-3) << "half of the weights";
}

TEST(TensorSchedule, CheapRequestsComeBeforeDearOnesWhereNotAllFit) {
    const ReferenceRate rate;
    const std::vector needs{need(9, 1000), need(1, 100), need(1, 100)};
    const auto turn = next_turn(needs, 500, rate);
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->request, 1u);
    EXPECT_LE(turn->most_us + needs[2].whole_us(rate), 500);
    EXPECT_GE(turn->most_us, needs[1].whole_us(rate));
}

TEST(TensorSchedule, OneThatDoesNotFitAsAWholeHasAllTheTimeIfItsFastestFits) {
    const ReferenceRate rate;
    auto many = need(1, 1000);
    many.fastest_us = 10;
    const auto turn = next_turn(std::vector{need(1, 5000), many}, 900, rate);
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->request, 1u);
    EXPECT_EQ(turn->most_us, 900);
    EXPECT_FALSE(next_turn(std::vector{need(1, 5000), many}, 30, rate));
    EXPECT_FALSE(next_turn({}, kEndless, rate));
}

TEST(TensorSchedule, WithoutALimitAllFit) {
    const auto turn = next_turn(std::vector{need(7, 1e12), need(1, 1)}, kEndless, {});
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->request, 0u);
    EXPECT_EQ(turn->most_us, kEndless);
}

TEST(TensorSchedule, TheReferencesSoFarTellTheTimeOfTheNext) {
    ReferenceRate rate;
    auto one = need(1, 1);
    one.reference = {1e9, 0};
    EXPECT_TRUE(next_turn(std::vector{one}, 60 * kSecond, rate));
    rate.add(1e9, 1000 * kSecond);
    EXPECT_FALSE(next_turn(std::vector{one}, 60 * kSecond, rate));
    EXPECT_NEAR(rate.us_of(2e9), 2000 * kSecond, kSecond * 5);
}

/// A small signal whose reference takes counted time.
class CountedWork final : public TensorWork {
public:
    CountedWork(std::shared_ptr<const TensorWork> of, double products, ReferenceProducts reference,
                double reference_us, CountedTime& time)
        : TensorWork(std::get<SignalRequest>(of->step)), of_(std::move(of)), products_(products),
          reference_(reference), reference_us_(reference_us), time_(time) {}

    std::string_view kind() const override { return of_->kind(); }
    std::span<const Algorithm* const> algorithms(const Engine& engine) const override {
        return of_->algorithms(engine);
    }
    std::span<const Algorithm* const> algorithms(const peers::Peer&) const override { return {}; }
    std::size_t source_bytes() const override { return of_->source_bytes(); }
    std::size_t result_bytes() const override { return of_->result_bytes(); }
    void fill(std::byte* to) const override { of_->fill(to); }
    ConstTensorView source(const std::byte* all, std::int64_t item) const override {
        return of_->source(all, item);
    }
    ConstTensorView result(const std::byte* all, std::int64_t item) const override {
        return of_->result(all, item);
    }
    TensorVerifier verifier(const std::byte* sources, const std::stop_token& stop) const override {
        if (reference_.once > 0) time_.work(reference_us_, stop);
        return [this, verifier = of_->verifier(sources, stop)](const std::byte* results, const Algorithm* by,
                                                               const std::stop_token& stop_it) {
            if (reference_.each > 0) time_.work(reference_us_, stop_it);
            return verifier(results, by, stop_it);
        };
    }
    ReferenceProducts reference_products() const override { return reference_; }
    ReportRow row() const override { return of_->row(); }
    double products() const override { return products_; }

private:
    std::shared_ptr<const TensorWork> of_;
    double products_;
    ReferenceProducts reference_;
    double reference_us_;
    CountedTime& time_;
};

class TensorTimes : public ::testing::Test {
protected:
    /// Of a signal with so many samples, which its rows name.
    void add(std::int64_t samples, double products, ReferenceProducts reference = {},
             double reference_us = 0) {
        SignalCase signal;
        signal.request.samples = samples;
        signal.request.taps = std::vector<float>{1, 2, 3};
        works_.push_back(
            std::make_shared<CountedWork>(tensor_work(signal), products, reference, reference_us, time_));
    }

    const BenchReport& bench_of(std::vector<CountedAlgorithm> algorithms, double seconds) {
        const std::vector<std::shared_ptr<Engine>> engines{
            testing::make_counted_engine(time_, std::move(algorithms))};
        BenchRules rules;
        rules.seconds = seconds;
        rules.limits = false;
        rules.comparison.rounds = rules.comparison.samples_per_round = 3;
        rules.comparison.most_cold_bytes = 1;
        rules.comparison.timing.time = &time_;
        rules.comparison.timing.least_sample_us = 1;
        rules.comparison.clocks = [](const Engine&) { return Clocks{}; };
        const double began = time_.now_us();
        report_ = bench_tensors(works_, engines, rules);
        took_ = (time_.now_us() - began) / kSecond;
        return report_;
    }

    /// Times beside a verification, or a reason for their absence; rows in the order of the requests.
    void expect_honest(std::size_t algorithms) const {
        ASSERT_EQ(report_.rows.size(), works_.size() * algorithms);
        for (std::size_t i = 0; i < report_.rows.size(); ++i) {
            const auto& row = report_.rows[i];
            SCOPED_TRACE(row.name);
            EXPECT_EQ(row.width, works_[i / algorithms]->row().width);
            EXPECT_EQ(row.times.has_value(), row.verdict == Verdict::right);
            if (row.times) EXPECT_GT(row.checked, 0);
            else EXPECT_EQ(row.reason, kTimeWasOver);
        }
        EXPECT_EQ(report_.complete, timed() == report_.rows.size());
    }
    std::size_t timed(std::int64_t samples = 0) const {
        return static_cast<std::size_t>(std::ranges::count_if(report_.rows, [&](const ReportRow& row) {
            return row.times && (samples == 0 || row.width == samples);
        }));
    }

    CountedTime time_;
    std::vector<std::shared_ptr<const TensorWork>> works_;
    BenchReport report_;
    double took_ = 0; ///< seconds
};

TEST_F(TensorTimes, ManyRequestsInLittleTimeLeaveSomeMeasuredAsAWhole) {
    for (int i = 0; i < 23; ++i) add(100 + i, 1e9);
    bench_of({{20e3, 20e3}, {50e3, 50e3}, {200e3, 200e3}}, 20);
    expect_honest(3);
    EXPECT_GE(timed(), 12u) << "four requests";
    EXPECT_LE(took_, 21);
    int partly = 0;
    for (int i = 0; i < 23; ++i) partly += timed(100 + i) != 0 && timed(100 + i) != 3;
    EXPECT_LE(partly, 1) << "the last one has what is left of the time";
}

TEST_F(TensorTimes, CheapRequestsAreMeasuredBesideADearOne) {
    add(100, 1e12, {1e10, 0}, 50 * kSecond); // 5 ns for a product
    for (int i = 1; i < 4; ++i) add(100 + i, 1e6);
    bench_of({{1e3, 1e3}, {2e3, 2e3}}, 20);
    expect_honest(2);
    EXPECT_EQ(timed(100), 0u);
    EXPECT_EQ(timed(), 6u);
    EXPECT_LT(took_, 10) << "its reference does not begin";
}

TEST_F(TensorTimes, ReferencesOfEveryVerificationCount) {
    for (int i = 0; i < 6; ++i) add(100 + i, 1e9, {0, 1e9}, 4 * kSecond);
    bench_of({{1e3, 1e3}, {2e3, 2e3}}, 20);
    expect_honest(2);
    EXPECT_EQ(timed(), 4u) << "two requests of eight seconds";
    EXPECT_LE(took_, 20);
}

TEST_F(TensorTimes, AReferenceSlowerThanEstimatedEndsWithTheTime) {
    add(100, 1e9, {1e3, 0}, 1e6 * kSecond);
    add(101, 1e9);
    bench_of({{1e3, 1e3}}, 20);
    expect_honest(1);
    EXPECT_LE(took_, 20);
}

TEST_F(TensorTimes, ASlowReferenceTakesNothingFromItsAlgorithms) {
    add(100, 1e9, {1e3, 0}, 12 * kSecond);
    add(101, 1e9);
    bench_of({{100e3, 100e3}, {100e3, 100e3}}, 20);
    expect_honest(2);
    EXPECT_EQ(timed(100), 2u);
    EXPECT_LE(took_, 21);
}

TEST_F(TensorTimes, EndsWithTheRequestInProgressWhateverRunsCost) {
    for (int i = 0; i < 5; ++i) add(100 + i, 1e9);
    for (const double seconds : {1.0, 20.0})
        for (double us = 10; us <= 1e6; us *= 9)
            for (const double estimate : {0.1, 1.0}) {
                SCOPED_TRACE(std::to_string(seconds) + " s, runs of " + std::to_string(us) + " us");
                bench_of({{estimate * us, us}, {estimate * us, 2 * us}}, seconds);
                expect_honest(2);
                EXPECT_LE(took_, seconds + 3 * us / kSecond) << "runs that verify again";
            }
}

TEST_F(TensorTimes, WhatTookLongerThanEstimatedIsMeasuredAgainWhereTimeIsLeft) {
    for (int i = 0; i < 3; ++i) add(100 + i, 1e6);
    add(200, 1e12); // has all the time that nobody needs
    bench_of({{1e3, 100e3}, {1e3, 200e3}}, 40);
    expect_honest(2);
    EXPECT_EQ(timed(), 8u);
    EXPECT_LE(took_, 40);
}

TEST_F(TensorTimes, WithoutALimitNothingIsLeftOut) {
    add(100, 1e12, {1e10, 0}, 500 * kSecond);
    add(101, 1e6, {0, 1e6}, 100 * kSecond);
    bench_of({{10, 10}, {1e6, 1e6}}, 0);
    expect_honest(2);
    EXPECT_EQ(timed(), 4u);
}

} // namespace
} // namespace kg::measure
