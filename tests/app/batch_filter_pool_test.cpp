// Many threads filter through one pool: what each gets is what run_job() makes, in fewer launches where they can share one.

#include "app/batch/device_pools.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/lost_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

namespace kg::testing {
namespace {

constexpr PixelFormat kFormat{Depth::u8, 3};

bool same_pixels(const Image& a, const Image& b) {
    const auto row = static_cast<std::size_t>(a.size().width) * bytes_per_pixel(a.format());
    for (std::int64_t y = 0; y < a.size().height; ++y)
        if (std::memcmp(a.view().row<std::byte>(y), b.view().row<std::byte>(y), row) != 0) return false;
    return a.size() == b.size() && a.format() == b.format();
}

/// Pictures of two shapes, through the pool by several threads; returns how many launches that took.
std::size_t filter_many(const std::shared_ptr<Engine>& engine, std::size_t pictures) {
    const auto recipe = parse_recipe("gaussian:sigma=2 | sharpen", "recipe");
    batch::FilterPool pool({engine, {}}, {});
    std::atomic<std::size_t> next = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 6; ++t)
            threads.emplace_back([&] {
                for (std::size_t i; (i = next++) < pictures;) {
                    const auto picture = random_picture(i % 3 ? Extent{61, 47} : Extent{40, 90}, kFormat,
                                                        static_cast<unsigned>(i));
                    const auto request = request_for(recipe, picture.size(), kFormat);
                    const auto outcome = pool.run(request, picture.view());
                    EXPECT_TRUE(same_pixels(outcome.image, run_job(engine, request, picture.view()).image))
                        << i;
                    EXPECT_FALSE(outcome.algorithm.empty());
                }
            });
    }
    return pool.launches();
}

TEST(FilterPool, GivesWhatRunJobGivesOnTheCpu) { EXPECT_EQ(filter_many(cpu::make_engine(2), 24), 24U); }

TEST(FilterPool, ManyThreadsGetWhatRunJobGivesThroughAQueueOfItsOwnPace) {
    EXPECT_GT(filter_many(make_detached_engine(), 60), 0U);
}

/// Its queues begin nothing until they may.
class HeldEngine final : public Engine {
public:
    const DeviceInfo& device() const override { return inner_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return inner_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        held_ = true;
        held_.notify_all();
        may_go_.wait(false);
        return inner_->queue(priority);
    }
    std::span<const Algorithm* const> algorithms() const override { return inner_->algorithms(); }
    void wait_until_held() { held_.wait(false); }
    void let_go() {
        may_go_ = true;
        may_go_.notify_all();
    }

private:
    std::shared_ptr<Engine> inner_ = make_detached_engine();
    std::atomic<bool> held_ = false, may_go_ = false;
};

TEST(FilterPool, PicturesThatWaitTogetherGoInOneLaunch) {
    constexpr std::size_t kThreads = 8, kLanes = 2; // of small pictures
    const auto engine = std::make_shared<HeldEngine>();
    batch::FilterPool pool({engine, {}}, {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < kThreads; ++i)
            threads.emplace_back([&, i] {
                const auto picture = random_picture({40, 30}, kFormat, i);
                const auto outcome = pool.run(request, picture.view());
                EXPECT_TRUE(
                    same_pixels(outcome.image, run_job(cpu::make_engine(1), request, picture.view()).image));
            });
        while (pool.waiting() < kThreads - kLanes) std::this_thread::yield();
        engine->let_go();
    }
    EXPECT_EQ(pool.waiting(), 0U);
    EXPECT_EQ(pool.launches(), kLanes + 1) << "one alone in each lane, and all that waited meanwhile";
}

