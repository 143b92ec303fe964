// The work of a batch by itself, as the window and the command have it done.

#include "app/batch/background.hpp"
#include "app/batch/run.hpp"
#include "app/document/sample_picture.hpp"
#include "core/error.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/app/support/batch_wish.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/transfer_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <poll.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kg::testing {
namespace {

using namespace std::chrono_literals;

class BatchRun : public ::testing::Test {
protected:
    void SetUp() override {
        tasks_ = forty_pngs(folder_.path(), 1);
        wish_ = wish_to_blur(2, 2);
        wish_.out = folder_.path() / "out";
    }
    /// Without a journal, so nothing is written.
    std::future<batch::RunResult> begin(std::function<void(const batch::FileResult&)> sink = {}) {
        return std::async(std::launch::async, [this, sink] {
            return batch::run_tasks(tasks_, wish_, stop_.get_token(), [&](const batch::FileResult& result) {
                if (sink) sink(result);
                ++settled_;
            });
        });
    }

    TemporaryFolder folder_{"batch_run"};
    std::vector<batch::Task> tasks_;
    batch::RunWish wish_;
    batch::Pause pause_;
    std::stop_source stop_;
    std::atomic<std::size_t> settled_ = 0;
};

TEST_F(BatchRun, MoreThreadsThanCoresWaitForAGpu) {
    wish_.choice = {make_detached_engine(), {}};
    wish_.further = {make_detached_engine(2)};
    wish_.pictures = 8;
    std::set<std::ptrdiff_t> devices;
    auto run = begin([&](const batch::FileResult& result) {
        EXPECT_EQ(result.error, "");
        devices.insert(result.device);
    });
    EXPECT_EQ(run.get().done, tasks_.size());
    EXPECT_EQ(devices, (std::set<std::ptrdiff_t>{0, 1}));
}

TEST_F(BatchRun, PicturesLieWhereAGpuFetchesThem) {
    const auto engine = std::make_shared<TransferWatch>();
    wish_.pictures = 1; // so that transfers are in order
    for (const std::size_t most : {std::size_t{1} << 28, std::size_t{30'000}}) {
        wish_.choice = {engine, {}};
        wish_.bytes_in_flight = 4 * most;
        const auto before = engine->transfers();
        EXPECT_EQ(begin().get().done, tasks_.size());
        const auto after = engine->transfers();
        EXPECT_EQ(after.from.size() - before.from.size(), tasks_.size());
        if (most > 30'000) {
            EXPECT_EQ(after.elsewhere, 0U);
            for (std::size_t i = 0; i < after.from.size(); ++i)
                EXPECT_NE(after.from[i], after.to[i]) << "copied to where its result will lie";
        } else EXPECT_GT(after.elsewhere, 0U) << "there is not so much";
        EXPECT_EQ(engine->staging_bytes(), 0U) << "all of it is given back";
    }
}

/// Sees how often each file of a folder was read.
class Readings {
public:
    explicit Readings(const std::filesystem::path& folder) : notices_(::inotify_init1(IN_CLOEXEC)) {
        EXPECT_GE(::inotify_add_watch(notices_, folder.c_str(), IN_CLOSE_NOWRITE), 0);
    }
    ~Readings() { ::close(notices_); }
    /// Until so many files were read as often as that. A busy machine proves nothing, so it waits for a minute after each.
    void wait_for(std::size_t files, int times) {
        constexpr int kMinute = 60'000;
        alignas(inotify_event) char buffer[1 << 14];
        while (files > 0) {
            pollfd next{.fd = notices_, .events = POLLIN, .revents = 0};
            if (::poll(&next, 1, kMinute) != 1) {
                ADD_FAILURE() << files << " more files should have been read " << times << " times";
                for (const auto& [name, count] : counts_) std::cerr << name << ": " << count << '\n';
                return;
            }
            const auto length = ::read(notices_, buffer, sizeof buffer);
            for (const char* at = buffer; at < buffer + length;) {
                const auto& event = *reinterpret_cast<const inotify_event*>(at);
                if (++counts_[event.name] == times && files > 0) --files;
                at += sizeof event + event.len;
            }
        }
    }

private:
    int notices_;
    std::map<std::string, int> counts_;
};

TEST_F(BatchRun, ReadsAndDecodesWhileTheEngineStarts) {
    constexpr std::size_t kFiles = 10;
    Readings readings(folder_.path());
    wish_.choice = {};
    wish_.get_ready = [&](batch::RunWish& run) {
        readings.wait_for(kFiles, 2); // each is opened twice: once so that the system has it ready
        EXPECT_EQ(settled_, 0U);
        run.choice = {make_detached_engine(), {}};
    };
    batch::Load load;
    auto run = begin([&](const batch::FileResult& result) {
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(result.engine, "detached");
        load = result.load;
    });
    EXPECT_EQ(run.get().done, tasks_.size());
    EXPECT_GE(load.ahead, kFiles) << "far more than go at a time";
    EXPECT_EQ(load.devices, 1);
}

TEST_F(BatchRun, NoMoreIsDecodedAheadThanThereIsMemoryFor) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{200'000}}) {
        wish_.bytes_in_flight = bytes; // of about 40,000 for each
        wish_.choice = {};
        std::atomic<bool> is_there = false;
        wish_.get_ready = [&](batch::RunWish& run) {
            std::this_thread::sleep_for(100ms); // the longer, the more would be
            run.choice = {cpu::make_engine(1), {}};
            is_there = true;
        };
        batch::Load load;
        auto run = begin([&](const batch::FileResult& result) {
            EXPECT_TRUE(is_there);
            EXPECT_EQ(result.error, "");
            load = result.load;
        });
        EXPECT_EQ(run.get().done, tasks_.size());
        EXPECT_LE(load.ahead, bytes == 1 ? 2U : 20U) << "the last one waits without memory";
        EXPECT_EQ(load.devices, 0);
    }
}

TEST_F(BatchRun, AStopWhileTheEngineStartsLeavesWhatIsDecoded) {
    wish_.choice = {};
    wish_.get_ready = [&](batch::RunWish& run) {
        stop_.request_stop();
        run.choice = {cpu::make_engine(1), {}};
    };
    const auto result = begin().get();
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.done, 0U);
    EXPECT_EQ(settled_, 0U);
}

TEST_F(BatchRun, AnEngineThatDoesNotComeEndsTheRunBeforeAnythingIsSeen) {
    write_file(tasks_.front().input.path, "no picture");
    wish_.choice = {};
    wish_.get_ready = [](batch::RunWish&) { throw Unavailable("no device"); };
    for (const auto state : {batch::Task::State::wanted, batch::Task::State::up_to_date}) {
        for (auto& task : tasks_) task.state = state;
        EXPECT_THROW(begin().get(), Unavailable);
        EXPECT_EQ(settled_, 0U);
    }
}

TEST_F(BatchRun, BesideAWindowItHasThreadsOfItsOwnThatGiveWay) {
    wish_.in_background = true;
    wish_.pictures = 3;
    std::mutex mutex;
    std::set<int> priorities;
    std::set<std::thread::id> threads;
    wish_.look = [&](const auto&, const auto&, const auto&) {
        const std::lock_guard lock(mutex);
        priorities.insert(::getpriority(PRIO_PROCESS, 0));
        threads.insert(std::this_thread::get_id());
        std::this_thread::sleep_for(5ms); // so that the others have a turn
    };
    const int before = ::getpriority(PRIO_PROCESS, 0);
    std::jthread([&] {
        batch::give_way();
        const auto result = batch::run_tasks(
            tasks_, wish_, {}, [](const batch::FileResult& each) { EXPECT_EQ(each.error, ""); });
        EXPECT_EQ(result.done, tasks_.size());
    }).join();
    EXPECT_EQ(priorities, std::set{std::min(before + 10, 19)});
    EXPECT_GT(threads.size(), 1u);
    EXPECT_LE(threads.size(), 3u);
    EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before) << "who did not ask keeps its priority";
}

