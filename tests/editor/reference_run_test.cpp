// The time that the reference is estimated to take, as text and in numbers.

#include "app/editor/comparison/reference_run.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

TEST(ReferenceTime, IsRoundedForPeople) {
    EXPECT_EQ(about_seconds(0.2), "about 1 s");
    EXPECT_EQ(about_seconds(7.4), "about 7 s");
    EXPECT_EQ(about_seconds(41.9), "about 40 s");
    EXPECT_EQ(about_seconds(89), "about 90 s");
    EXPECT_EQ(about_seconds(200), "about 3 min");
    EXPECT_EQ(about_seconds(3000), "about 50 min");
    EXPECT_EQ(about_seconds(7200), "about 2 h");
    EXPECT_EQ(about_seconds(3600 * 1234.0), "about 1200 h");
}

TEST(ReferenceTime, IsThatOfItsProductsOnAllThreads) {
    const PixelFormat format{Depth::u8, 3};
    const auto request = [&](const char* step, Extent size) {
        Recipe recipe;
        recipe.steps = {parse_step(step)};
        return request_for(recipe, size, format);
    };
    const auto one = cpu::make_engine(1), two = cpu::make_engine(2);
    const auto seconds = reference_seconds(request("box:size=3", {1000, 1000}), *one);
    EXPECT_GT(seconds, 0);
    EXPECT_DOUBLE_EQ(reference_seconds(request("box:size=3", {1000, 1000}), *two), seconds / 2);
    EXPECT_DOUBLE_EQ(reference_seconds(request("box:size=3", {2000, 1000}), *one), seconds * 2);
    EXPECT_GT(reference_seconds(request("box:size=9", {1000, 1000}), *one), seconds * 2);
    EXPECT_LT(reference_seconds(request("box:size=9", {1000, 1000}), *one), seconds * 9);
    EXPECT_LT(reference_seconds(request("box:size=2001", {1000, 1000}), *one),
              reference_seconds(request("box:size=201", {1000, 1000}), *one))
        << "summed along rows and columns";
}

} // namespace
} // namespace kg::testing
