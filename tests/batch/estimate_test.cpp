// Estimates of a batch from a sample of its images.

#include "app/batch/report/estimate.hpp"
#include "app/batch/run/processor_share.hpp"
#include "app/process/sample_image.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/app/batch_options.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <filesystem>
#include <latch>
#include <set>
#include <stop_token>
#include <thread>

#include <pthread.h>
#include <sched.h>

namespace kg::testing {
namespace {

using batch::Task;

Task task_of(const std::string& name, std::uint64_t bytes) {
    Task task;
    task.input.path = name;
    task.input.extension = name.substr(name.rfind('.'));
    task.input.bytes = bytes;
    task.name = task.output = name;
    task.format = task.input.extension.substr(1);
    return task;
}

TEST(BatchEstimate, DrawsFormatsAndSizesInProportionToTheirBytes) {
    std::vector<Task> tasks;
    for (int i = 0; i < 300; ++i) tasks.push_back(task_of("a" + std::to_string(i) + ".jpg", 1000));
    for (int i = 0; i < 10; ++i) tasks.push_back(task_of("b" + std::to_string(i) + ".tif", 30'000));
    const auto drawn = batch::draw(tasks);
    int large = 0;
    for (int i = 0; i < 8; ++i) large += drawn[static_cast<std::size_t>(i)]->input.bytes > 1000;
    EXPECT_EQ(large, 4) << "each format has half of the bytes";
    const std::set<const Task*> distinct(drawn.begin(), drawn.end());
    EXPECT_EQ(distinct.size(), tasks.size()) << "few tasks are all among them";

    tasks.assign(5000, task_of("c.png", 10));
    EXPECT_LT(batch::draw(tasks).size(), 1000U);
    tasks.assign(1, task_of("empty.png", 0));
    EXPECT_EQ(batch::draw(tasks).front(), tasks.data());
}

/// The samples that a machine of two threads takes of the first draws: 3 ms per image and 2 ns per byte;
/// outputs are half as long.
batch::Probe probed(const std::vector<Task>& tasks, std::size_t images) {
    batch::Probe probe{.drawn = batch::draw(tasks), .taken = {}, .counts = {}};
    auto& counts = probe.counts;
    for (const auto* task : probe.drawn) {
        if (probe.taken.size() == images && !probe.taken.contains(task)) break;
        const auto bytes = static_cast<double>(task->input.bytes);
        if (!probe.taken.try_emplace(task, 0.003 + 2e-9 * bytes, bytes / 2).second) continue;
        ++counts.done;
        counts.stages.decode += 0.003 + 2e-9 * bytes;
        counts.bytes_written += task->input.bytes / 2;
    }
    counts.load = {.seconds = counts.stages.decode / 2 / 0.8, .threads = 2}; // while they were busy
    return probe;
}

TEST(BatchEstimate, HoldsForAllBytesWhateverTheSizes) {
    std::vector<Task> tasks;
    double seconds = 0, bytes = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto length = static_cast<std::uint64_t>(100'000 + 5'000 * (i % 300));
        tasks.push_back(task_of(std::to_string(i) + (i % 3 ? ".jpg" : ".png"), length));
        seconds += (0.003 + 2e-9 * static_cast<double>(length)) / 2;
        bytes += static_cast<double>(length) / 2;
    }
    for (const std::size_t images : {20, 100}) {
        const auto estimate = batch::estimate_from(probed(tasks, images), tasks, 2);
        EXPECT_EQ(estimate.images, images);
        EXPECT_LT(estimate.seconds.least, seconds) << images;
        EXPECT_GT(estimate.seconds.most, seconds) << images;
        EXPECT_NEAR(estimate.seconds.likely / seconds, 1, 0.1) << images;
        EXPECT_NEAR(estimate.bytes.likely / bytes, 1, 0.001) << images;
    }
}

TEST(BatchEstimate, OfUnlikeImagesHasAWideRangeWithoutANegativeTime) {
    std::vector<Task> tasks{task_of("large.ppm", 18'000'000)};
    for (int i = 0; i < 3; ++i) tasks.push_back(task_of("flat" + std::to_string(i) + ".png", 55'000));
    for (int i = 0; i < 400; ++i) tasks.push_back(task_of("small" + std::to_string(i) + ".ppm", 700));
    auto probe = probed(tasks, 5);
    const auto flat = std::ranges::find_if(probe.drawn,
                                           [](const Task* task) { return task->format == "png"; });
    probe.drawn = {tasks.data(), *flat, tasks.data()}; // each of its bytes takes ten thousand times as long
    probe.taken = {{tasks.data(), {0.1, 18e6}}, {*flat, {3, 6e4}}};
    const auto estimate = batch::estimate_from(probe, tasks, 2);
    EXPECT_GT(estimate.seconds.least, 0);
    EXPECT_LT(estimate.seconds.least, estimate.seconds.likely / 2) << "the time of the others is unknown";
    EXPECT_GT(estimate.seconds.most, 2 * estimate.seconds.likely);
    EXPECT_GT(estimate.bytes.least, 0);
}

TEST(BatchEstimate, ReachesToHalfAndTwiceTheOthersOnTheMachine) {
    std::vector<Task> tasks;
    for (int i = 0; i < 400; ++i) tasks.push_back(task_of(std::to_string(i) + ".jpg", 100'000));
    auto probe = probed(tasks, 50);
    const auto alone = batch::estimate_from(probe, tasks, 2).seconds;
    EXPECT_NEAR(alone.least * 1.1, alone.likely, 1e-9) << "images are all alike";
    EXPECT_GT(alone.most, 1.25 * 1.1 * alone.likely) << "nothing was written";
    probe.share = 0.25; // one of four: beside one and a half others it would be 0.4, beside six a seventh
    const auto beside = batch::estimate_from(probe, tasks, 2).seconds;
    EXPECT_EQ(beside.likely, alone.likely) << "no change is known";
    EXPECT_NEAR(beside.least, alone.least * 0.25 / 0.4, 1e-9);
    EXPECT_NEAR(beside.most, alone.most * 0.25 * 7, 1e-9);
}

TEST(BatchEstimate, KnowsHowMuchOfTheProcessorItGets) {
    EXPECT_EQ(batch::share_between({1, 1}, {3, 1}), 1);
    EXPECT_EQ(batch::share_between({1, 1}, {3, 7}), 0.25);
    EXPECT_EQ(batch::share_between({}, {}), 1) << "where it is not known";
    if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "LINUX KEEPS NO ACCOUNT OF IT HERE";
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    std::latch both_there(2), both_done(2), measured(1);
    const auto before = batch::processor_time();
    const auto work = [&] {
        ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
        both_there.arrive_and_wait();
        timespec used{};
        do ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        while (used.tv_sec == 0 && used.tv_nsec < 100'000'000);
        both_done.count_down();
        measured.wait();
    };
    std::jthread first(work), second(work);
    both_done.wait();
    const auto after = batch::processor_time();
    measured.count_down();
    EXPECT_GT(after.used - before.used, 0.19);
    EXPECT_LT(batch::share_between(before, after), 0.9) << "two on one core";
}

TEST(BatchEstimate, CountsWhatThreadsUsedThatHaveEnded) {
    const auto before = batch::processor_time();
    std::jthread([] {
        timespec used{};
        do ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        while (used.tv_sec == 0 && used.tv_nsec < 100'000'000);
    }).join();
    EXPECT_GT(batch::processor_time().used - before.used, 0.09);
}

class BatchEstimateOf : public ::testing::Test {
protected:
    void SetUp() override {
        for (int i = 0; i < 48; ++i) {
            const auto name = std::to_string(i) + (i % 4 ? ".png" : ".bmp");
            const auto path = folder_.path() / name;
            write_image(path,
                        random_image({40 + 4 * i, 50}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
            auto task = task_of(name, std::filesystem::file_size(path));
            task.input.path = path;
            tasks_.push_back(task);
        }
        options_ = options_for_blur(1, 2);
        options_.out = folder_.path() / "out";
    }

    TemporaryFolder folder_{"batch_estimate"};
    std::vector<Task> tasks_;
    batch::RunOptions options_;
};

TEST_F(BatchEstimateOf, AFewImagesRepresentAll) {
    std::stop_source enough;
    std::atomic<int> seen = 0;
    options_.inspect = [&](auto&&...) {
        if (++seen == 6) enough.request_stop();
    };
    const auto few = batch::estimate(tasks_, options_, enough.get_token());
    EXPECT_EQ(few.wanted, tasks_.size());
    EXPECT_EQ(few.at_a_time, 2);
    EXPECT_GE(few.images, 6U);
    EXPECT_LE(few.images, 9U) << "images in flight are completed";
    EXPECT_EQ(few.failed, 0U);
    EXPECT_FALSE(few.earlier);
    EXPECT_LT(few.seconds.least, few.seconds.likely);
    EXPECT_GT(few.seconds.most, few.seconds.likely);
    double bytes = 0;
    for (const auto& task : tasks_) bytes += static_cast<double>(task.input.bytes);
    EXPECT_NEAR(few.bytes.likely / bytes, 1, 0.2) << "noise does not compress";

    const auto all = batch::estimate(tasks_, options_, {});
    EXPECT_EQ(all.images, tasks_.size());
    EXPECT_EQ(all.bytes.likely, all.bytes.most);
}

TEST_F(BatchEstimateOf, CountsOnlyWantedImagesAndReportsFailures) {
    for (std::size_t i = 3; i < tasks_.size(); ++i) tasks_[i].state = Task::State::up_to_date;
    write_file(tasks_[1].input.path, "no image");
    const auto estimate = batch::estimate(tasks_, options_);
    EXPECT_EQ(estimate.wanted, 3U);
    EXPECT_EQ(estimate.images, 3U);
    EXPECT_EQ(estimate.failed, 1U);
    for (auto& task : tasks_) task.state = Task::State::up_to_date;
    EXPECT_EQ(estimate_text(batch::estimate(tasks_, options_)), "");
}

TEST_F(BatchEstimateOf, TooLargeImagesAreNotSampled) {
    auto large = task_of("large.pgm", 0);
    large.input.path = folder_.path() / "large.pgm";
    write_file(large.input.path, "P5\n40000 40000\n255\n");
    large.input.bytes = 1'600'000'000;
    std::filesystem::resize_file(large.input.path, large.input.bytes); // sparse
    tasks_.resize(8);
    tasks_.push_back(large);
    std::set<std::string> tried;
    options_.images = 1;
    options_.inspect = [&](const Task& task, auto&&, auto&&) { tried.insert(task.output.string()); };
    const auto estimate = batch::estimate(tasks_, options_, {});
    EXPECT_EQ(estimate.images, 8U);
    EXPECT_FALSE(tried.contains("large.pgm"));
    EXPECT_GT(estimate.bytes.likely, 1e8) << "but it is counted";
}

} // namespace
} // namespace kg::testing
