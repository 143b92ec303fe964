// Waits come to an end, and what takes too long is named.

#include "app/bench/patience.hpp"
#include "app/bench/watch.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <future>
#include <string>

namespace kg {
namespace {

std::string words_of(
    const Patience& patience, const std::function<bool()>& come = [] { return false; }) {
    try {
        patience.until("the filter", come);
    } catch (const Stuck& stuck) {
        return stuck.what();
    }
    return "it came";
}

TEST(Patience, WhatComesIsWaitedForNoLonger) {
    const Patience patience({}, {.seconds = 1e9, .after_stop = 1e9});
    int asked = 0;
    patience.until("the filter", [&] { return ++asked == 3; });
    EXPECT_EQ(asked, 3);
    patience.until_done("the filter", Completion());
}

TEST(Patience, WhatDoesNotComeIsNamed) {
    EXPECT_EQ(words_of(Patience({}, {.seconds = 0.05, .after_stop = 1e9})),
              "the filter did not come to an end within 50 ms");
}

TEST(Patience, AStopLeavesWhatIsUnderWayAShortTime) {
    std::stop_source stop;
    std::atomic<int> asked = 0;
    const auto words_after = [&](double seconds, int comes) {
        const Patience patience(stop.get_token(), {.seconds = 1e9, .after_stop = seconds});
        asked = 0;
        return words_of(patience, [&asked, comes] { return ++asked == comes; });
    };
    auto words = std::async(std::launch::async, words_after, 0.05, -1);
    EXPECT_TRUE(testing::eventually([&] { return asked > 100; }))
        << "without a stop it is asked for again and again";
    stop.request_stop();
    EXPECT_EQ(words.get(), "the filter did not come to an end within 50 ms after the stop");
    EXPECT_EQ(words_after(1e9, 3), "it came") << "what comes in that time has come";
}

TEST(Watch, WhatTakesTooLongIsSaidOnce) {
    std::promise<std::string> said;
    Watch watch(0.05, [&](const std::string& what) { said.set_value(what); });
    watch.doing("a step");
    EXPECT_EQ(said.get_future().get(), "a step");
    watch.doing("another step");
}

TEST(Watch, AsLongAsAnythingHappensNothingIsSaid) {
    Watch watch(60, [](const std::string& what) { ADD_FAILURE() << what; });
    for (int i = 0; i < 1000; ++i) watch.doing("a step");
}

// As a driver that does not return: nothing looks at the stop.
TEST(InterruptsDeathTest, WorkThatDoesNotEndIsEndedByTheFirstSignal) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(
        {
            const Interrupts interrupts(0.1);
            std::raise(SIGTERM);
            for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
        },
        ::testing::ExitedWithCode(143), "did not come to its end within 0.1 s");
}

TEST(InterruptsDeathTest, WorkThatEndsInTimeIsNotDisturbed) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(
        {
            int exit_code = 0;
            {
                const Interrupts interrupts(60);
                std::raise(SIGTERM);
                while (!interrupts.token().stop_requested()) std::this_thread::yield();
                exit_code = interrupts.exit_code();
            }
            std::_Exit(exit_code + 1);
        },
        ::testing::ExitedWithCode(144), "^$");
}

} // namespace
} // namespace kg
