// A way is timed on the engine's clock, cold or warm, without its first call. Sizes of times are never asserted.

#include "measure/timed_way.hpp"

#include "core/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace kg::measure {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1};

ImageRequest blur() {
    return {{64, 48}, kGrey, kGrey, {{{make_kernel(3, 3, std::vector<float>(9, 1.0f), 9)}}}};
}

TimedWay blurring(const ConstImageView& picture, const TimingRules& rules) {
    const auto engine = cpu::make_engine(2);
    return {engine, blur(), plan(*engine, blur()), picture, rules};
}

/// Does nothing; its first run sleeps.
class SlowAtFirst final : public Plan {
public:
    static inline std::atomic<int> runs = 0;
    static constexpr auto kSleep = std::chrono::milliseconds(300);

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }
    void record(Queue& queue, std::span<const Item>, const BufferView&) const override {
        static_cast<cpu::HostQueue&>(queue).enqueue([](const cpu::HostQueue::Context&) {
            if (runs++ == 0) std::this_thread::sleep_for(kSleep);
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
    const auto engine = cpu::make_engine(1);
    TimedWay way(engine, blur(), plan(*engine, blur(), kSlowAtFirst), picture.view(), {});
    EXPECT_GE(way.first_run_us(), 300e3);
    way.warm_up();
    for (int i = 0; i < 5; ++i) EXPECT_LT(way.sample(), 150e3);
}

TEST(TimedWay, RepeatsShortWorkUntilASampleIsLong) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    auto way = blurring(picture.view(), {});
    way.warm_up();
    EXPECT_GT(way.runs_per_sample(), 1);
    EXPECT_GT(way.sample(), 0);
    EXPECT_GT(way.upload_sample(), 0);
    EXPECT_GT(way.download_sample(), 0);
}

TEST(TimedWay, RotatesItsBuffersOnlyForColdTimes) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    TimingRules cold;
    cold.rotate_bytes = std::size_t{1} << 20;
    EXPECT_EQ(blurring(picture.view(), {}).rotating_buffers(), 1u);
    EXPECT_GE(blurring(picture.view(), cold).rotating_buffers() * 2 * buffer_pitch(64, kGrey) * 48,
              cold.rotate_bytes);
}

TEST(TimedWay, ComputesWhatItTimes) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    TimingRules cold;
    cold.rotate_bytes = 40000;
    auto way = blurring(picture.view(), cold);
    way.warm_up();
    way.sample();
    EXPECT_TRUE(testing::is_right(blur(), picture.view(), way.result().view()));
}

TEST(TimedWay, StopsWhenAsked) {
    const auto picture = testing::random_picture({64, 48}, kGrey, 1);
    auto way = blurring(picture.view(), {});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(way.sample(stop.get_token()), Cancelled);
    EXPECT_THROW(way.upload_sample(stop.get_token()), Cancelled);
    EXPECT_GT(way.sample(), 0);
}

} // namespace
} // namespace kg::measure
