// Runs of a batch without the command or the window.

#include "app/batch/run/intake.hpp"
#include "app/batch/run/run.hpp"
#include "app/process/background.hpp"
#include "app/process/file/memory_need.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/app/batch_options.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/standstill.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/transfer_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <sys/resource.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class BatchRun : public ::testing::Test {
protected:
    void SetUp() override {
        tasks_ = forty_pngs(folder_.path(), 1);
        options_ = options_for_blur(2, 2);
        options_.out = folder_.path() / "out";
    }
    /// Without a journal, so nothing is written.
    std::future<batch::RunResult> begin(std::function<void(const batch::FileResult&)> sink = {}) {
        return std::async(std::launch::async, [this, sink] {
            return batch::run_tasks(tasks_, options_, stop_.get_token(),
                                    [&](const batch::FileResult& result) {
                                        if (sink) sink(result);
                                        ++settled_;
                                    });
        });
    }

    static bool is_over(const std::future<batch::RunResult>& run) {
        return run.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

    TemporaryFolder folder_{"batch_run"};
    std::vector<batch::Task> tasks_;
    batch::RunOptions options_;
    batch::Pause pause_;
    std::stop_source stop_;
    std::atomic<std::size_t> settled_ = 0;
};

TEST_F(BatchRun, MoreThreadsThanCoresWaitForAGpu) {
    options_.choice = {make_detached_engine(), {}};
    options_.further = {make_detached_engine(2)};
    options_.images = 8;
    std::set<std::ptrdiff_t> devices;
    auto run = begin([&](const batch::FileResult& result) {
        EXPECT_EQ(error_of(result), "");
        devices.insert(result.device);
    });
    EXPECT_EQ(run.get().done, tasks_.size());
    EXPECT_EQ(devices, (std::set<std::ptrdiff_t>{0, 1}));
}

