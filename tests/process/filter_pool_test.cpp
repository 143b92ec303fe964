// Filtering by many threads through one pool: each result is that of run_job(), in fewer launches where they
// can share one.

#include "app/process/pool/device_pools.hpp"
#include "app/process/pool/staging.hpp"
#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "filters/recipe_file.hpp"
#include "gpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/held_engine.hpp"
#include "tests/support/lost_engine.hpp"
#include "tests/support/passing_queue.hpp"
#include "tests/support/transfer_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

constexpr PixelFormat kFormat{Depth::u8, 3};

bool same_image(const Image& a, const Image& b) {
    const auto row = static_cast<std::size_t>(a.size().width) * bytes_per_pixel(a.format());
    for (std::int64_t y = 0; y < a.size().height; ++y)
        if (std::memcmp(a.view().row<std::byte>(y), b.view().row<std::byte>(y), row) != 0) return false;
    return a.size() == b.size() && a.format() == b.format();
}

/// Filters images of two shapes by several threads, half of the images in staging memory; returns the number
/// of launches.
std::size_t filter_many(const std::shared_ptr<Engine>& engine, std::size_t images) {
    const auto recipe = parse_recipe("gaussian:sigma=2 | sharpen", "recipe");
    FilterPool pool({engine, {}}, {});
    // not enough for all of them
    const auto staging = std::make_shared<StagingPool>(engine, 100'000);
    std::atomic<std::size_t> next = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 6; ++t)
            threads.emplace_back([&] {
                for (std::size_t i; (i = next++) < images;) {
                    auto* const memory = i % 2 ? staging.get() : nullptr;
                    const auto image = random_image(i % 3 ? Extent{61, 47} : Extent{40, 90}, kFormat,
                                                    static_cast<unsigned>(i))
                                           .clone(memory);
                    const auto request = request_for(recipe, image.size(), kFormat);
                    const auto outcome = pool.run(request, image.view(), memory);
                    EXPECT_TRUE(same_image(outcome.image, run_job(engine, request, image.view()).image)) << i;
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

TEST(FilterPool, ManyThreadsGetWhatRunJobGivesOnAGpu) {
    const auto gpu = gpu::make_engine();
    if (const auto why = gpu->usable(); !why.empty()) GTEST_SKIP() << why;
    EXPECT_GT(filter_many(gpu, 60), 0U);
}

constexpr std::size_t kTogether = 6, kLanes = 2; // numbers of small images

/// Filters one image alone in each lane, and kTogether in one launch; returns how many ended in which code.
std::map<std::string, std::size_t> filter_together(FilterPool& pool, HeldEngine& engine) {
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    std::map<std::string, std::size_t> codes;
    std::mutex mutex;
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < kLanes + kTogether; ++i)
            threads.emplace_back([&, i] {
                const auto image = random_image({40, 30}, kFormat, i);
                const auto code = code_of([&] {
                    const auto outcome = pool.run(request, image.view());
                    EXPECT_TRUE(
                        same_image(outcome.image, run_job(cpu::make_engine(1), request, image.view()).image));
                });
                const std::lock_guard lock(mutex);
                ++codes[code];
            });
        while (pool.waiting() < kTogether) std::this_thread::yield();
        engine.let_go();
    }
    return codes;
}

TEST(FilterPool, ImagesThatWaitTogetherGoInOneLaunch) {
    const auto engine = std::make_shared<HeldEngine>();
    FilterPool pool({engine, {}}, {});
    EXPECT_EQ(filter_together(pool, *engine)["no error"], kLanes + kTogether);
    EXPECT_EQ(pool.waiting(), 0U);
    EXPECT_EQ(pool.launches(), kLanes + 1) << "one alone in each lane, and all that waited meanwhile";
}

/// Its launches of several images fail.
class UnsharedEngine final : public HeldEngine {
public:
    explicit UnsharedEngine(std::function<void()> fail) : fail_(std::move(fail)) {}
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<UnsharedQueue>(HeldEngine::queue(priority), fail_);
    }

private:
    class UnsharedQueue final : public PassingQueue {
    public:
        UnsharedQueue(std::unique_ptr<Queue> queue, std::function<void()> fail)
            : PassingQueue(std::move(queue)), fail_(std::move(fail)) {}
        void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                 std::stop_token stop) override {
            if (items.size() > 1) fail_();
            PassingQueue::run(plan, items, std::move(stop));
        }

    private:
        std::function<void()> fail_;
    };

    std::function<void()> fail_;
};

TEST(FilterPool, ASharedLaunchIsDividedIfMemoryIsShortOrTheGpuRefusesIt) {
    for (const auto& fail : std::vector<std::function<void()>>{
             [] { throw std::bad_alloc(); },
             [] { throw Error("cuda-error", "too many resources requested for launch"); },
             [] { throw Error("cufft-failed", "it has no memory to work in"); }}) {
        const auto engine = std::make_shared<UnsharedEngine>(fail);
        FilterPool pool({engine, {}}, {});
        EXPECT_EQ(filter_together(pool, *engine)["no error"], kLanes + kTogether);
    }
}

