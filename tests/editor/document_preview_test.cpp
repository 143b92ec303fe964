// Previews of a slow result: exact pixels, from the focus outward, never mistaken for the result.

#include "core/reference/reference.hpp"
#include "tests/support/app/preview_fixture.hpp"
#include "tests/support/standstill.hpp"

namespace kg::testing {
namespace {

using DocumentPreviewTest = PreviewFixture;

TEST_P(DocumentPreviewTest, ARegionGrowsFromTheFocusAndHasTheBytesOfTheWhole) {
    const auto d = document_with(kAlways);
    filter(*d, chain());
    settle(*d);
    ASSERT_GE(presented_.size(), 2u);
    ASSERT_FALSE(presented_.back()->preview);
    const auto result = downloaded(*presented_.back());
    EXPECT_TRUE(same_pixels(result.view(), whole_result(*d).view()));
    Rect before;
    for (std::size_t i = 0; i + 1 < presented_.size(); ++i) {
        const auto& preview = presented_[i]->preview;
        ASSERT_TRUE(preview);
        EXPECT_EQ(preview->every, 1);
        EXPECT_TRUE(preview->region.contains({90, 200, 1, 1})) << "from the cursor outward";
        EXPECT_TRUE(preview->region.contains(before));
        EXPECT_NE(preview->region, before);
        const auto& pixels = presented_[i]->pixels;
        Image image({preview->region.width, preview->region.height}, pixels.format);
        const auto queue = presented_[i]->home->queue();
        queue->download(pixels.crop(preview->region), image.view());
        queue->fence().wait();
        EXPECT_TRUE(same_pixels(image.view(), result.view().crop(preview->region)));
        before = preview->region;
    }
    EXPECT_FALSE(before.empty());
}

TEST_P(DocumentPreviewTest, NothingOfAPreviewCountsAsTheResults) {
    const auto d = document_with(kAlways, false);
    d->open(image_file(kSize));
    wait_for_results(*d, 1);
    while (!d->result() || d->result()->preview) { // the first result, whole
        d->update();
        d->shown(presented_.back()->stamp);
    }
    presented_.clear();
    const auto before = d->timings()[TimingRow::filter].latest();
    EXPECT_GT(before, 0);
    d->set_recipe(chain());
    wait_for_results(*d, 1);
    ASSERT_TRUE(presented_.front()->preview);
    d->shown(presented_.front()->stamp);
    ASSERT_TRUE(d->result()->preview);
    EXPECT_TRUE(d->filtering()) << "the whole is still to come";
    EXPECT_FALSE(d->clipping());
    EXPECT_EQ(d->timings()[TimingRow::filter].latest(), before);
    ASSERT_TRUE(eventually([&] {
        d->update();
        return !presented_.back()->preview;
    }));
    d->shown(presented_.back()->stamp);
    EXPECT_FALSE(d->result()->preview);
    EXPECT_EQ(d->timings()[TimingRow::filter].latest(), d->result()->filter_us);
    settle(*d);
    ASSERT_TRUE(d->clipping());
    EXPECT_EQ(d->clipping()->pixels, kSize.width * kSize.height);
}

TEST_P(DocumentPreviewTest, APixelIsReadOnlyInsideThePreview) {
    const auto d = document_with(kAlways, false);
    d->open(image_file(kSize));
    d->set_recipe(chain());
    wait_for_results(*d, 1);
    const auto preview = presented_.front();
    ASSERT_TRUE(preview->preview);
    d->shown(preview->stamp);
    const auto result = run_job(engine(), preview->job.request, d->image()->pixels.view()).image;
    const auto there = preview->preview->region;
    d->point_at(there.x, there.y);
    EXPECT_TRUE(eventually([&] {
        d->update();
        return !d->reading()->after.empty();
    }));
    ASSERT_EQ(d->reading()->after.size(), 3u);
    for (int c = 0; c < 3; ++c)
        EXPECT_EQ(d->reading()->after[static_cast<std::size_t>(c)],
                  sample(result.view(), there.x, there.y, c));
    d->point_at(there.right() % kSize.width, (there.bottom() + 7) % kSize.height);
    ASSERT_TRUE(comes_to_standstill()) << "nobody reads it any more";
    d->update();
    EXPECT_TRUE(d->reading()->after.empty());
    EXPECT_EQ(d->reading()->before.size(), 3u);
}

TEST_P(DocumentPreviewTest, SavingWhileAPreviewIsShownWritesTheWholeResult) {
    const auto d = document_with(kAlways);
    const auto path = folder_ / "saved.png";
    filter(*d, chain());
    bool saved = false;
    on_present = [&](const Result& result) {
        if (result.preview && !saved) d->save(path), saved = true;
    };
    settle(*d);
    ASSERT_TRUE(saved);
    EXPECT_TRUE(same_pixels(read_image(path).pixels.view(), whole_result(*d).view()));
    EXPECT_FALSE(d->result()->preview) << "a file only interrupts what is computed for the screen";
}

TEST_P(DocumentPreviewTest, ANewerEditStopsThePreviewAndTheWhole) {
    const auto d = document_with({});
    filter(*d, recipe_of({}));
    d->choose({engine()->device().id, "direct"});
    d->set_recipe(recipe_of({gaussian(60)})); // 481 x 481 taps, not separable: a minute
    ASSERT_TRUE(eventually([&] {
        d->update();
        return !presented_.empty() && presented_.back()->preview;
    })) << last_message(*d);
    EXPECT_TRUE(d->busy());
    const auto slow = presented_.back()->job.request.stages;
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_FALSE(d->result()->preview);
    EXPECT_EQ(d->result()->job.request.stages.size(), 1u);
    for (const auto& result : presented_)
        EXPECT_TRUE(result->preview || result->job.request.stages.size() < 2)
            << "the slow job was not stopped";
}

TEST_P(DocumentPreviewTest, ADragShowsPreviewsAndEndsInTheWholeResult) {
    const auto d = document_with(kAlways);
    filter(*d, chain());
    settle(*d);
    presented_.clear();
    d->select(0);
    constexpr int kEdits = 60;
    int edits = 0;
    EXPECT_TRUE(eventually([&] {
        d->set_value("sigma", to_text(1 + (++edits % kEdits + 1) * 0.05), Gesture::ongoing);
        d->update();
        return edits >= kEdits && std::ranges::count_if(presented_, [](const auto& result) {
                                      return result->preview.has_value();
                                  }) > 3;
    })) << "a drag shows previews";
    d->finish_gesture();
    settle(*d);
    std::uint64_t newest = 0;
    for (const auto& result : presented_) {
        EXPECT_GE(result->job.serial, newest) << "an older result came after a newer one";
        newest = result->job.serial;
    }
    EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(), whole_result(*d).view()));
}

TEST_P(DocumentPreviewTest, FastOrMeasuredOrInvisibleResultsHaveNone) {
    const auto previews = [this] {
        return std::ranges::count_if(presented_,
                                     [](const auto& result) { return result->preview.has_value(); });
    };
    {
        const auto d = document_with({});
        filter(*d, recipe_of({gaussian(1)}));
        settle(*d);
        EXPECT_EQ(presented_.size(), 1u);
        EXPECT_EQ(previews(), 0);
    }
    const auto d = document_with(kAlways);
    filter(*d, chain());
    settle(*d);
    presented_.clear();
    d->run_again(5);
    settle(*d);
    EXPECT_EQ(presented_.size(), 5u);
    EXPECT_EQ(previews(), 0);
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentPreviewTest, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
