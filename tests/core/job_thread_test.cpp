#include "core/support/job_thread.hpp"

#include "tests/support/no_threads.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <vector>

namespace kg {
namespace {

TEST(JobThread, DoesItsJobsInOrderOnOneThreadBeforeItEnds) {
    std::vector<int> done, expected(1000);
    std::iota(expected.begin(), expected.end(), 0);
    std::vector<std::thread::id> threads;
    {
        JobThread thread;
        for (const int i : expected)
            thread.push([&, i] {
                done.push_back(i);
                if (threads.empty() || threads.back() != std::this_thread::get_id())
                    threads.push_back(std::this_thread::get_id());
            });
    }
    EXPECT_EQ(done, expected);
    ASSERT_EQ(threads.size(), 1u);
    EXPECT_NE(threads.front(), std::this_thread::get_id());
}

TEST(JobThread, EndsOnceEvenIfAskedTwiceAndWithoutAnyJob) {
    JobThread idle;
    idle.finish();
    JobThread busy;
    int jobs = 0;
    busy.push([&] { ++jobs; });
    busy.finish();
    EXPECT_EQ(jobs, 1);
    busy.finish();
}

TEST(JobThread, WithoutAThreadWhoPushesDoesTheJobsInOrder) {
    std::vector<int> done;
    std::optional<testing::NoThreads> refusal(std::in_place);
    JobThread thread;
    EXPECT_FALSE(thread.start());
    thread.push([&] {
        thread.push([&] { done.push_back(2); }); // a job pushed by a job comes after those before it
        EXPECT_FALSE(thread.start());
        done.push_back(1);
    });
    EXPECT_EQ(done, (std::vector{1, 2}));
    refusal.reset();
    EXPECT_TRUE(thread.start());
    auto doer = std::this_thread::get_id();
    thread.push([&] { doer = std::this_thread::get_id(); });
    thread.finish();
    EXPECT_NE(doer, std::this_thread::get_id());
}

TEST(JobThread, WithoutOneOfItsOwnWhoPushesDoesTheJob) {
    JobThread thread(false);
    EXPECT_FALSE(thread.start());
    auto doer = std::thread::id();
    thread.push([&] { doer = std::this_thread::get_id(); });
    EXPECT_EQ(doer, std::this_thread::get_id());
}

} // namespace
} // namespace kg
