// What a comparison measures of right candidates, within its time and until it is stopped.

#include "measure/comparison.hpp"

#include "measure/limits.hpp"
#include "peers/peers.hpp"

#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "tests/measure/support/clocked_engine.hpp"
#include "tests/measure/support/counted_engine.hpp"
#include "tests/measure/support/few_cold_bytes.hpp"
#include "tests/measure/support/small_comparison.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

namespace kg::measure {
namespace {

TEST(Comparison, StatesTheLimitsOfTheMachine) {
    const auto engine = cpu::make_engine(2);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto request = blur();
    request.out.depth = Depth::f32;
    for (const auto& r : {blur(), request}) {
        const auto rows = comparison(r, image.view(), candidates(engine, true), quick());
        for (const auto& row : rows) {
            EXPECT_EQ(row.products, products(r));
            EXPECT_EQ(row.copy_us > 0, row.times.has_value()) << row.algorithm;
            EXPECT_FALSE(row.algorithm.starts_with("limit:"));
        }
    }
}

TEST(Comparison, StatesTheClockOfEachRow) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 3;
    int calls = 0;
    rules.clocks = [&](const Engine&) {
        Clocks clocks;
        clocks.now_mhz = 1000 + 100 * calls;
        if (calls > 0) clocks.throttled = "power cap";
        ++calls;
        return clocks;
    };
    const auto rows = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(rows.front().clock_mhz, 1100);
    EXPECT_EQ(rows.front().throttled, "power cap");

    rules.clocks = [](const Engine&) { return Clocks{}; };
    const auto unknown = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_EQ(unknown.front().clock_mhz, 0);
    EXPECT_EQ(unknown.front().throttled, "");
}

TEST(Comparison, KeepsItsBuffersColdUnlessAskedNotTo) {
    EXPECT_TRUE(ComparisonRules{}.cold);
    const auto engine = cpu::make_engine(2);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.cold = true;
    rules.most_cold_bytes = kFewColdBytes;
    const auto rows = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_EQ(rows.front().verdict, Verdict::right) << rows.front().reason;
    EXPECT_TRUE(rows.front().times);
}

TEST(Comparison, LimitsItsColdBuffersWhereAsked) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    Rotations rotations;
    auto rules = quick();
    rules.cold = true;
    rules.rotations = &rotations;
    rules.most_cold_bytes = std::size_t{1} << 20;
    const auto before = rotations.of(engine, blur(), image.view(), rules.most_cold_bytes);
    const auto rows = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_TRUE(rows.front().times) << rows.front().reason;
    EXPECT_EQ(rotations.of(engine, blur(), image.view(), rules.most_cold_bytes), before)
        << "others replace it";
}

TEST(Comparison, KeepsWhatWasMeasuredBeforeAStop) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 1000000;
    std::stop_source stop;
    const auto rows = comparison(
        blur(), image.view(), {{engine, nullptr, {}}}, rules,
        [&](std::size_t done, std::size_t, const std::string&) {
            if (done == 4) stop.request_stop();
        },
        stop.get_token());
    ASSERT_TRUE(rows.front().times);
    EXPECT_EQ(rows.front().times->run.samples, 3 * rules.samples_per_round);
}

/// An algorithm of a library that converts images itself, with its time on the engine's clock.
class Converts final : public Plan {
public:
    static constexpr double kTakes = 10'000; ///< microseconds
    Converts(std::shared_ptr<const Plan> inner, bool marks) : inner_(std::move(inner)), marks_(marks) {}
    Needs needs(const Rect& output) const override { return inner_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const auto convert = [&] {
            static_cast<cpu::HostQueue&>(queue).enqueue(
                [](const cpu::HostQueue::Context&) { testing::ClockedEngine::take(kTakes); });
        };
        convert();
        if (marks_) queue.mark(peers::kOwnWork);
        inner_->record(queue, items, scratch);
        if (marks_) queue.mark("bringing back");
        convert();
    }

private:
    std::shared_ptr<const Plan> inner_;
    bool marks_;
};
template <bool marks>
const Algorithm kConverts{
    "converts",
    "",
    "",
    "",
    never_refuses,
    nothing,
    [](const PlanStep& request, Engine& engine, const PlanContext&) -> std::shared_ptr<const Plan> {
        return std::make_shared<Converts>(plan(engine, std::get<ImageStep>(request)), marks);
    }};