TEST_F(BatchRun, APauseBeginsNothingUntilItEnds) {
    pause_.set(true);
    wish_.pause = &pause_;
    auto run = begin();
    EXPECT_EQ(run.wait_for(100ms), std::future_status::timeout);
    EXPECT_EQ(settled_, 0U);
    pause_.set(false);
    const auto result = run.get();
    EXPECT_EQ(result.done, tasks_.size());
    EXPECT_FALSE(result.stopped);
}

TEST_F(BatchRun, APauseInBetweenFinishesWhatIsBegun) {
    wish_.pause = &pause_;
    std::atomic<std::size_t> seen = 0;
    wish_.look = [&](auto&&...) { ++seen, pause_.set(true); };
    auto run = begin();
    while (seen == 0 || settled_ < seen) std::this_thread::sleep_for(1ms); // what is begun is done
    EXPECT_EQ(run.wait_for(200ms), std::future_status::timeout);
    EXPECT_LE(settled_, static_cast<std::size_t>(wish_.pictures)) << "nothing else is begun";
    while (run.wait_for(1ms) == std::future_status::timeout) pause_.set(false);
    EXPECT_EQ(run.get().done, tasks_.size());
}

TEST_F(BatchRun, AStopEndsAPause) {
    pause_.set(true);
    wish_.pause = &pause_;
    auto run = begin();
    EXPECT_EQ(run.wait_for(50ms), std::future_status::timeout);
    stop_.request_stop();
    const auto result = run.get();
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.done, 0U);
    EXPECT_TRUE(pause_.is_set());
}

} // namespace
} // namespace kg::testing
