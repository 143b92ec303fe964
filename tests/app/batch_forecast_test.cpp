// What a folder will take, told by a few of its pictures.

#include "app/batch/forecast.hpp"
#include "app/document/sample_picture.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

namespace kg::testing {
namespace {

using namespace std::chrono_literals;
using batch::Task;

Task task_of(const std::string& name, std::uint64_t bytes) {
    Task task;
    task.input.path = name;
    task.input.ending = name.substr(name.rfind('.'));
    task.input.bytes = bytes;
    task.name = task.output = name;
    task.format = task.input.ending.substr(1);
    return task;
}

TEST(BatchForecast, DrawsFormatsAndSizesByTurnsAsOftenAsTheirBytesSay) {
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

class BatchForecastOf : public ::testing::Test {
protected:
    void SetUp() override {
        for (int i = 0; i < 48; ++i) {
            const auto name = std::to_string(i) + (i % 4 ? ".png" : ".bmp");
            const auto path = folder_.path() / name;
            write_picture(path,
                          random_picture({40 + 4 * i, 50}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
            auto task = task_of(name, std::filesystem::file_size(path));
            task.input.path = path;
            tasks_.push_back(task);
        }
        wish_.recipe = parse_recipe("box", "recipe");
        wish_.choice = {cpu::make_engine(1), {}};
        wish_.out = folder_.path() / "out";
        wish_.pictures = 2;
        wish_.bytes_in_flight = wish_.largest_picture = std::size_t{1} << 30;
        // So that it is known what takes the time, however fast the machine is.
        wish_.look = [](const Task&, const ConstImageView& picture, auto&&) {
            std::this_thread::sleep_for(picture.size.width * 200us);
        };
    }
    batch::Counts run() const {
        batch::Counts counts;
        batch::run_tasks(tasks_, wish_, {}, [&](const batch::FileResult& result) { counts.add(result); });
        return counts;
    }

    TemporaryFolder folder_{"batch_forecast"};
    std::vector<Task> tasks_;
    batch::RunWish wish_;
};

TEST_F(BatchForecastOf, AFewPicturesTellOfAll) {
    const auto few = batch::forecast(tasks_, wish_, 200ms);
    EXPECT_EQ(few.wanted, tasks_.size());
    EXPECT_GE(few.pictures, 2U);
    EXPECT_LT(few.pictures, tasks_.size()) << "they take 0.65 s";
    EXPECT_EQ(few.failed, 0U);
    EXPECT_FALSE(few.earlier);
    const auto real = run();
    const auto seconds = real.load.seconds, bytes = static_cast<double>(real.bytes_written);
    EXPECT_LT(few.seconds.least, few.seconds.likely);
    EXPECT_GT(few.seconds.most, few.seconds.likely);
    EXPECT_LT(few.seconds.likely, 2 * seconds);
    EXPECT_GT(few.seconds.likely, seconds / 2);
    EXPECT_LT(few.bytes.least, bytes);
    EXPECT_GT(few.bytes.most, bytes);

    const auto all = batch::forecast(tasks_, wish_, 60s);
    EXPECT_EQ(all.pictures, tasks_.size());
    EXPECT_EQ(all.bytes.likely, bytes);
    EXPECT_EQ(all.bytes.most, bytes);
}

TEST_F(BatchForecastOf, OnlyWhatIsWantedCountsAndWhatFailsIsSaid) {
    for (std::size_t i = 3; i < tasks_.size(); ++i) tasks_[i].state = Task::State::up_to_date;
    write_file(tasks_[1].input.path, "no picture");
    const auto forecast = batch::forecast(tasks_, wish_);
    EXPECT_EQ(forecast.wanted, 3U);
    EXPECT_EQ(forecast.pictures, 3U);
    EXPECT_EQ(forecast.failed, 1U);
    for (auto& task : tasks_) task.state = Task::State::up_to_date;
    EXPECT_EQ(forecast_text(batch::forecast(tasks_, wish_)), "");
}

TEST_F(BatchForecastOf, WhatIsTooLargeToTryIsLeftToTheOthers) {
    auto large = task_of("large.pgm", 0);
    large.input.path = folder_.path() / "large.pgm";
    write_file(large.input.path, "P5\n40000 40000\n255\n");
    large.input.bytes = 1'600'000'000;
    std::filesystem::resize_file(large.input.path, large.input.bytes); // of holes
    tasks_.resize(8);
    tasks_.push_back(large);
    std::set<std::string> tried;
    wish_.pictures = 1;
    wish_.look = [&](const Task& task, auto&&, auto&&) { tried.insert(task.output.string()); };
    const auto forecast = batch::forecast(tasks_, wish_, 60s);
    EXPECT_EQ(forecast.pictures, 8U);
    EXPECT_FALSE(tried.contains("large.pgm"));
    EXPECT_GT(forecast.bytes.likely, 1e8) << "but it is counted";
}

} // namespace
} // namespace kg::testing