/// Tries settings for as long as permitted; the choice does not matter.
int trials = 0;
std::stop_source* stops_while_trying = nullptr;
testing::CountedTime* time_of_trials = nullptr;
constexpr double kTrialUs = 1e3;
const Algorithm kTries{
    "tries",
    "",
    "",
    "",
    never_refuses,
    nothing,
    [](const PlanStep& request, Engine& engine, const PlanContext& context) -> std::shared_ptr<const Plan> {
        do {
            ++trials;
            if (time_of_trials) time_of_trials->work(kTrialUs, {});
            if (stops_while_trying) stops_while_trying->request_stop();
        } while (context.time_is_left() && trials < 1000);
        return plan(engine, std::get<ImageStep>(request));
    }};

TEST(Comparison, LeavesPlansNoMoreThanATenthOfItsTime) {
    testing::CountedTime time;
    const auto engine = testing::make_counted_engine(time, {{10, 10}});
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.timing.time = &time;
    rules.most_us = 1e6;
    trials = 0;
    time_of_trials = &time;
    const auto rows = comparison(blur(), image.view(), {{engine, &kTries, {}}}, rules);
    time_of_trials = nullptr;
    EXPECT_EQ(trials, 100);
    EXPECT_TRUE(rows.front().times) << rows.front().reason;
}

TEST(Comparison, WhoIsSlowHasFewSamplesWhereTimeIsShort) {
    testing::CountedTime time;
    const auto engine = testing::make_counted_engine(time, {{1e3, 1e3}, {50e3, 50e3}});
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.timing.time = &time;
    rules.rounds = 10, rules.samples_per_round = 1;
    for (const auto& row : comparison(blur(), image.view(), candidates(engine, false), rules))
        EXPECT_EQ(row.times->run.samples, 10u);
    rules.most_us = 1e6;
    const auto rows = comparison(blur(), image.view(), candidates(engine, false), rules);
    EXPECT_EQ(row_of(rows, "counted_0").times->run.samples, 10u);
    EXPECT_LT(row_of(rows, "counted_1").times->run.samples, 10u);
    EXPECT_GT(row_of(rows, "counted_1").times->run.samples, 1u);
}

TEST(Comparison, StopsAPlanBetweenItsTrials) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    std::stop_source stop;
    stops_while_trying = &stop;
    trials = 0;
    const auto rows = comparison(blur(), image.view(), {{engine, &kTries, {}}}, quick(), {},
                                 stop.get_token());
    stops_while_trying = nullptr;
    EXPECT_EQ(trials, 1);
    EXPECT_FALSE(rows.front().times);
    EXPECT_EQ(name(rows.front().verdict), "stopped");
    EXPECT_EQ(rows.front().reason, "it was not verified yet");
}

TEST(Comparison, TimesALibrarysOwnWorkApart) {
    const auto engine = std::make_shared<testing::ClockedEngine>();
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 3; // fewer samples could not separate the two times
    const auto rows = comparison(
        blur(), image.view(),
        {{engine, &kConverts<false>, "library", &kConverts<true>}, {engine, &kConverts<false>, "library"}},
        rules);
    constexpr double kConversions = 2 * Converts::kTakes;
    for (const auto& row : rows) {
        ASSERT_TRUE(row.times) << row.reason;
        EXPECT_GT(row.times->run.median, kConversions) << "what a user pays";
    }
    ASSERT_TRUE(rows[0].alone);
    EXPECT_LT(rows[0].alone->median, kConversions);
    EXPECT_EQ(rows[0].alone->samples, 6u) << "two a round";
    EXPECT_FALSE(rows[1].alone);
}

TEST(Comparison, StoppedAtOnceHasRowsWithoutTimes) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    std::stop_source stop;
    stop.request_stop();
    const auto rows = comparison(blur(), image.view(), candidates(engine, false), quick(), {},
                                 stop.get_token());
    ASSERT_FALSE(rows.empty());
    for (const auto& row : rows) {
        EXPECT_FALSE(row.times);
        EXPECT_FALSE(row.reason.empty());
    }
}

} // namespace
} // namespace kg::measure
