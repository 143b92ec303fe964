// A way is timed on the engine's clock, without its first call, and into buffers where no older result passes for its own.
// How long anything takes is never asserted.

#include "measure/timed_way.hpp"

#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "measure/noise.hpp"
#include "tests/measure/support/clocked_engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace kg::measure {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1};

ImageRequest blur() {
    return {{64, 48}, kGrey, kGrey, {{{make_kernel(3, 3, std::vector<float>(9, 1.0f), 9)}}}};
}

TimedWay blurring(std::size_t rotate_bytes = 0, const TimingRules& rules = {},
                  const std::shared_ptr<Engine>& engine = cpu::make_engine(2)) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    return {std::make_shared<Rotation>(engine, blur(), picture.view(), rotate_bytes), plan(*engine, blur()),
            rules};
}

/// Takes 20 microseconds, its first run a second, on the engine's clock.
class SlowAtFirst final : public Plan {
public:
    static inline std::atomic<int> runs = 0;

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }
    void record(Queue& queue, std::span<const Item>, const BufferView&) const override {
        static_cast<cpu::HostQueue&>(queue).enqueue([](const cpu::HostQueue::Context&) {
            testing::ClockedEngine::take(runs++ == 0 ? 1e6 : 20 - testing::ClockedEngine::kTask);
        });
    }
};
const Algorithm kSlowAtFirst{
    "slow_at_first",
    "",
    "",
    "",
    [](const Request&, const Engine&) { return std::string(); },
    [](const Request&, const Engine&) { return Cost{}; },
    [](const Request&, Engine&) -> std::shared_ptr<const Plan> { return std::make_shared<SlowAtFirst>(); }};

TEST(TimedWay, KeepsTheFirstCallOutOfTheSamples) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    SlowAtFirst::runs = 0;
    const auto engine = std::make_shared<testing::ClockedEngine>();
    TimedWay way(std::make_shared<Rotation>(engine, blur(), picture.view(), 0),
                 plan(*engine, blur(), kSlowAtFirst), {});
    EXPECT_EQ(SlowAtFirst::runs, 1);
    EXPECT_GT(way.first_run_us(), 0); // on the caller's clock
    way.warm_up();
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(way.sample(), 20, 1e-3);
}

TEST(TimedWay, RepeatsShortWorkUntilASampleIsLong) {
    TimingRules rules;
    rules.least_sample_us = 100 * testing::ClockedEngine::kTask;
    auto way = blurring(0, rules, std::make_shared<testing::ClockedEngine>());
    way.warm_up();
    const int runs = way.runs_per_sample();
    EXPECT_GT(runs, 1);
    const auto each = way.sample();
    EXPECT_GE(runs * each, rules.least_sample_us);
    EXPECT_LT((runs - 1) * each, 1.2 * rules.least_sample_us) << "no more than a fifth beyond it";
    EXPECT_NEAR(way.upload_sample(), testing::ClockedEngine::kTask, 1e-3);
    EXPECT_NEAR(way.download_sample(), testing::ClockedEngine::kTask, 1e-3);
    way.wake_up();
    EXPECT_EQ(way.runs_per_sample(), runs);
}

/// Counts how many of its runs had begun when it was last asked to record one.
class Counts final : public Plan {
public:
    static inline std::atomic<int> recorded = 0, begun = 0, begun_early = 0;

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }
    void record(Queue& queue, std::span<const Item>, const BufferView&) const override {
        ++recorded;
        begun_early = begun.load();
        static_cast<cpu::HostQueue&>(queue).enqueue([](const cpu::HostQueue::Context&) { ++begun; });
    }
};

TEST(TimedWay, QueuesAllRunsOfASampleBeforeTheFirstBegins) {
    const auto engine = std::make_shared<testing::ClockedEngine>();
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    TimedWay way(std::make_shared<Rotation>(engine, blur(), picture.view(), 0), std::make_shared<Counts>(),
                 {});
    way.warm_up();
    ASSERT_GT(way.runs_per_sample(), 100); // many more than are queued while a thread wakes up
    EXPECT_TRUE(
        testing::eventually([&] { // on a busy machine the gate may have to open by itself now and then
            Counts::begun = 0, Counts::recorded = 0;
            way.sample();
            EXPECT_EQ(Counts::recorded, way.runs_per_sample());
            EXPECT_EQ(Counts::begun, way.runs_per_sample());
            return Counts::begun_early == 0;
        }));
}

TEST(TimedWay,
     EndsThoughAQueueMayTakeOnlySoMuch) { // a GPU's takes a thousand launches, then waits for one to begin
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    TimingRules rules;
    rules.least_sample_us = 30e3; // thousands of runs
    rules.most_warm_up_us = 100e3;
    for (const auto& engine : testing::engines()) {
        if (testing::label(*engine).starts_with("detached")) continue; // which dawdles before each of them
        TimedWay way(std::make_shared<Rotation>(engine, blur(), picture.view(), 40000), plan(*engine, blur()),
                     rules);
        way.warm_up();
        EXPECT_GT(way.sample(), 0) << testing::label(*engine);
        EXPECT_TRUE(testing::is_right(blur(), picture.view(), way.result().view()))
            << testing::label(*engine);
    }
}

TEST(TimedWay, ComputesWhatItTimes) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    auto way = blurring(40000);
    way.warm_up();
    way.sample();
    EXPECT_TRUE(testing::is_right(blur(), picture.view(), way.result().view()));
    way.run_afresh();
    EXPECT_TRUE(testing::is_right(blur(), picture.view(), way.result().view()));
}

TEST(TimedWay, RunsAfreshIntoNoise) {
    const auto engine = cpu::make_engine(1);
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    const auto rotation = std::make_shared<Rotation>(engine, blur(), picture.view(), 0);
    TimedWay right(rotation, plan(*engine, blur()), {});
    EXPECT_FALSE(poison_left(right.result().view()));
    TimedWay nothing(rotation, std::make_shared<Counts>(), {}); // the same buffers, where a right result lies
    EXPECT_TRUE(poison_left(nothing.result().view()));
    right.sample();
    EXPECT_FALSE(poison_left(right.result().view()));
    nothing.run_afresh();
    EXPECT_TRUE(poison_left(nothing.result().view()));
}

TEST(TimedWay, StopsWhenAsked) {
    auto way = blurring();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(way.sample(stop.get_token()), Cancelled);
    EXPECT_THROW(way.upload_sample(stop.get_token()), Cancelled);
    EXPECT_GT(way.sample(), 0);
}

} // namespace
} // namespace kg::measure