TEST_F(BatchRun, ImagesLieWhereAGpuFetchesThem) {
    const auto engine = std::make_shared<TransferWatch>();
    options_.images = 1; // keeps transfers in order
    for (const std::size_t most : {std::size_t{1} << 28, std::size_t{30'000}}) {
        options_.choice = {engine, {}};
        options_.bytes_in_flight = 2 * most;
        const auto before = engine->transfers();
        EXPECT_EQ(begin().get().done, tasks_.size());
        const auto after = engine->transfers();
        EXPECT_EQ(after.from.size() - before.from.size(), tasks_.size());
        if (most > 30'000) {
            EXPECT_EQ(after.elsewhere, 0U);
            for (std::size_t i = 0; i < after.from.size(); ++i)
                EXPECT_NE(after.from[i], after.to[i]) << "copied to where its result will lie";
        } else EXPECT_GT(after.elsewhere, 0U) << "staging memory is limited";
        EXPECT_EQ(engine->staging_bytes(), 0U) << "all memory is returned";
    }
}

TEST_F(BatchRun, LargeFilesAreReadWhereTheyAreDecoded) {
    std::map<fs::path, Image> images;
    for (const auto* name : {"a.ppm", "b.ppm", "cut.ppm"}) {
        batch::Task task;
        task.name = task.output = name;
        task.input.path = folder_.path() / name;
        task.format = "png";
        auto image = random_image({1500, 1000}, {Depth::u8, 3}, 7 + static_cast<unsigned>(images.size()));
        write_image(task.input.path, image.view());
        images.emplace(name, std::move(image));
        tasks_.insert(tasks_.begin() + 3, task);
    }
    fs::resize_file(folder_.path() / "cut.ppm", 4'300'000); // it is still large
    options_.inspect = [&](const batch::Task& task, const LoadedImage& image, const ConstImageView&) {
        const auto large = images.find(task.name);
        if (large != images.end() && task.name != "cut.ppm") {
            EXPECT_TRUE(same_pixels(image.pixels.view(), large->second.view())) << task.name;
        }
    };
    const auto outcome = begin([&](const batch::FileResult& result) {
                             const auto& path = result.task->input.path;
                             EXPECT_EQ(result.input_bytes, fs::file_size(path));
                             EXPECT_EQ(error_of(result), "");
                             EXPECT_EQ(result.damage.empty(), path.filename() != "cut.ppm");
                         }).get();
    EXPECT_EQ(outcome.done, tasks_.size());
}

TEST_F(BatchRun, MemoryForALargeFileIsReservedBeforeItIsRead) {
    const auto path = folder_.path() / "large.ppm";
    write_image(path, random_image({1500, 1000}, {Depth::u8, 3}, 7).view());
    tasks_.resize(2); // one small file
    tasks_[1].input.path = path;
    const auto needed = [&](const fs::path& of) {
        return bytes_needed(probe(read_file(of), of.string(), {}), fs::file_size(of), options_.recipe);
    };
    batch::RunTally tally(options_, 1, [](const batch::FileResult&) {});
    batch::Intake intake(tasks_, options_, {}, tally);
    const std::unique_ptr<batch::FileInFlight> small(intake.next());
    EXPECT_TRUE(small->is_read);
    EXPECT_EQ(small->bytes_taken, needed(tasks_[0].input.path));
    const std::unique_ptr<batch::FileInFlight> large(intake.next());
    EXPECT_FALSE(large->is_read);
    EXPECT_TRUE(large->bytes.empty());
    EXPECT_EQ(large->bytes_taken, needed(path));
    batch::decode(*large, options_, nullptr);
    EXPECT_TRUE(large->is_read);
    EXPECT_EQ(large->image.pixels.size(), (Extent{1500, 1000}));
    EXPECT_EQ(intake.next(), nullptr);
}

TEST_F(BatchRun, ALargeFileThatChangesBeforeItIsReadIsAnError) {
    const auto path = folder_.path() / "large.ppm";
    write_image(path, random_image({1500, 1000}, {Depth::u8, 3}, 7).view());
    tasks_.resize(1);
    tasks_[0].input.path = path;
    batch::RunTally tally(options_, 1, [](const batch::FileResult&) {});
    batch::Intake intake(tasks_, options_, {}, tally);
    const std::unique_ptr<batch::FileInFlight> large(intake.next());
    write_image(path, random_image({3000, 2000}, {Depth::u8, 3}, 7).view());
    EXPECT_EQ(code_of([&] { batch::decode(*large, options_, nullptr); }), "file-changed");
}

TEST_F(BatchRun, ReadsAndDecodesWhileTheEngineStarts) {
    options_.choice = {};
    options_.get_ready = [&](batch::RunOptions& run) {
        EXPECT_TRUE(comes_to_standstill()); // all wanted images are decoded
        EXPECT_EQ(settled_, 0U);
        run.choice = {make_detached_engine(), {}};
    };
    batch::Load load;
    auto run = begin([&](const batch::FileResult& result) {
        EXPECT_EQ(error_of(result), "");
        EXPECT_EQ(result.engine->device().id, "detached");
        load = result.load;
    });
    EXPECT_EQ(run.get().done, tasks_.size());
    EXPECT_EQ(load.ahead, tasks_.size()) << "far more than go at a time";
    EXPECT_EQ(load.devices, 1);
}

TEST_F(BatchRun, NoMoreIsDecodedAheadThanThereIsMemoryFor) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{200'000}}) {
        options_.bytes_in_flight = bytes; // about 40,000 bytes per image
        options_.choice = {};
        std::atomic<bool> is_there = false;
        options_.get_ready = [&](batch::RunOptions& run) {
            EXPECT_TRUE(comes_to_standstill());
            run.choice = {cpu::make_engine(1), {}};
            is_there = true;
        };
        batch::Load load;
        auto run = begin([&](const batch::FileResult& result) {
            EXPECT_TRUE(is_there);
            EXPECT_EQ(error_of(result), "");
            load = result.load;
        });
        EXPECT_EQ(run.get().done, tasks_.size());
        EXPECT_LE(load.ahead, bytes == 1 ? 2U : 20U) << "the last one waits without memory";
        EXPECT_EQ(load.devices, 0);
    }
}

TEST_F(BatchRun, AStopWhileTheEngineStartsLeavesWhatIsDecoded) {
    options_.choice = {};
    options_.get_ready = [&](batch::RunOptions& run) {
        stop_.request_stop();
        run.choice = {cpu::make_engine(1), {}};
    };
    const auto result = begin().get();
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.done, 0U);
    EXPECT_EQ(settled_, 0U);
}

