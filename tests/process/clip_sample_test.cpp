// The clipping estimate of a batch, compared with the window's count of the whole result.

#include "app/process/clipping/clip_sample.hpp"
#include "app/process/clipping/clipping.hpp"
#include "app/process/job.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace kg::testing {
namespace {

class ClipSample : public ::testing::Test {
protected:
    ImageRequest clip_request(const std::string& recipe, Extent size, PixelFormat format) {
        return request_for(parse_recipe(recipe, "recipe"), size, format);
    }
    /// Counts every pixel.
    Clipping whole_count(const ImageRequest& request, const Image& image) {
        Clipping sum;
        const auto numbers = run_job(engine_, unclamped(request), image.view());
        count_clipped(request, numbers.image.view(), sum);
        return sum;
    }

    std::shared_ptr<Engine> engine_ = cpu::make_engine(2);
    kg::ClipSample sample_{engine_};
};

constexpr Extent kSmall{90, 30}, kLarge{700, 1500};

TEST_F(ClipSample, CountsEveryPixelOfASmallImage) {
    for (const PixelFormat& format :
         {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::u8, 4, 3}, PixelFormat{Depth::u16, 1}})
        for (const auto* recipe : {"sharpen", "sobel", "emboss | unsharp:amount=3", "laplacian"}) {
            const auto image = random_image(kSmall, format, 1);
            const auto options = clip_request(recipe, kSmall, format);
            const auto counted = sample_.count(options, image.view());
            ASSERT_TRUE(counted);
            EXPECT_EQ(*counted, whole_count(options, image)) << recipe << " " << format.channels;
            EXPECT_GT(counted->below + counted->above, 0) << recipe;
        }
}

TEST_F(ClipSample, ASampleRepresentsALargeImage) {
    const auto image = random_image(kLarge, {Depth::u8, 3}, 2);
    const auto options = clip_request("sharpen", kLarge, {Depth::u8, 3});
    const auto counted = sample_.count(options, image.view());
    const auto all = whole_count(options, image);
    ASSERT_TRUE(counted);
    EXPECT_LT(counted->pixels, all.pixels / 10);
    EXPECT_GT(counted->pixels, all.pixels / 50);
    const auto share = [](std::int64_t count, const Clipping& of) {
        return static_cast<double>(count) / static_cast<double>(of.pixels);
    };
    EXPECT_NEAR(share(counted->below, *counted), share(all.below, all), 0.01);
    EXPECT_NEAR(share(counted->above, *counted), share(all.above, all), 0.01);
}

TEST_F(ClipSample, SamplesRowsFromTopToBottom) {
    // Only a stripe clips; every sixth of the image contains some of the sampled rows.
    for (std::int64_t first = 0; first < kLarge.height; first += kLarge.height / 6) {
        Image image(kLarge, {Depth::f32, 1});
        for (std::int64_t y = 0; y < kLarge.height; ++y)
            for (std::int64_t x = 0; x < kLarge.width; ++x)
                image.view().row<float>(y)[x] = y >= first && y < first + kLarge.height / 6 ? 2.0f : 0.5f;
        auto options = clip_request("identity", kLarge, {Depth::f32, 1});
        options.out.depth = Depth::u8;
        const auto counted = sample_.count(options, image.view());
        ASSERT_TRUE(counted);
        EXPECT_GT(counted->above, counted->pixels / 16) << first;
        EXPECT_LT(counted->above, counted->pixels / 3) << first;
    }
}

TEST_F(ClipSample, AveragesOfIntegersCannotClip) {
    for (const auto* recipe : {"box:size=5", "gaussian:sigma=2 | binomial", "motion", "disk", "identity"}) {
        const auto options = clip_request(recipe, kLarge, {Depth::u8, 4, 3});
        EXPECT_FALSE(may_clip(options)) << recipe;
        const auto image = random_image(kSmall, {Depth::u8, 4, 3}, 3);
        EXPECT_EQ(whole_count(clip_request(recipe, kSmall, {Depth::u8, 4, 3}), image).below, 0) << recipe;
        EXPECT_EQ(whole_count(clip_request(recipe, kSmall, {Depth::u8, 4, 3}), image).above, 0) << recipe;
    }
    for (const auto* recipe :
         {"sharpen", "sobel", "unsharp", "gaussian | laplacian", "emboss", "custom:size=1x1:weights=2"})
        EXPECT_TRUE(may_clip(clip_request(recipe, kLarge, {Depth::u8, 3}))) << recipe;
    EXPECT_TRUE(may_clip(clip_request("box", kLarge, {Depth::f32, 3}))) << "floats may be infinite";
}

TEST_F(ClipSample, WhatIsNoNumberIsCounted) {
    auto image = random_image(kSmall, {Depth::f32, 1}, 4);
    image.view().row<float>(7)[5] = std::numeric_limits<float>::quiet_NaN();
    const auto options = clip_request("box:size=3", kSmall, {Depth::f32, 1});
    const auto counted = sample_.count(options, image.view());
    ASSERT_TRUE(counted);
    EXPECT_EQ(*counted, whole_count(options, image));
    EXPECT_EQ(counted->not_finite, 9);
}

TEST_F(ClipSample, WithoutMemoryNothingIsKnown) {
    const auto image = random_image(kSmall, {Depth::u8, 3}, 1);
    kg::ClipSample poor(cpu::make_engine(1, 1));
    EXPECT_FALSE(poor.count(clip_request("sharpen | sobel", kSmall, {Depth::u8, 3}), image.view()));
}

} // namespace
} // namespace kg::testing
