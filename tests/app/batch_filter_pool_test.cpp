// Many threads filter through one pool: what each gets is what run_job() makes, in fewer launches where they can share one.

#include "app/batch/filter_pool.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

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

TEST(FilterPool, PicturesThatWaitTogetherGoInOneLaunch) {
    const auto launches = filter_many(make_detached_engine(), 60);
    EXPECT_GT(launches, 0U);
    EXPECT_LT(launches, 60U);
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

} // namespace
} // namespace kg::testing