TEST(FilterPool, AnyOtherErrorOfASharedLaunchIsThatOfEachImage) {
    const auto engine = std::make_shared<UnsharedEngine>(
        [] { throw Error("write-beyond-buffer", "the guard found writes beyond a buffer"); });
    FilterPool pool({engine, {}}, {});
    const std::map<std::string, std::size_t> expected{{"no error", kLanes},
                                                      {"write-beyond-buffer", kTogether}};
    EXPECT_EQ(filter_together(pool, *engine), expected);
}

TEST(FilterPool, WhatIsShortOfMemoryGoesInParts) {
    const auto recipe = parse_recipe("box:size=5", "recipe");
    const auto image = random_image({300, 200}, kFormat, 1);
    const auto request = request_for(recipe, image.size(), kFormat);
    const auto whole = run_job(cpu::make_engine(2), request, image.view());
    for (const auto& engine : {make_detached_engine(1, 200'000), cpu::make_engine(2, 200'000)}) {
        FilterPool pool({engine, {}}, {});
        const auto outcome = pool.run(request, image.view());
        EXPECT_GT(outcome.parts, 1);
        EXPECT_TRUE(same_image(outcome.image, whole.image)) << engine->device().id;
    }
}

TEST(FilterPool, AnAlgorithmThatCannotIsAnError) {
    const auto image = random_image({30, 20}, kFormat, 1);
    const auto request = request_for(parse_recipe("sobel", "recipe"), image.size(), kFormat);
    FilterPool pool({cpu::make_engine(1), {}}, "box");
    EXPECT_THROW(pool.run(request, image.view()), Refused);
}

class FilterPoolStaging : public ::testing::Test {
protected:
    /// The result is in staging memory, as far as that suffices.
    JobOutcome filtered(const Image& image, const ImageRequest& request) {
        auto outcome = filters_.run(request, image.view(), staging_.get());
        EXPECT_TRUE(same_image(outcome.image, run_job(cpu::make_engine(1), request, image.view()).image));
        return outcome;
    }
    Image staged(const Image& image) { return image.clone(staging_.get()); }
    using Places = std::vector<const std::byte*>;

    static constexpr Extent kSize{300, 200};
    const std::shared_ptr<TransferWatch> engine_ = std::make_shared<TransferWatch>();
    std::shared_ptr<StagingPool> staging_ = std::make_shared<StagingPool>(engine_, 1 << 20);
    FilterPool filters_{{engine_, {}}, {}};
    const Image image_ = random_image(kSize, kFormat, 1);
    const ImageRequest request_ = request_for(parse_recipe("box", "recipe"), kSize, kFormat);
};

TEST_F(FilterPoolStaging, WhatLiesThereIsNotCopied) {
    const auto image = staged(image_);
    for (int i = 0; i < 3; ++i) filtered(image, request_);
    const auto outcome = filtered(image, request_);
    const auto transfers = engine_->transfers();
    EXPECT_EQ(transfers.from, Places(4, image.view().data));
    EXPECT_EQ(transfers.to, Places(4, outcome.image.view().data)) << "the same buffer every time";
    EXPECT_EQ(transfers.elsewhere, 0U);
    EXPECT_EQ(staging_->made(), 2U);
}

TEST_F(FilterPoolStaging, OtherImagesAreStagedInTheirResult) {
    const auto before = image_.clone();
    const auto outcome = filtered(image_, request_);
    EXPECT_EQ(engine_->transfers().from, Places{outcome.image.view().data});
    EXPECT_EQ(engine_->transfers().elsewhere, 0U);
    EXPECT_TRUE(same_image(image_, before));
}

TEST_F(FilterPoolStaging, WhatFitsNowhereIsTheEnginesAffair) {
    const auto wide = random_image(kSize, {Depth::f32, 3}, 1);
    const auto narrow = request_for(parse_recipe("box | depth=u8", "recipe"), kSize, wide.format());
    ASSERT_EQ(narrow.out.depth, Depth::u8);
    filtered(wide, narrow);
    EXPECT_EQ(engine_->transfers().from, Places{wide.view().data}) << "larger than its result";
    EXPECT_EQ(engine_->transfers().elsewhere, 1U);

    const auto held = staging_->take(staging_->most() - (64 << 10)); // all but a little
    ASSERT_TRUE(held);
    const auto outcome = filtered(image_, request_);
    EXPECT_EQ(engine_->transfers().from.back(), image_.view().data);
    EXPECT_EQ(engine_->transfers().to.back(), outcome.image.view().data);
    EXPECT_EQ(engine_->transfers().elsewhere, 3U);
}

