// Estimates of a batch from a sample of its images.

#include "app/batch/report/estimate.hpp"
#include "tests/support/app/batch_options.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <stop_token>

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

TEST(BatchEstimate, TheSpreadIsThatOfTheRatioToTheBytes) {
    using batch::Sample;
    std::vector<Sample> alike;
    for (int i = 1; i <= 20; ++i) alike.push_back({100.0 * i, 50.0 * i, 3.0 * i});
    EXPECT_NEAR(spread_of(alike, &Sample::seconds), 0, 1e-9) << "whatever their sizes";
    EXPECT_NEAR(spread_of(alike, &Sample::written), 0, 1e-9);
    const std::vector<Sample> unlike{{100, 0, 1}, {100, 0, 3}};
    EXPECT_NEAR(spread_of(unlike, &Sample::seconds), 1, 1e-9)
        << "two residuals of 1, twice their error of 2 by 4";
    auto many = unlike;
    for (int i = 0; i < 199; ++i) many.insert(many.end(), unlike.begin(), unlike.end());
    EXPECT_NEAR(spread_of(many, &Sample::seconds), 1.0 / 20, 1e-3) << "it narrows with the number of images";
    EXPECT_EQ(spread_of(std::vector<Sample>{{100, 10, 1}}, &Sample::seconds), 0.5) << "nothing is known";
    EXPECT_EQ(spread_of(std::vector<Sample>{{0, 0, 0}, {0, 0, 0}}, &Sample::written), 0.5);
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
    EXPECT_GT(few.seconds.least, 0);
    EXPECT_LE(few.seconds.least * 1.2, few.seconds.likely * 1.000001);
    EXPECT_GE(few.seconds.most, few.seconds.likely * 1.2 * 1.25 * 0.999999) << "nothing was written";
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
    EXPECT_EQ(estimate_text(batch::estimate(tasks_, options_)).text, "");
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
