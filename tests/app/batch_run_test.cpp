// The work of a batch by itself, as the window and the command have it done.

#include "app/batch/run.hpp"
#include "app/document/sample_picture.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <set>
#include <thread>

namespace kg::testing {
namespace {

using namespace std::chrono_literals;

class BatchRun : public ::testing::Test {
protected:
    void SetUp() override {
        constexpr int kPictures = 40;
        for (int i = 0; i < kPictures; ++i) {
            batch::Task task;
            task.input.path = folder_.path() / (std::to_string(i) + ".png");
            task.name = task.output = std::to_string(i) + ".png";
            task.format = "png";
            write_picture(task.input.path, sample_picture({60 + i, 40}).view());
            tasks_.push_back(task);
        }
        wish_.recipe = parse_recipe("box", "recipe");
        wish_.choice = {cpu::make_engine(2), {}};
        wish_.out = folder_.path() / "out";
        wish_.pictures = 2;
        wish_.bytes_in_flight = wish_.largest_picture = std::size_t{1} << 30;
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
    auto run = begin([&](const batch::FileResult&) { pause_.set(true); });
    while (settled_ == 0) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(run.wait_for(200ms), std::future_status::timeout);
    const auto settled = settled_.load();
    EXPECT_LT(settled, tasks_.size());
    EXPECT_EQ(run.wait_for(50ms), std::future_status::timeout);
    EXPECT_EQ(settled_, settled) << "what was begun is done, and nothing else is begun";
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