TEST(FilterPool, WhatIsShortOfMemoryGoesInParts) {
    const auto recipe = parse_recipe("box:size=5", "recipe");
    const auto picture = random_picture({300, 200}, kFormat, 1);
    const auto request = request_for(recipe, picture.size(), kFormat);
    const auto whole = run_job(cpu::make_engine(2), request, picture.view());
    for (const auto& engine : {make_detached_engine(1, 200'000), cpu::make_engine(2, 200'000)}) {
        batch::FilterPool pool({engine, {}}, {});
        const auto outcome = pool.run(request, picture.view());
        EXPECT_GT(outcome.parts, 1);
        EXPECT_TRUE(same_pixels(outcome.image, whole.image)) << engine->device().id;
    }
}

TEST(FilterPool, AnAlgorithmThatCannotIsAnError) {
    const auto picture = random_picture({30, 20}, kFormat, 1);
    const auto request = request_for(parse_recipe("sobel", "recipe"), picture.size(), kFormat);
    batch::FilterPool pool({cpu::make_engine(1), {}}, "box");
    EXPECT_THROW(pool.run(request, picture.view()), Error);
}

TEST(FilterPool, MemoryOnTheWayIsUsedAgainAndIsBounded) {
    const auto engine = make_detached_engine();
    batch::StagingPool pool(*engine, 1000);
    auto first = pool.lend(400), second = pool.lend(300);
    ASSERT_TRUE(first && second);
    ASSERT_NE(first->host(), nullptr);
    EXPECT_FALSE(pool.lend(400)) << "there is not so much left";
    const auto* place = first->host();
    first.reset();
    first = pool.lend(350);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->host(), place);
    EXPECT_EQ(pool.made(), 2U);
    first.reset();
    second.reset();
    EXPECT_TRUE(pool.lend(900)) << "what is free makes room";
    EXPECT_EQ(pool.made(), 3U);
    EXPECT_FALSE(pool.lend(1001));
}

TEST(DevicePools, PicturesOneByOneGoToEachDeviceInTurn) {
    const std::vector<std::shared_ptr<Engine>> engines{make_detached_engine(1), make_detached_engine(2),
                                                       make_detached_engine(3)};
    batch::DevicePools pools({engines.front(), {}}, std::span(engines).subspan(1), {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    std::map<const Engine*, int> seen;
    for (unsigned i = 0; i < 9; ++i) {
        const auto picture = random_picture({40, 30}, kFormat, i);
        const auto outcome = pools.run(request, picture.view());
        EXPECT_TRUE(same_pixels(outcome.image, run_job(engines.front(), request, picture.view()).image));
        ++seen[outcome.engine.get()];
    }
    for (const auto& engine : engines) EXPECT_EQ(seen[engine.get()], 3);
}

TEST(DevicePools, ABusyDeviceGetsNothingWhileAnotherIsFree) {
    const auto held = std::make_shared<HeldEngine>();
    const std::vector<std::shared_ptr<Engine>> other{make_detached_engine()};
    batch::DevicePools pools({held, {}}, other, {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    const auto picture = random_picture({40, 30}, kFormat, 1);
    std::jthread waiting([&] { EXPECT_EQ(pools.run(request, picture.view()).engine, held); });
    held->wait_until_held();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(pools.run(request, picture.view()).engine, other.front());
    held->let_go();
}

TEST(DevicePools, ALostDeviceLeavesItsPicturesToTheOthers) {
    const auto lost = make_losable_engine();
    const std::vector<std::shared_ptr<Engine>> other{make_detached_engine()};
    batch::DevicePools pools({lost, {}, cpu::make_engine(1)}, other, {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    const auto picture = random_picture({40, 30}, kFormat, 1);
    EXPECT_EQ(pools.run(request, picture.view()).engine, lost);
    lost->lose();
    pools.run(request, picture.view()); // the other's turn
    EXPECT_EQ(pools.run(request, picture.view()).engine->device().id, "cpu")
        << "lost under way: the fallback";
    for (int i = 0; i < 4; ++i) EXPECT_EQ(pools.run(request, picture.view()).engine, other.front());
}

} // namespace
} // namespace kg::testing
