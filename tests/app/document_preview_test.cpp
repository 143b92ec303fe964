// What is shown of a slow result before the whole of it: exact pixels, from where the person looks, and never mistaken for
// the result.

#include "app/document/early_preview.hpp"
#include "app/document/job.hpp"
#include "core/error.hpp"
#include "core/reference.hpp"
#include "cpu/host_queue.hpp"
#include "tests/app/support/document_fixture.hpp"

#include <atomic>
#include <cmath>

namespace kg::testing {
namespace {

constexpr Extent kSize{400, 300};
constexpr PreviewPace kAlways{0, 300}; ///< every result has a preview, in small pieces

/// A document that looks at a place, and what it brings to the screen.
class DocumentPreviewTest : public DocumentFixture {
protected:
    std::unique_ptr<Document> document_with(const PreviewPace& pace, bool shows = true) {
        Document::Setup setup;
        setup.engines = {engine()};
        setup.kernel_folder = folder_ / "kernels";
        setup.pace = pace;
        setup.present = [this, shows](std::shared_ptr<const Result> result) {
            presented_.push_back(result);
            if (shows) shown_->shown(result->stamp);
            if (on_present) on_present(*result);
        };
        auto d = std::make_unique<Document>(std::move(setup));
        shown_ = d.get();
        d->focus_on({kSize, {800, 600}, whole(kSize), 90, 200, 2.0});
        return d;
    }
    /// What comes of this recipe, beginning with an empty one on the screen.
    void filter(Document& d, const Recipe& recipe) {
        d.open(picture_file(kSize));
        settle(d);
        presented_.clear();
        d.set_recipe(recipe);
    }
    void wait_for_results(Document& d, std::size_t count) {
        for (int i = 0; i < 60000 && presented_.size() < count; ++i) {
            std::this_thread::sleep_for(1ms);
            d.update();
        }
        ASSERT_GE(presented_.size(), count);
    }
    static Image whole_result(const Document& d) {
        const auto& job = d.result()->job;
        return run_job(job.engine, job.request, job.picture->image.view(), job.algorithm).image;
    }
    static Recipe chain() { return recipe_of({gaussian(3), {"sharpen", {}, {}, true}, gaussian(2)}); }