TEST_F(FilterPoolStaging, AnImageOutlivesIt) {
    auto image = staged(image_);
    ASSERT_TRUE(is_from_source(image.view().data));
    EXPECT_GT(engine_->staging_bytes(), 0U);
    staging_.reset();
    EXPECT_TRUE(same_image(image, image_));
    EXPECT_GT(engine_->staging_bytes(), 0U);
    image = {};
    EXPECT_EQ(engine_->staging_bytes(), 0U) << "memory without a pool is released";
}

TEST(StagingPool, IsUsedAgainAndBounded) {
    constexpr std::size_t kPage = 4096;
    const auto engine = std::make_shared<TransferWatch>();
    const auto pool = std::make_shared<StagingPool>(engine, 10 * kPage);
    auto first = pool->take(4 * kPage), second = pool->take(3 * kPage);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(pool->take(4 * kPage)) << "the limit is reached";
    const auto* place = first.get();
    first.reset();
    EXPECT_FALSE(pool->take(8 * kPage)) << "not even with the free memory";
    first = pool->take(3 * kPage + 1);
    EXPECT_EQ(first.get(), place);
    EXPECT_EQ(pool->made(), 2U);
    first.reset();
    place = second.get();
    second.reset();
    second = pool->take(2 * kPage);
    EXPECT_EQ(second.get(), place) << "the smallest that suffices";
    second.reset();
    EXPECT_TRUE(pool->take(9 * kPage)) << "free memory makes room";
    EXPECT_EQ(pool->made(), 3U);
    EXPECT_FALSE(pool->take(10 * kPage + 1));
    EXPECT_EQ(engine->most_staging_bytes(), 9 * kPage);
}

TEST(StagingPool, NearlyEqualSizesShareABuffer) {
    const auto pool = std::make_shared<StagingPool>(std::make_shared<TransferWatch>(), 100'000'000);
    for (std::size_t more = 0; more < 100'000; more += 1000) EXPECT_TRUE(pool->take(6'000'000 + more));
    EXPECT_EQ(pool->made(), 1U);
}

TEST(StagingPool, WithoutPinnedMemoryItIsEmpty) {
    const auto engine = std::make_shared<TransferWatch>();
    const auto pool = std::make_shared<StagingPool>(engine, 1 << 20);
    engine->fail_staging(true);
    EXPECT_FALSE(pool->take(1 << 19));
    EXPECT_FALSE(is_from_source(Image({100, 100}, kFormat, pool.get()).view().data))
        << "but there are images";
    engine->fail_staging(false);
    EXPECT_TRUE(pool->take(1 << 20)) << "a failed allocation does not count";
}

TEST(DevicePools, ImagesOneByOneGoToEachDeviceInTurn) {
    const std::vector<std::shared_ptr<Engine>> engines{make_detached_engine(1), make_detached_engine(2),
                                                       make_detached_engine(3)};
    DevicePools pools({engines.front(), {}}, std::span(engines).subspan(1), {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    std::map<const Engine*, int> seen;
    for (unsigned i = 0; i < 9; ++i) {
        const auto image = random_image({40, 30}, kFormat, i);
        const auto outcome = pools.run(request, image.view());
        EXPECT_TRUE(same_image(outcome.image, run_job(engines.front(), request, image.view()).image));
        ++seen[outcome.engine.get()];
    }
    for (const auto& engine : engines) EXPECT_EQ(seen[engine.get()], 3);
}

TEST(DevicePools, ABusyDeviceGetsNothingWhileAnotherIsFree) {
    const auto held = std::make_shared<HeldEngine>();
    const std::vector<std::shared_ptr<Engine>> other{make_detached_engine()};
    DevicePools pools({held, {}}, other, {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    const auto image = random_image({40, 30}, kFormat, 1);
    std::jthread waiting([&] { EXPECT_EQ(pools.run(request, image.view()).engine, held); });
    held->wait_until_held();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(pools.run(request, image.view()).engine, other.front());
    held->let_go();
}

TEST(DevicePools, ALostDeviceLeavesItsImagesToTheOthers) {
    const auto lost = make_losable_engine();
    const std::vector<std::shared_ptr<Engine>> other{make_detached_engine()};
    DevicePools pools({lost, {}, cpu::make_engine(1)}, other, {});
    const auto request = request_for(parse_recipe("box", "recipe"), {40, 30}, kFormat);
    const auto image = random_image({40, 30}, kFormat, 1);
    EXPECT_EQ(pools.run(request, image.view()).engine, lost);
    lost->lose();
    pools.run(request, image.view()); // on the other device
    EXPECT_EQ(pools.run(request, image.view()).engine->device().id, "cpu") << "lost in flight: the fallback";
    for (int i = 0; i < 4; ++i) EXPECT_EQ(pools.run(request, image.view()).engine, other.front());
}

} // namespace
} // namespace kg::testing
