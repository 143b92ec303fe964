#include "core/support/thread.hpp"

#include "core/support/in_parallel.hpp"

#include "tests/support/error_code.hpp"
#include "tests/support/no_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

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

TEST(Thread, WorkInParallelIsDoneOnceForEveryIndexWithOrWithoutThreads) {
    for (const bool refused : {false, true}) {
        std::optional<testing::NoThreads> refusal;
        if (refused) refusal.emplace();
        std::vector<std::atomic<int>> done(1000);
        in_parallel(std::ssize(done), [&](std::int64_t i) { ++done[static_cast<std::size_t>(i)]; });
        for (const auto& times : done) EXPECT_EQ(times, 1);
    }
    in_parallel(0, [](std::int64_t) { FAIL(); });
}

TEST(Thread, AnExceptionOfWorkInParallelReachesTheCaller) {
    EXPECT_EQ(testing::code_of([] {
                  in_parallel(100, [](std::int64_t i) {
                      if (i == 7) throw Error("seventh", "the work fails");
                  });
              }),
              "seventh");
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