    std::vector<std::shared_ptr<const Result>> presented_;
    std::function<void(const Result&)> on_present;
    Document* shown_ = nullptr;
};

TEST_P(DocumentPreviewTest, APartGrowsFromWhereOneLooksAndHasTheBytesOfTheWhole) {
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
        EXPECT_TRUE(preview->part.contains({90, 200, 1, 1})) << "from the cursor outward";
        EXPECT_TRUE(preview->part.contains(before));
        EXPECT_NE(preview->part, before);
        const auto& pixels = presented_[i]->pixels;
        Image image({preview->part.width, preview->part.height}, pixels.format);
        const auto queue = presented_[i]->home->queue();
        queue->download(pixels.crop(preview->part), image.view());
        queue->fence().wait();
        EXPECT_TRUE(same_pixels(image.view(), result.view().crop(preview->part)));
        before = preview->part;
    }
    EXPECT_FALSE(before.empty());
}

TEST_P(DocumentPreviewTest, NothingOfAPreviewCountsAsTheResults) {
    const auto d = document_with(kAlways, false);
    d->open(picture_file(kSize));
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
    while (presented_.back()->preview) {
        std::this_thread::sleep_for(1ms);
        d->update();
    }
    d->shown(presented_.back()->stamp);
    EXPECT_FALSE(d->result()->preview);
    EXPECT_EQ(d->timings()[TimingRow::filter].latest(), d->result()->filter_us);
    settle(*d);
    ASSERT_TRUE(d->clipping());
    EXPECT_EQ(d->clipping()->pixels, kSize.width * kSize.height);
}

TEST_P(DocumentPreviewTest, APixelIsReadOnlyWhereItIsThere) {
    const auto d = document_with(kAlways, false);
    d->open(picture_file(kSize));
    d->set_recipe(chain());
    wait_for_results(*d, 1);
    const auto preview = presented_.front();
    ASSERT_TRUE(preview->preview);
    d->shown(preview->stamp);
    const auto result = run_job(engine(), preview->job.request, d->picture()->image.view()).image;
    const auto there = preview->preview->part;
    d->point_at(there.x, there.y);
    for (int i = 0; i < 5000 && d->reading()->after.empty(); ++i) {
        std::this_thread::sleep_for(1ms);
        d->update();
    }
    ASSERT_EQ(d->reading()->after.size(), 3u);
    for (int c = 0; c < 3; ++c)
        EXPECT_EQ(d->reading()->after[static_cast<std::size_t>(c)],
                  sample(result.view(), there.x, there.y, c));
    d->point_at(there.right() % kSize.width, (there.bottom() + 7) % kSize.height);
    std::this_thread::sleep_for(30ms);
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
    EXPECT_TRUE(same_pixels(read_picture(path).image.view(), whole_result(*d).view()));
    EXPECT_FALSE(d->result()->preview) << "a file only interrupts what is computed for the screen";
}

TEST_P(DocumentPreviewTest, ANewerEditStopsThePreviewAndTheWhole) {
    const auto d = document_with({});
    filter(*d, recipe_of({}));
    d->choose({engine()->device().id, "direct"});
    d->set_recipe(recipe_of({gaussian(60)})); // 481 x 481 taps one by one: a minute
    while (presented_.empty() || !presented_.back()->preview) {
        std::this_thread::sleep_for(1ms);
        d->update();
        ASSERT_TRUE(d->busy()) << last_words(*d);
    }
    const auto slow = presented_.back()->job.request.stages;
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_FALSE(d->result()->preview);
    EXPECT_EQ(d->result()->job.request.stages.size(), 1u);
    for (const auto& result : presented_)
        EXPECT_TRUE(result->preview || result->job.request.stages.size() < 2)
            << "the slow one came to its end";
}

TEST_P(DocumentPreviewTest, ADragShowsPreviewsAndEndsInTheWholeResult) {
    const auto d = document_with(kAlways);
    filter(*d, chain());
    settle(*d);
    presented_.clear();
    d->select(0);
    for (int i = 1; i <= 60; ++i) {
        d->set_value("sigma", to_text(1 + i * 0.05), Gesture::ongoing);
        std::this_thread::sleep_for(4ms);
        d->update();
    }
    d->finish_gesture();
    settle(*d);
    std::uint64_t newest = 0;
    int previews = 0;
    for (const auto& result : presented_) {
        EXPECT_GE(result->job.serial, newest) << "an older one came after a newer one";
        newest = result->job.serial;
        previews += result->preview.has_value();
    }
    EXPECT_GT(previews, 3);
    EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(), whole_result(*d).view()));
}

