// Previews of one filter: every n-th pixel of every n-th row of the whole result, computed on the host for
// every engine.

#include "core/reference/reference.hpp"
#include "tests/support/app/preview_fixture.hpp"

namespace kg::testing {
namespace {

/// One filter, viewed at 50 %.
class SampledPreviewTest : public PreviewFixture {
protected:
    /// The samples of the first preview of this recipe, and the whole result.
    void expect_samples_of_the_whole(const Recipe& recipe, const PixelFormat& format, const std::string& name,
                                     const Rect& visible = whole(kSize)) {
        SCOPED_TRACE(name);
        const auto d = document_with({0, 3'000}); // enough time for a coarse grid at least
        d->focus_on({kSize, {200, 150}, visible, 90, 200, 0.5});
        const auto path = folder_ / ("image" + name);
        write_image(path, random_image(kSize, format, 5).view());
        presented_.clear();
        d->open(path);
        d->set_recipe(recipe);
        settle(*d);
        ASSERT_EQ(presented_.size(), 2u) << last_message(*d);
        const auto &first = *presented_.front(), &last = *presented_.back();
        ASSERT_TRUE(first.preview);
        const auto& preview = *first.preview;
        EXPECT_GE(preview.every, 2) << "a grid finer than the screen is useless";
        const auto result = downloaded(last);
        const auto area = preview.changed.front();
        Image samples({area.width, area.height}, first.pixels.format);
        const auto queue = first.home->queue();
        queue->download(first.pixels.crop(area), samples.view());
        queue->fence().wait();
        std::int64_t seen = 0;
        for (std::int64_t y = 0; y < kSize.height; ++y)
            for (std::int64_t x = 0; x < kSize.width; ++x) {
                const auto place = first.place_of(x, y);
                const bool due = x % preview.every == 0 && y % preview.every == 0;
                ASSERT_EQ(place.has_value(), due && preview.region.contains({x, y, 1, 1})) << x << "," << y;
                EXPECT_TRUE(!due || !visible.contains({x, y, 1, 1}) || place) << "what is seen is there";
                if (!place) continue;
                ++seen;
                const Rect there{place->x - area.x, place->y - area.y, 1, 1};
                ASSERT_TRUE(same_pixels(samples.view().crop(there), result.view().crop({x, y, 1, 1})))
                    << x << "," << y;
            }
        EXPECT_GE(seen, visible.width * visible.height / preview.every / preview.every);
        const auto nearest = [n = preview.every](std::int64_t pixel, std::int64_t size) {
            return std::min((2 * pixel + n) / (2 * n), (size - 1) / n) * n;
        };
        for (auto y = visible.y; y < visible.bottom(); ++y)
            for (auto x = visible.x; x < visible.right(); ++x)
                ASSERT_TRUE(first.place_of(nearest(x, kSize.width), nearest(y, kSize.height)))
                    << x << "," << y << ": a square around its sample is drawn";
    }
    static Step dense(int size) {
        std::vector<float> weights(static_cast<std::size_t>(size * size));
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 7919 % 23) - 9;
        Step step{"custom", {}, {}, true};
        step.kernel = make_kernel(size, size, std::move(weights), static_cast<float>(size * size));
        return step;
    }
};

TEST_P(SampledPreviewTest, EveryNthPixelIsThatOfTheWholeForEveryRecipe) {
    constexpr PixelFormat kOpaque{Depth::u8, 3}, kClear{Depth::u8, 4, 3};
    const auto recipe = [](const Step& step) { return recipe_of({step}); };
    const Step sobel{"sobel", {}, {}, true};
    expect_samples_of_the_whole(recipe(dense(7)), kOpaque, "dense.png");
    expect_samples_of_the_whole(recipe(dense(6)), kOpaque, "even.png", {100, 60, 170, 90});
    expect_samples_of_the_whole(recipe(gaussian(4)), kOpaque, "gaussian.png");
    expect_samples_of_the_whole(recipe(sobel), kOpaque, "magnitude.png");
    expect_samples_of_the_whole(recipe(dense(7)), kClear, "alpha.png");
    expect_samples_of_the_whole(recipe(gaussian(4)), kClear, "soft.png");
    expect_samples_of_the_whole(recipe(sobel), kClear, "copied_alpha.png");
    expect_samples_of_the_whole(recipe(dense(5)), {Depth::u16, 3}, "deep.png");
    expect_samples_of_the_whole(recipe(gaussian(2)), {Depth::f32, 3}, "float.tif");
    auto offset = dense(5);
    offset.kernel->offset = 0.25f;
    expect_samples_of_the_whole(recipe(offset), kClear, "offset.png");
    auto linear = recipe(dense(5));
    linear.light = Light::linear;
    expect_samples_of_the_whole(linear, kClear, "linear.png");
    auto half = recipe(sobel);
    half.sign = SignedMode::half;
    half.border = Border::wrap;
    expect_samples_of_the_whole(half, kOpaque, "half.png");
    auto straight = recipe(dense(5));
    straight.alpha = AlphaMode::straight;
    straight.depth = Depth::f32;
    straight.border = Border::zero;
    expect_samples_of_the_whole(straight, kClear, "straight.tif");
}

TEST_P(SampledPreviewTest, AFilterInAFrameHasARegionInstead) {
    const auto d = document_with(kAlways);
    d->focus_on({kSize, {200, 150}, whole(kSize), 90, 200, 0.5});
    auto framed = recipe_of({dense(7)});
    framed.border = Border::constant;
    filter(*d, framed);
    settle(*d);
    ASSERT_FALSE(d->failure()) << last_message(*d);
    ASSERT_TRUE(presented_.front()->preview);
    EXPECT_EQ(presented_.front()->preview->every, 1);
    EXPECT_FALSE(presented_.back()->preview);
}

TEST_P(SampledPreviewTest, AChainHasARegionInstead) {
    const auto d = document_with(kAlways);
    d->focus_on({kSize, {200, 150}, whole(kSize), 90, 200, 0.5});
    filter(*d, chain());
    settle(*d);
    ASSERT_TRUE(presented_.front()->preview);
    EXPECT_EQ(presented_.front()->preview->every, 1);
}

/// For an engine with its own memory the host computes the samples, the engine the whole result.
TEST_P(SampledPreviewTest, SamplesLieInHostMemoryAndTheWholeOnItsEngine) {
    const auto d = document_with({0, 3'000});
    d->focus_on({kSize, {200, 150}, whole(kSize), 90, 200, 0.5});
    filter(*d, recipe_of({dense(31)}));
    settle(*d);
    ASSERT_EQ(presented_.size(), 2u) << last_message(*d);
    const auto &first = *presented_.front(), &last = *presented_.back();
    ASSERT_TRUE(first.preview);
    EXPECT_EQ(first.home->device().id, "cpu");
    EXPECT_EQ(last.home, last.job.choice.engine);
    EXPECT_EQ(first.job.choice.engine, last.job.choice.engine);
    const auto& image = d->image()->pixels;
    Image source(image.size(), first.source.format);
    const auto queue = first.home->queue();
    queue->download(first.source, source.view());
    queue->fence().wait();
    EXPECT_TRUE(same_pixels(source.view(), image.view())) << "the view shows it beside the preview";
}

TEST_P(SampledPreviewTest, ADragEndsInTheWholeResultAndReadsPixelsOfBoth) {
    const auto d = document_with({0, 3'000});
    d->focus_on({kSize, {200, 150}, whole(kSize), 90, 200, 0.5});
    filter(*d, recipe_of({gaussian(9)}));
    settle(*d);
    presented_.clear();
    d->select(0);
    std::size_t read = 0;
    on_present = [&](const Result& result) {
        d->point_at(0, 0);
        read += result.preview.has_value();
    };
    constexpr int kEdits = 40;
    int edits = 0;
    EXPECT_TRUE(eventually([&] {
        d->set_value("sigma", to_text(9 + (++edits % kEdits + 1) * 0.05), Gesture::ongoing);
        d->update();
        return edits >= kEdits && read > 3;
    })) << "a drag shows intermediate results";
    d->finish_gesture();
    settle(*d);
    EXPECT_FALSE(d->result()->preview);
    const auto result = whole_result(*d);
    EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(), result.view()));
    ASSERT_EQ(d->reading()->after.size(), 3u);
    for (int c = 0; c < 3; ++c)
        EXPECT_EQ(d->reading()->after[static_cast<std::size_t>(c)], sample(result.view(), 0, 0, c));
}

INSTANTIATE_TEST_SUITE_P(Engines, SampledPreviewTest, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
