#include "core/support/thread.hpp"

#include "tests/support/no_threads.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace kg {
namespace {

TEST(Thread, ARefusedThreadIsAbsentOrReportedByAMessage) {
    const testing::NoThreads refusal;
    EXPECT_FALSE(try_thread([] {}).joinable());
    EXPECT_TRUE(try_threads(3, [] {}).empty());
    try {
        start_thread([] {});
        FAIL();
    } catch (const Error& error) {
        const std::string message = error.what();
        for (const auto* words : {"cannot start a thread", "ulimit -u", "ulimit -v", "--threads"})
            EXPECT_NE(message.find(words), std::string::npos) << message;
    }
}

TEST(Thread, WorkWithoutAThreadIsDoneByWhoeverWantsItsResult) {
    const auto kept = std::make_shared<int>(7);
    const auto doer = [kept] { return std::pair(*kept, std::this_thread::get_id()); };
    {
        const testing::NoThreads refusal;
        EXPECT_EQ(begin_work(doer).get(), std::pair(7, std::this_thread::get_id()));
    }
    auto elsewhere = begin_work(doer).get();
    EXPECT_EQ(elsewhere.first, 7);
    EXPECT_NE(elsewhere.second, std::this_thread::get_id());
}

TEST(Thread, ARefusalIsKnownWhoeverThrowsIt) {
    const testing::NoThreads refusal;
    try {
        std::thread([] {}).join();
        FAIL();
    } catch (const std::exception& error) {
        EXPECT_TRUE(is_refused_thread(error)) << error.what();
        EXPECT_EQ(message_of(error), no_thread().what());
    }
    const std::runtime_error of_tbb("pthread_create has failed: Resource temporarily unavailable"),
        other("other");
    EXPECT_EQ(message_of(of_tbb), no_thread().what());
    EXPECT_EQ(message_of(other), "other");
}

} // namespace
} // namespace kg
