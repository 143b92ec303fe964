// The bottleneck of a batch: the busiest resource, not one that waits.

#include "app/batch/report/counts.hpp"
#include "app/process/image/sample_image.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/app/batch_options.hpp"
#include "tests/support/standstill.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace kg::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// Ten seconds of four threads, sixteen writers and a GPU, all half idle except for PNG decoding.
batch::Counts usual() {
    batch::Counts counts;
    counts.stages = {.read = 1, .decode = 16, .filter = 3, .encode = 8, .write = 40, .wait = 100};
    counts.decode_seconds = {{"png", 12}, {"jpeg", 4}};
    counts.encode_seconds = {{"png", 8}};
    counts.load = {
        .seconds = 10, .threads = 4, .writers = 16, .devices = 1, .device = 5, .memory = 1, .start = 0.4};
    return counts;
}

TEST(BatchLimit, IsTheStageThatTakesMostOfTheThreadsTime) {
    EXPECT_EQ(limit_text(limit_of(usual())), "PNG decoding (30 % of the threads' time)");
    auto counts = usual();
    counts.stages.filter = 13;
    EXPECT_EQ(limit_text(limit_of(counts)), "filtering (32 % of the threads' time)");
    EXPECT_EQ(limit_of(batch::Counts{}).stage, "");
}

TEST(BatchLimit, IsWhateverElseIsInUseMore) {
    auto counts = usual();
    counts.load.device = 9.8;
    EXPECT_EQ(limit_text(limit_of(counts)), "filtering (98 % of the GPU's time)");
    counts.load.devices = 2;
    EXPECT_EQ(limit_of(counts).stage, "PNG decoding") << "each GPU half of the time";
    counts.stages.write = 158;
    EXPECT_EQ(limit_text(limit_of(counts)), "writing (98 % of the writers' time)");
    counts = usual();
    counts.stages.read = 9.5;
    EXPECT_EQ(limit_text(limit_of(counts)), "reading (95 % of the time)");
    counts = usual();
    counts.load.memory = 9.5;
    EXPECT_EQ(limit_text(limit_of(counts)), "memory (95 % of the time was spent waiting for it)");
    counts = usual();
    counts.load.start = 9.5;
    EXPECT_EQ(limit_text(limit_of(counts)), "the engine's start (95 % of the time)");
}

/// Takes no processor time, and lasts until all threads wait for it.
class SlowQueue final : public cpu::HostQueue {
public:
    explicit SlowQueue(Engine& engine) : HostQueue(engine, std::make_shared<cpu::Workers>(1)) {}
    ~SlowQueue() override { finish(); }

protected:
    void before_task() override {
        static std::mutex one_asks;
        const std::lock_guard lock(one_asks);
        EXPECT_TRUE(comes_to_standstill());
    }
};

class SlowEngine final : public Engine {
public:
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return inner_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority) override { return std::make_unique<SlowQueue>(*this); }
    std::span<const Algorithm* const> algorithms() const override { return inner_->algorithms(); }

private:
    std::shared_ptr<Engine> inner_ = cpu::make_engine(1);
    DeviceInfo info_{"slow", "sleeps", "for tests", 0, 20'000};
};

class BatchLimitOf : public ::testing::Test {
protected:
    void SetUp() override {
        tasks_ = forty_pngs(folder_.path());
        options_ = options_for_blur(1, 4);
    }
    batch::Counts run() {
        batch::Counts counts;
        batch::run_tasks(tasks_, options_, {}, [&](const batch::FileResult& result) {
            counts.add(result);
            const auto& seconds = result.seconds;
            longest_elsewhere_ = std::max(longest_elsewhere_.load(),
                                          seconds.read + seconds.decode + seconds.encode + seconds.write);
        });
        EXPECT_EQ(counts.done, tasks_.size());
        return counts;
    }

    static constexpr std::size_t kFew = 12;
    TemporaryFolder folder_{"batch_limit"};
    std::vector<batch::Task> tasks_;
    batch::RunOptions options_;
    // Seconds per image so far in all stages except filtering.
    std::atomic<double> longest_elsewhere_ = 0.001;
};

TEST_F(BatchLimitOf, WhatWaitsForAGpuDoesNothing) {
    tasks_.resize(kFew);
    options_.choice = {std::make_shared<SlowEngine>(), {}};
    const auto counts = run();
    EXPECT_GT(counts.stages.wait, counts.stages.filter);
    const auto limit = limit_of(counts);
    EXPECT_EQ(limit.stage, "filtering") << limit_text(limit);
    EXPECT_EQ(limit.of, "the GPU's time");
}

TEST_F(BatchLimitOf, FilteringOnTheCpuIsTheThreadsWork) {
    tasks_.resize(kFew);
    // Part of the filtering stage: ten times as long as all other stages of an image.
    options_.inspect = [this](auto&&...) {
        std::this_thread::sleep_for(std::chrono::duration<double>(10 * longest_elsewhere_));
    };
    const auto counts = run();
    EXPECT_LT(counts.stages.wait, counts.stages.filter);
    EXPECT_EQ(counts.load.devices, 0);
    EXPECT_EQ(limit_of(counts).stage, "filtering");
    EXPECT_EQ(limit_of(counts).of, "the threads' time");
}

TEST_F(BatchLimitOf, MemoryIsWhereOnlyOneImageHasRoom) {
    tasks_.resize(kFew);
    // Three times as long as the other images take until they wait for memory.
    options_.inspect = [](auto&&...) {
        const auto began = Clock::now();
        EXPECT_TRUE(comes_to_standstill());
        std::this_thread::sleep_for(3 * (Clock::now() - began));
    };
    options_.bytes_in_flight = 1;
    const auto counts = run();
    EXPECT_EQ(limit_of(counts).stage, "memory") << limit_text(limit_of(counts));
    EXPECT_LT(counts.stages.read, counts.load.memory) << "reading is not the bottleneck";
}

} // namespace
} // namespace kg::testing
