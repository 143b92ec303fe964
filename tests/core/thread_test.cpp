#include "core/support/thread.hpp"

#include "tests/support/error_code.hpp"
#include "tests/support/no_threads.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <stdexcept>

namespace kg {
namespace {

TEST(Thread, ARefusedThreadIsAbsentOrReportedByAMessage) {
    const testing::NoThreads refusal;
    EXPECT_FALSE(try_thread([] {}).joinable());
    EXPECT_TRUE(try_threads(3, [] {}).empty());
    EXPECT_EQ(testing::code_of([] { start_thread([] {}); }), "no-thread");
    EXPECT_STREQ(no_thread().what(),
                 "cannot start a thread: the limit of processes or of memory is reached; raise it (ulimit "
                 "-u, ulimit -v, a container's limits), end other programs, or use fewer with --threads");
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
        EXPECT_EQ(as_error(error).code(), "no-thread");
    }
    const std::runtime_error of_tbb("pthread_create has failed: Resource temporarily unavailable"),
        other("other");
    EXPECT_EQ(as_error(of_tbb).code(), "no-thread");
    EXPECT_EQ(as_error(other).code(), "system-error");
    EXPECT_EQ(message_of(other), "other");
    EXPECT_EQ(as_error(std::bad_alloc()).code(), "out-of-memory");
}

} // namespace
} // namespace kg
