// Waits are bounded, and the overdue one is named.

#include "app/bench/timeout.hpp"
#include "app/bench/watch.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <future>
#include <string>

namespace kg {
namespace {

std::string message_of(
    const Timeout& timeout, const std::function<bool()>& come = [] { return false; }) {
    try {
        timeout.until("the filter", come);
    } catch (const Stuck& stuck) {
        return stuck.what();
    }
    return "it came";
}

TEST(Timeout, ReturnsOnCompletion) {
    const Timeout timeout({}, {.seconds = 1e9, .after_stop = 1e9});
    int asked = 0;
    timeout.until("the filter", [&] { return ++asked == 3; });
    EXPECT_EQ(asked, 3);
    timeout.until_done("the filter", Completion());
}

TEST(Timeout, TheOverdueWaitIsNamed) {
    const Timeout timeout({}, {.seconds = 0.05, .after_stop = 1e9});
    EXPECT_EQ(message_of(timeout), "the filter did not finish within 50 ms");
    EXPECT_EQ(testing::code_of([&] { timeout.give_up("the filter"); }), "timeout");
}

TEST(Timeout, AStopLeavesWorkInFlightAShortTime) {
    std::stop_source stop;
    std::atomic<int> asked = 0;
    const auto message_after = [&](double seconds, int comes) {
        const Timeout timeout(stop.get_token(), {.seconds = 1e9, .after_stop = seconds});
        asked = 0;
        return message_of(timeout, [&asked, comes] { return ++asked == comes; });
    };
    auto words = std::async(std::launch::async, message_after, 0.05, -1);
    EXPECT_TRUE(testing::eventually([&] { return asked > 100; })) << "without a stop it is polled repeatedly";
    stop.request_stop();
    EXPECT_EQ(words.get(), "the filter did not finish within 50 ms after the stop");
    EXPECT_EQ(message_after(1e9, 3), "it came") << "completion within that time counts";
}

TEST(Watch, AnOverdueStepIsReportedOnce) {
    std::promise<std::string> reported;
    Watch watch(0.05, [&](const std::string& what) { reported.set_value(what); });
    watch.doing("a step");
    EXPECT_EQ(reported.get_future().get(), "a step");
    watch.doing("another step");
}

TEST(Watch, NothingIsReportedWhileStepsFollow) {
    Watch watch(60, [](const std::string& what) { ADD_FAILURE() << what; });
    for (int i = 0; i < 1000; ++i) watch.doing("a step");
}

// Like a driver that does not return: nothing checks the stop token.
TEST(InterruptsDeathTest, WorkThatDoesNotEndIsEndedByTheFirstSignal) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(
        {
            const Interrupts interrupts(0.1);
            std::raise(SIGTERM);
            for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
        },
        ::testing::ExitedWithCode(143), "did not finish within 0.1 s");
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