TEST_P(DocumentPreviewTest, WhatIsFastOrMeasuredOrNotLookedAtHasNone) {
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

/// One filter, seen at half its size.
class SampledPreviewTest : public DocumentPreviewTest {
protected:
    /// The samples of the first preview of this recipe, and the whole result.
    void expect_samples_of_the_whole(const Recipe& recipe, const PixelFormat& format, const std::string& name,
                                     const Rect& visible = whole(kSize)) {
        SCOPED_TRACE(name);
        const auto d = document_with({0, 3'000}); // time enough for a coarse look at least
        d->focus_on({kSize, {200, 150}, visible, 90, 200, 0.5});
        const auto path = folder_ / ("picture" + name);
        write_picture(path, random_picture(kSize, format, 5).view());
        presented_.clear();
        d->open(path);
        d->set_recipe(recipe);
        settle(*d);
        ASSERT_EQ(presented_.size(), 2u) << last_words(*d);
        const auto &first = *presented_.front(), &last = *presented_.back();
        ASSERT_TRUE(first.preview);
        const auto& preview = *first.preview;
        EXPECT_GE(preview.every, 2) << "more pixels than the screen has are of no use";
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
                ASSERT_EQ(place.has_value(), due && preview.part.contains({x, y, 1, 1})) << x << "," << y;
                EXPECT_TRUE(!due || !visible.contains({x, y, 1, 1}) || place) << "what is seen is there";
                if (!place) continue;
                ++seen;
                const Rect there{place->x - area.x, place->y - area.y, 1, 1};
                ASSERT_TRUE(same_pixels(samples.view().crop(there), result.view().crop({x, y, 1, 1})))
                    << x << "," << y;
            }
        EXPECT_GE(seen, visible.width * visible.height / preview.every / preview.every);
        const auto nearest = [n = preview.every](std::int64_t pixel, std::int64_t side) {
            return std::min((2 * pixel + n) / (2 * n), (side - 1) / n) * n;
        };
        for (auto y = visible.y; y < visible.bottom(); ++y)
            for (auto x = visible.x; x < visible.right(); ++x)
                ASSERT_TRUE(first.place_of(nearest(x, kSize.width), nearest(y, kSize.height)))
                    << x << "," << y << ": a square around its sample is drawn";
    }
    static Step dense(int side) {
        std::vector<float> weights(static_cast<std::size_t>(side * side));
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 7919 % 23) - 9;
        Step step{"custom", {}, {}, true};
        step.kernel = make_kernel(side, side, std::move(weights), static_cast<float>(side * side));
        return step;
    }
};

TEST_P(SampledPreviewTest, EveryNthPixelIsThatOfTheWholeWhateverTheRecipeSays) {
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

TEST_P(SampledPreviewTest, AChainHasAPartInstead) {
    const auto d = document_with(kAlways);
    d->focus_on({kSize, {200, 150}, whole(kSize), 90, 200, 0.5});
    filter(*d, chain());
    settle(*d);
    ASSERT_TRUE(presented_.front()->preview);
    EXPECT_EQ(presented_.front()->preview->every, 1);
}

/// For an engine with memory of its own the host samples; the whole is the engine's.
TEST_P(SampledPreviewTest, SamplesLieInHostMemoryAndTheWholeOnItsEngine) {
    const auto d = document_with({0, 3'000});
    d->focus_on({kSize, {200, 150}, whole(kSize), 90, 200, 0.5});
    filter(*d, recipe_of({dense(31)}));
    settle(*d);
    ASSERT_EQ(presented_.size(), 2u) << last_words(*d);
    const auto &first = *presented_.front(), &last = *presented_.back();
    ASSERT_TRUE(first.preview);
    EXPECT_EQ(first.home->device().id, "cpu");
    EXPECT_EQ(last.home, last.job.engine);
    EXPECT_EQ(first.job.engine, last.job.engine);
    const auto& picture = d->picture()->image;
    Image source(picture.size(), first.source.format);
    const auto queue = first.home->queue();
    queue->download(first.source, source.view());
    queue->fence().wait();
    EXPECT_TRUE(same_pixels(source.view(), picture.view())) << "the view shows it beside the preview";
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
    constexpr int kEdits = 40, kMostEdits = 10000; // a busy machine shows fewer pictures on the way
    for (int i = 1; i <= kEdits || (read <= 3 && i <= kMostEdits); ++i) {
        d->set_value("sigma", to_text(9 + (i % kEdits + 1) * 0.05), Gesture::ongoing);
        std::this_thread::sleep_for(5ms);
        d->update();
    }
    d->finish_gesture();
    settle(*d);
    EXPECT_GT(read, 3u);
    EXPECT_FALSE(d->result()->preview);
    const auto result = whole_result(*d);
    EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(), result.view()));
    ASSERT_EQ(d->reading()->after.size(), 3u);
    for (int c = 0; c < 3; ++c)
        EXPECT_EQ(d->reading()->after[static_cast<std::size_t>(c)], sample(result.view(), 0, 0, c));
}

INSTANTIATE_TEST_SUITE_P(Engines, SampledPreviewTest, kEngineNames, engine_name);

/// Computes on the host, but the next `stuck` runs go on for ever unless they are stopped.
class SluggishEngine final : public Engine {
public:
    const DeviceInfo& device() const override { return engine_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return engine_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority) override { return std::make_unique<SluggishQueue>(*this); }
    std::span<const Algorithm* const> algorithms() const override { return engine_->algorithms(); }

    std::atomic<int> stuck = 0;

private:
    struct Endless final : Plan {
        Needs needs(const Rect& output) const override { return {output}; }
        void record(Queue& queue, std::span<const Item>, const BufferView&) const override {
            static_cast<cpu::HostQueue&>(queue).enqueue([](const cpu::HostQueue::Context& context) {
                while (!context.stop.stop_requested()) std::this_thread::sleep_for(1ms);
                throw Cancelled();
            });
        }
    };
    class SluggishQueue final : public cpu::HostQueue {
    public:
        explicit SluggishQueue(SluggishEngine& engine)
            : HostQueue(engine, std::make_shared<cpu::Workers>(1)), engine_(engine) {}
        ~SluggishQueue() override { finish(); }
        void run(const std::shared_ptr<const Plan>& plan, std::span<const Item> items,
                 std::stop_token stop) override {
            const bool sticks = engine_.stuck > 0 && engine_.stuck-- > 0;
            HostQueue::run(sticks ? std::make_shared<Endless>() : plan, items, std::move(stop));
        }

    private:
        SluggishEngine& engine_;
    };

    std::shared_ptr<Engine> engine_ = cpu::make_engine(1);
};

TEST(EarlyPreview, AFirstPartThatTakesTooLongInADragIsTriedSmaller) {
    const auto engine = std::make_shared<SluggishEngine>();
    std::vector<std::shared_ptr<const Result>> shown;
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
    const auto picture = std::make_shared<const Picture>(
        Picture{random_picture(size, {Depth::u8, 3}, 1), {}, {}});
    d.set_recipe(recipe_of({gaussian(3), {"sharpen", {}, {}, true}, gaussian(2)}));
    d.open_unsaved(picture);
    const auto until = [&](auto come) {
        for (int i = 0; i < 60000 && !come(); ++i) {
            std::this_thread::sleep_for(1ms);
            d.update();
        }
        ASSERT_TRUE(come());
    };
    until([&] { return d.result() && !d.busy(); });
    d.select(0);
    const auto area_of_first = [&](std::uint64_t serial) {
        for (const auto& result : shown)
            if (result->job.serial == serial && result->preview)
                return result->preview->part.width * result->preview->part.height;
        return std::int64_t{0};
    };
    // Whether an edit is a drag's, and whose run sticks, is a matter of time; what comes of it must be right in any case.
    bool was_smaller = false;
    for (int i = 0; i < 20 && !was_smaller; ++i) {
        shown.clear();
        d.set_value("sigma", to_text(3.1 + i * 0.02), Gesture::ongoing);
        until([&] { return !shown.empty(); });
        const auto usual = area_of_first(shown.front()->job.serial);
        engine->stuck = 1;
        d.set_value("sigma", to_text(3.11 + i * 0.02), Gesture::ongoing);
        until([&] { return !d.busy(); });
        engine->stuck = 0;
        const auto area = area_of_first(shown.back()->job.serial);
        was_smaller = area > 0 && 2 * area < usual;
        for (const auto& result : {shown.front(), shown.back()}) {
            const auto part = result->preview ? result->preview->part : whole(size);
            Image pixels({part.width, part.height}, result->pixels.format);
            const auto queue = engine->queue(Priority::normal);
            queue->download(result->pixels.crop(part), pixels.view());
            queue->fence().wait();
            const auto expected = run_job(engine, result->job.request, picture->image.view()).image;
            EXPECT_TRUE(same_pixels(pixels.view(), expected.view().crop(part)));
        }
    }
    EXPECT_TRUE(was_smaller);
}

TEST(EarlyPreview, APartGrowsByWholeStepsOnAllSidesUntilTheBoundsAreFull) {
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
        for (const auto& piece : around(next, part)) {
            EXPECT_FALSE(piece.empty());
            EXPECT_TRUE(next.contains(piece));
            EXPECT_TRUE(intersect(piece, part).empty());
            pixels += piece.width * piece.height;
        }
        EXPECT_EQ(pixels, next.width * next.height) << "each pixel once";
        part = next;
    }
    EXPECT_EQ(part, bounds);
    EXPECT_TRUE(
        grown({}, -5, 9999, bounds, 16, 32, [](const Rect&) { return true; }).contains({32, 348, 1, 1}))
        << "the nearest to a far place";
}

TEST(EarlyPreview, TheCostIsThatOfAllStepsOrOfTheWayAskedForAndOfWhatAPartReaches) {
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
    EXPECT_GT(cost(one, "direct"), 2 * once) << "the cheapest way is another";
    EXPECT_NEAR(cost(three, {}), 3 * once, once / 2);
    EXPECT_EQ(cost(one, "somebody:else"), 0) << "nothing is known";
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
