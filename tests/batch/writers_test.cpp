#include "app/batch/run/writers.hpp"
#include "app/batch/session/session.hpp"
#include "app/editor/worker/worker.hpp"
#include "app/process/background.hpp"
#include "core/support/error.hpp"
#include "tests/support/app/batch_options.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/no_threads.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

namespace kg::testing {
namespace {

TEST(BatchWriters, WriteWhatIsLeftBeforeTheyEnd) {
    std::mutex mutex;
    std::multiset<int> written;
    {
        batch::Writers<int> writers(3, [&](int& number) {
            const std::lock_guard lock(mutex);
            written.insert(number);
        });
        for (int i = 0; i < 500; ++i) writers.push(std::make_unique<int>(i));
    }
    EXPECT_EQ(written.size(), 500U);
    EXPECT_EQ(std::set(written.begin(), written.end()).size(), 500U);
}

TEST(BatchWriters, WithoutThreadsWhoeverBringsWorkWritesIt) {
    const NoThreads refusal;
    std::vector<int> written;
    batch::Writers<int> writers(16, [&](int& number) { written.push_back(number); });
    for (int i = 0; i < 3; ++i) writers.push(std::make_unique<int>(i));
    EXPECT_EQ(written, (std::vector{0, 1, 2}));
}

TEST(BatchWithoutThreads, ARunBesideAWindowIsDoneByWhoAsks) {
    const TemporaryFolder folder("no_threads");
    const auto tasks = forty_pngs(folder.path());
    auto options = options_for_blur(2, 3);
    options.out = folder.path() / "out";
    options.in_background = true;
    const auto choice = options.choice;
    options.get_ready = [&](batch::RunOptions& run) { run.choice = choice; };
    options.choice = {};
    const NoThreads refusal;
    std::set<std::thread::id> threads;
    options.inspect = [&](auto&&...) { threads.insert(std::this_thread::get_id()); };
    const auto result = batch::run_tasks(
        tasks, options, {}, [](const batch::FileResult& each) { EXPECT_EQ(error_of(each), ""); });
    EXPECT_EQ(result.done, tasks.size());
    EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(BatchWithoutThreads, WorkThatNeedsAThreadReportsIt) {
    const NoThreads refusal;
    EXPECT_EQ(code_of([] { batch::Session({}); }), "no-thread");
    EXPECT_EQ(code_of([] { Worker([] {}); }), "no-thread");
}

} // namespace
} // namespace kg::testing
