// An algorithm is timed on the engine's clock, without its first call, and into buffers in which no older
// result can be mistaken for its own. Durations are never asserted.

#include "measure/timed_algorithm.hpp"

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

constexpr PixelFormat kFormat{Depth::u8, 1};

ImageRequest timed_blur() {
    return {{64, 48}, kFormat, kFormat, {{{make_kernel(3, 3, std::vector<float>(9, 1.0f), 9)}}}};
}

TimedAlgorithm blurring(std::size_t rotate_bytes = 0, const TimingRules& rules = {},
                        const std::shared_ptr<Engine>& engine = cpu::make_engine(2)) {
    const auto image = testing::random_image({64, 48}, kFormat, 1);
    return {std::make_shared<Rotation>(engine, timed_blur(), image.view(), rotate_bytes),
            plan(*engine, timed_blur()), rules};
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
const Algorithm kSlowAtFirst{"slow_at_first",
                             "",
                             "",
                             "",
                             [](const PlanStep&, const Engine&) { return std::string(); },
                             [](const PlanStep&, const Engine&) { return Cost{}; },
                             [](const PlanStep&, Engine&, const PlanContext&) -> std::shared_ptr<const Plan> {
                                 return std::make_shared<SlowAtFirst>();
                             }};

TEST(TimedAlgorithm, KeepsTheFirstCallOutOfTheSamples) {
    const auto image = testing::random_image({64, 48}, kFormat, 1);
    SlowAtFirst::runs = 0;
    const auto engine = std::make_shared<testing::ClockedEngine>();
    TimedAlgorithm algorithm(std::make_shared<Rotation>(engine, timed_blur(), image.view(), 0),
                             plan(*engine, timed_blur(), kSlowAtFirst), {});
    EXPECT_EQ(SlowAtFirst::runs, 1);
    EXPECT_GT(algorithm.first_run_us(), 0); // on the caller's clock
    algorithm.warm_up();
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(algorithm.sample(), 20, 1e-3);
}

TEST(TimedAlgorithm, RepeatsShortWorkUntilASampleIsLong) {
    TimingRules rules;
    rules.least_sample_us = 100 * testing::ClockedEngine::kTask;
    auto algorithm = blurring(0, rules, std::make_shared<testing::ClockedEngine>());
    algorithm.warm_up();
    const int runs = algorithm.runs_per_sample();
    EXPECT_GT(runs, 1);
    const auto each = algorithm.sample();
    EXPECT_GE(runs * each, rules.least_sample_us);
    EXPECT_LT((runs - 1) * each, 1.2 * rules.least_sample_us) << "no more than a fifth beyond it";
    EXPECT_NEAR(algorithm.upload_sample(), testing::ClockedEngine::kTask, 1e-3);
    EXPECT_NEAR(algorithm.download_sample(), testing::ClockedEngine::kTask, 1e-3);
    algorithm.wake_up();
    EXPECT_EQ(algorithm.runs_per_sample(), runs);
}

/// Records how many of its runs had begun when the last one was recorded.
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

TEST(TimedAlgorithm, QueuesAllRunsOfASampleBeforeTheFirstBegins) {
    const auto engine = std::make_shared<testing::ClockedEngine>();
    const auto image = testing::random_image({64, 48}, kFormat, 1);
    TimedAlgorithm algorithm(std::make_shared<Rotation>(engine, timed_blur(), image.view(), 0),
                             std::make_shared<Counts>(), {});
    algorithm.warm_up();
    ASSERT_GT(algorithm.runs_per_sample(), 100); // many more than are queued while a thread wakes up
    // On a busy machine the gate may have to open by itself now and then.
    EXPECT_TRUE(testing::eventually([&] {
        Counts::begun = 0, Counts::recorded = 0;
        algorithm.sample();
        EXPECT_EQ(Counts::recorded, algorithm.runs_per_sample());
        EXPECT_EQ(Counts::begun, algorithm.runs_per_sample());
        return Counts::begun_early == 0;
    }));
}

/// A GPU's queue accepts a thousand launches, then waits for one to begin.
TEST(TimedAlgorithm, EndsThoughAQueueMayTakeOnlySoMuch) {
    const auto image = testing::random_image({64, 48}, kFormat, 1);
    TimingRules rules;
    rules.least_sample_us = 30e3; // thousands of runs
    rules.most_warm_up_us = 100e3;
    for (const auto& engine : testing::engines()) {
        if (testing::label(*engine).starts_with("detached")) continue; // it delays each of them
        TimedAlgorithm algorithm(std::make_shared<Rotation>(engine, timed_blur(), image.view(), 40000),
                                 plan(*engine, timed_blur()), rules);
        algorithm.warm_up();
        EXPECT_GT(algorithm.sample(), 0) << testing::label(*engine);
        EXPECT_TRUE(testing::is_right(timed_blur(), image.view(), algorithm.result().view()))
            << testing::label(*engine);
    }
}

TEST(TimedAlgorithm, ComputesWhatItTimes) {
    const auto image = testing::random_image({64, 48}, kFormat, 1);
    auto algorithm = blurring(40000);
    algorithm.warm_up();
    algorithm.sample();
    EXPECT_TRUE(testing::is_right(timed_blur(), image.view(), algorithm.result().view()));
    algorithm.run_afresh();
    EXPECT_TRUE(testing::is_right(timed_blur(), image.view(), algorithm.result().view()));
}

TEST(TimedAlgorithm, RunsAfreshIntoNoise) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({64, 48}, kFormat, 1);
    const auto rotation = std::make_shared<Rotation>(engine, timed_blur(), image.view(), 0);
    TimedAlgorithm right(rotation, plan(*engine, timed_blur()), {});
    EXPECT_FALSE(poison_left(right.result().view()));
    // the same buffers, with a right result in them
    TimedAlgorithm nothing(rotation, std::make_shared<Counts>(), {});
    EXPECT_TRUE(poison_left(nothing.result().view()));
    right.sample();
    EXPECT_FALSE(poison_left(right.result().view()));
    nothing.run_afresh();
    EXPECT_TRUE(poison_left(nothing.result().view()));
}

TEST(TimedAlgorithm, StopsWhenAsked) {
    auto algorithm = blurring();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(algorithm.sample(stop.get_token()), Cancelled);
    EXPECT_THROW(algorithm.upload_sample(stop.get_token()), Cancelled);
    EXPECT_GT(algorithm.sample(), 0);
}

} // namespace
} // namespace kg::measure
