// Size and growth of the previews of a slow result.

#include "app/editor/preview/early_preview.hpp"
#include "app/process/job.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/app/sluggish_engine.hpp"

#include <cmath>

namespace kg::testing {
namespace {

using Results = std::vector<std::shared_ptr<const Result>>;

/// 0 if the job has no preview.
std::int64_t area_of_first_preview(const Results& shown, std::uint64_t serial) {
    for (const auto& result : shown)
        if (result->job.serial == serial && result->preview)
            return result->preview->region.width * result->preview->region.height;
    return 0;
}

TEST(EarlyPreview, AFirstRegionThatIsTooSlowInADragIsReplacedByASmallerOne) {
    const auto engine = std::make_shared<SluggishEngine>(cpu::make_engine(1));
    Results shown;
    Document* document = nullptr;
    Document::Setup setup;
    setup.engines = {engine};
    setup.pace = {0, 5'000};
    setup.present = [&](const std::shared_ptr<const Result>& result) {
        shown.push_back(result);
        document->shown(result->stamp);
    };
    Document d(std::move(setup));
    document = &d;
    const Extent size{1600, 1200};
    d.focus_on({size, size, whole(size), 800, 600, 1.0});
    const auto image = std::make_shared<const LoadedImage>(
        LoadedImage{random_image(size, {Depth::u8, 3}, 1), {}, {}});
    d.set_recipe(recipe_of({gaussian(3), {"sharpen", {}, {}, true}, gaussian(2)}));
    d.open_unsaved(image, "image");
    const auto until = [&](auto come) {
        ASSERT_TRUE(eventually([&] {
            d.update();
            return come();
        }));
    };
    until([&] { return d.result() && !d.busy(); });
    d.select(0);
    // Whether an edit belongs to a drag, and which run gets stuck, depends on timing; the result must be
    // right in any case, so drags repeat until both have happened.
    bool was_smaller = false;
    int drags = 0;
    EXPECT_TRUE(eventually([&] {
        const int i = drags++ % 20;
        shown.clear();
        d.set_value("sigma", to_text(3.1 + i * 0.02), Gesture::ongoing);
        until([&] { return !shown.empty(); });
        const auto usual = area_of_first_preview(shown, shown.front()->job.serial);
        engine->stuck = 1;
        d.set_value("sigma", to_text(3.11 + i * 0.02), Gesture::ongoing);
        until([&] { return !d.busy(); });
        engine->stuck = 0;
        const auto area = area_of_first_preview(shown, shown.back()->job.serial);
        was_smaller = area > 0 && 2 * area < usual;
        for (const auto& result : {shown.front(), shown.back()}) {
            const auto part = result->preview ? result->preview->region : whole(size);
            Image pixels({part.width, part.height}, result->pixels.format);
            const auto queue = engine->queue(Priority::normal);
            queue->download(result->pixels.crop(part), pixels.view());
            queue->fence().wait();
            const auto expected = run_job(engine, result->job.request, image->pixels.view()).image;
            EXPECT_TRUE(same_pixels(pixels.view(), expected.view().crop(part)));
        }
        return was_smaller || ::testing::Test::HasFatalFailure();
    }));
    EXPECT_TRUE(was_smaller);
}

TEST(EarlyPreview, ARegionGrowsByWholeStepsOnAllSidesUntilTheBoundsAreFull) {
    const Rect bounds{32, 48, 500, 301};
    Rect part;
    for (int i = 0; i < 200 && part != bounds; ++i) {
        const auto enough = [area = part.width * part.height + 3000](const Rect& r) {
            return r.width * r.height >= area;
        };
        const auto next = grown(part, 40, 300, bounds, 16, 32, enough);
        EXPECT_TRUE(bounds.contains(next));
        EXPECT_TRUE(next.contains(part));
        EXPECT_TRUE(next == bounds || enough(next));
        EXPECT_TRUE(next.x % 16 == 0 || next.x == bounds.x);
        EXPECT_TRUE(next.y % 32 == 0 || next.y == bounds.y);
        EXPECT_TRUE(next.right() % 16 == 0 || next.right() == bounds.right());
        EXPECT_TRUE(next.bottom() % 32 == 0 || next.bottom() == bounds.bottom());
        std::int64_t pixels = part.empty() ? 0 : part.width * part.height;
        for (const auto& rect : around(next, part)) {
            EXPECT_FALSE(rect.empty());
            EXPECT_TRUE(next.contains(rect));
            EXPECT_TRUE(intersect(rect, part).empty());
            pixels += rect.width * rect.height;
        }
        EXPECT_EQ(pixels, next.width * next.height) << "each pixel once";
        part = next;
    }
    EXPECT_EQ(part, bounds);
    EXPECT_TRUE(
        grown({}, -5, 9999, bounds, 16, 32, [](const Rect&) { return true; }).contains({32, 348, 1, 1}))
        << "the nearest region to a distant focus";
}

TEST(EarlyPreview, TheCostIsThatOfAllStepsOrOfTheForcedAlgorithmAndOfTheHalo) {
    const auto engine = cpu::make_engine(2);
    ImageRequest one;
    one.size = {640, 480};
    one.in = one.out = {Depth::f32, 1};
    one.stages = {stage_of(gaussian(4))};
    auto three = one;
    three.stages.assign(3, one.stages.front());
    const auto cost = [&](const ImageRequest& request, std::string_view forced) {
        return cost_us(step_costs(*engine, request, forced));
    };
    const auto once = cost(one, {});
    EXPECT_GT(once, 0);
    EXPECT_GT(cost(one, "direct"), 2 * once) << "the cheapest algorithm is another";
    EXPECT_NEAR(cost(three, {}), 3 * once, once / 2);
    EXPECT_EQ(cost(one, "somebody:else"), 0) << "the cost is unknown";
    EXPECT_TRUE(std::isinf(cost(one, "reference")));

    auto light = three; // with conversions before and after
    light.light = Light::linear;
    for (const auto& request : {one, three, light}) {
        const auto asked = step_costs(*engine, request, {}),
                   planned = plan_with_costs(*engine, request).costs;
        ASSERT_EQ(asked.size(), planned.size());
        for (std::size_t i = 0; i < asked.size(); ++i) {
            EXPECT_EQ(asked[i].step, planned[i].step);
            EXPECT_EQ(asked[i].microseconds, planned[i].microseconds);
        }
    }

    const Rect part{300, 200, 64, 48}; // a hundredth
    EXPECT_NEAR(cost_us(step_costs(*engine, one, {}), part), once / 100, once / 1e6);
    const double r = 16, expected = (64 * 48 + (64 + 2 * r) * (48 + 2 * r) + (64 + 4 * r) * (48 + 4 * r));
    EXPECT_NEAR(cost_us(step_costs(*engine, three, {}), part), once * expected / (640 * 480), once / 1e6);
}

} // namespace
} // namespace kg::testing
