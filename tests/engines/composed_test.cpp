// Recipes computed as one filter, on every engine: semantics 11 to the letter, whatever the border.

#include "core/plan/composed_plan.hpp"
#include "core/request/compose.hpp"
#include "tests/engines/support/literal_rule.hpp"
#include "tests/support/detached_engine.hpp"

#include <array>

namespace kg::testing {
namespace {

Stage uneven() {
    auto stage = Stage{{make_kernel(4, 3, {1, 2, -3, 4, 0, 6, 7, 8, 9, -10, 11, 12}, 50)}};
    stage.kernels.front().anchor_x = 0;
    return stage;
}

std::vector<std::vector<Stage>> recipes() {
    return {{named("gaussian:sigma=1.5"), named("sharpen")},
            {uneven(), named("box:size=3")},
            {named("sharpen"), uneven(), named("gaussian:size=5")}};
}

std::shared_ptr<const Plan> composed_plan(Engine& engine, const ImageRequest& request) {
    const auto* algorithm = engine.device().id == "cuda" ? "tiled" : "direct";
    return std::make_shared<ComposedPlan>(plan(engine, *composed(request), algorithm),
                                          plan(engine, request, algorithm), composed_outputs(request));
}

TEST(Composed, IsRightForEveryBorderAndSize) {
    const auto engine = cpu::make_engine(2);
    for (const auto& stages : recipes())
        for (const auto border : kBorders)
            for (const auto size : {Extent{61, 47}, Extent{7, 33}, Extent{1, 1}, Extent{3, 2}}) {
                ImageRequest request{size, {Depth::u8, 1}, {Depth::u8, 1}, stages, border};
                ASSERT_TRUE(composed(request));
                const auto image = random_image(size, request.in, 5);
                const auto result = run(*engine, composed_plan(*engine, request), request, image.view(),
                                        whole(size));
                EXPECT_TRUE(obeys(request, image.view(), result.view())) << describe(request);
            }
}

TEST(Composed, PartsHaveTheBytesOfTheWhole) {
    for (const auto& engine : kinds())
        for (const auto border : {Border::zero, Border::reflect101, Border::wrap}) {
            ImageRequest request{{61, 47}, {Depth::u8, 3}, {Depth::u8, 3}, recipes()[1], border};
            request.channels = border == Border::zero ? 0b101 : ~0u;
            request.sign = border == Border::wrap ? SignedMode::half : SignedMode::absolute;
            const auto image = random_image(request.size, request.in, 6);
            const auto plan = composed_plan(*engine, request);
            const auto all = run(*engine, plan, request, image.view(), whole(request.size));
            EXPECT_TRUE(is_right(request, image.view(), all.view())) << name(border) << " " << label(*engine);
            for (const Rect& part :
                 {Rect{0, 0, 61, 1}, Rect{3, 5, 40, 30}, Rect{0, 0, 2, 47}, Rect{60, 46, 1, 1}})
                EXPECT_TRUE(same_pixels(run(*engine, plan, request, image.view(), part).view(),
                                        all.view().crop(part)))
                    << name(border) << " " << label(*engine);
        }
}

TEST(Composed, ImagesOfOneRunHaveScratchOfTheirOwn) {
    for (const auto& engine : kinds()) {
        const ImageRequest request{{61, 47}, {Depth::u8, 3}, {Depth::u8, 3}, recipes()[1], Border::zero};
        const auto plan = composed_plan(*engine, request);
        const auto images = random_images(request, 3, 50);
        const auto results = run_together(*engine, plan, request, images).results;
        for (std::size_t i = 0; i < images.size(); ++i)
            EXPECT_TRUE(same_pixels(
                results[i].view(), run(*engine, plan, request, images[i].view(), whole(request.size)).view()))
                << label(*engine);
    }
}

TEST(Composed, WhatAutoMakesOfARecipeIsRightOnEveryEngine) {
    auto all_recipes = recipes();
    all_recipes.push_back({named("box:size=3"), named("sharpen")}); // what is faster as one on a CPU, too
    const auto all = engines();
    std::vector<int> as_one(all.size());
    for (const auto& stages : all_recipes)
        for (const auto border : kBorders) {
            // Large enough for a GPU to be better off with one filter.
            ImageRequest request{{1024, 768}, {Depth::u8, 1}, {Depth::u8, 1}, stages, border};
            const auto image = random_image(request.size, request.in, 7);
            const LiteralRule rule(request, image.view());
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto chosen = plan(*all[i], request);
                as_one[i] += chosen->reason.starts_with("its filters composed to one of");
                const auto result = run(*all[i], chosen, request, image.view(), whole(request.size));
                EXPECT_TRUE(rule.holds(result.view())) << label(*all[i]) << " " << chosen->algorithm;
            }
        }
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_GT(as_one[i], 0) << label(*all[i]);
}

} // namespace
} // namespace kg::testing
