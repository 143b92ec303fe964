// A request that is planned once and run for one image after another.

#include "app/process/engine/prepared_request.hpp"
#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/planning_engine.hpp"
#include "tests/support/stages.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

/// The result by the contract alone, with the algorithm that it was planned with.
std::pair<Image, std::string> by_contract(const ImageRequest& request, const Image& image) {
    const auto engine = cpu::make_engine(1);
    const auto plan = kg::plan(*engine, request);
    Image result(request.size, request.out);
    run_in_parts(*engine, plan, image.view(), result.view());
    return {std::move(result), plan->algorithm};
}

ImageRequest blurred(Extent size) {
    return {size, {Depth::u8, 3}, {Depth::u8, 3}, {named("gaussian:sigma=2"), named("sharpen")}};
}

TEST(PreparedRequest, RunsHereAndOnAQueueWithTheBytesOfTheContract) {
    const auto engine = cpu::make_engine(2);
    const auto request = blurred({70, 50});
    PreparedRequest prepared({engine, {}}, request);
    EXPECT_TRUE(prepared.is_short());
    for (const unsigned seed : {1u, 2u}) {
        const auto image = random_image(request.size, request.in, seed);
        const auto [expected, algorithm] = by_contract(request, image);
        Image here(request.size, request.out), queued(request.size, request.out);
        EXPECT_TRUE(prepared.run_here(image.view(), here.view()));
        const auto outcome = prepared.run(image.view(), queued.view());
        EXPECT_TRUE(same_pixels(std::as_const(here).view(), expected.view()));
        EXPECT_TRUE(same_pixels(std::as_const(queued).view(), expected.view()));
        EXPECT_EQ(outcome.engine, engine);
        EXPECT_EQ(outcome.algorithm, algorithm);
    }
}

TEST(PreparedRequest, PlansOnce) {
    int plans = 0;
    const auto engine = std::make_shared<PlanningEngine>([&](const PlanContext&) { ++plans; });
    ImageRequest request{{20, 10}, {Depth::u8, 1}, {Depth::u8, 1}, {named("box:size=3")}};
    PreparedRequest prepared({engine, {}}, request, "planned");
    const auto image = random_image(request.size, request.in, 1);
    Image result(request.size, request.out);
    for (int i = 0; i < 3; ++i) prepared.run(image.view(), result.view());
    EXPECT_EQ(plans, 1);
}

TEST(PreparedRequest, RunsHereOnlyWhereAnEngineComputesInPlace) {
    const auto request = blurred({20, 20});
    const auto image = random_image(request.size, request.in, 1);
    Image result(request.size, request.out);
    PreparedRequest limited({cpu::make_engine(1, std::size_t{1} << 30), {}}, request);
    EXPECT_FALSE(limited.run_here(image.view(), result.view()));
    PreparedRequest detached({make_detached_engine(), {}}, request);
    EXPECT_FALSE(detached.run_here(image.view(), result.view()));
}

TEST(PreparedRequest, LongRequestsAreNotShort) {
    EXPECT_FALSE(PreparedRequest({cpu::make_engine(1), {}}, blurred({4000, 3000})).is_short());
}

TEST(PreparedRequest, ThreadsRunItAtTheSameTime) {
    const auto request = blurred({120, 90});
    PreparedRequest prepared({cpu::make_engine(2), {}}, request);
    const auto image = random_image(request.size, request.in, 1);
    const auto expected = by_contract(request, image).first;
    std::vector<Image> results;
    for (int i = 0; i < 8; ++i) results.emplace_back(request.size, request.out);
    {
        std::vector<std::jthread> threads;
        for (auto& result : results)
            threads.emplace_back([&] {
                for (int i = 0; i < 20; ++i) prepared.run_here(image.view(), result.view());
            });
    }
    for (const auto& result : results) EXPECT_TRUE(same_pixels(result.view(), expected.view()));
}

} // namespace
} // namespace kg::testing