TEST_F(BatchRun, AnEngineThatDoesNotComeEndsTheRunBeforeAnythingIsSeen) {
    write_file(tasks_.front().input.path, "no image");
    options_.choice = {};
    options_.get_ready = [](batch::RunOptions&) { throw Unavailable("no-device", "no device"); };
    for (const auto state : {batch::Task::State::wanted, batch::Task::State::up_to_date}) {
        for (auto& task : tasks_) task.state = state;
        EXPECT_EQ(code_of([&] { begin().get(); }), "no-device");
        EXPECT_EQ(settled_, 0U);
    }
}

TEST_F(BatchRun, BesideAWindowItHasThreadsOfLowerPriority) {
    options_.in_background = true;
    options_.images = 3;
    std::mutex mutex;
    std::set<int> priorities;
    std::set<std::thread::id> threads;
    options_.inspect = [&](const auto&, const auto&, const auto&) {
        {
            const std::lock_guard lock(mutex);
            priorities.insert(::getpriority(PRIO_PROCESS, 0));
            threads.insert(std::this_thread::get_id());
        }
        EXPECT_TRUE(eventually([&] { // the first one waits for another
            const std::lock_guard lock(mutex);
            return threads.size() > 1;
        }));
    };
    const int before = ::getpriority(PRIO_PROCESS, 0);
    std::jthread([&] {
        lower_priority();
        const auto result = batch::run_tasks(
            tasks_, options_, {}, [](const batch::FileResult& each) { EXPECT_EQ(error_of(each), ""); });
        EXPECT_EQ(result.done, tasks_.size());
    }).join();
    EXPECT_EQ(priorities, std::set{std::min(before + 10, 19)});
    EXPECT_LE(threads.size(), 3u);
    EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before) << "the caller keeps its priority";
}

TEST_F(BatchRun, APauseBeginsNothingUntilItEnds) {
    pause_.set(true);
    options_.pause = &pause_;
    auto run = begin();
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(is_over(run));
    EXPECT_EQ(settled_, 0U);
    pause_.set(false);
    const auto result = run.get();
    EXPECT_EQ(result.done, tasks_.size());
    EXPECT_FALSE(result.stopped);
}

TEST_F(BatchRun, APauseInBetweenFinishesWhatIsBegun) {
    options_.pause = &pause_;
    std::atomic<std::size_t> seen = 0;
    options_.inspect = [&](auto&&...) { ++seen, pause_.set(true); };
    auto run = begin();
    ASSERT_TRUE(eventually([&] { return seen > 0; }));
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(is_over(run));
    EXPECT_EQ(settled_, seen) << "images in flight are completed";
    EXPECT_LE(settled_, static_cast<std::size_t>(options_.images)) << "no other image is begun";
    EXPECT_TRUE(eventually([&] {
        pause_.set(false);
        return is_over(run);
    }));
    EXPECT_EQ(run.get().done, tasks_.size());
}

TEST_F(BatchRun, AStopEndsAPause) {
    pause_.set(true);
    options_.pause = &pause_;
    auto run = begin();
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(is_over(run));
    stop_.request_stop();
    const auto result = run.get();
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.done, 0U);
    EXPECT_TRUE(pause_.is_set());
}

} // namespace
} // namespace kg::testing
