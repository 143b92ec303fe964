// Step and Play with a clock of the test, and the explanation that a document gives.

#include "app/editor/pixel/pixel_lines.hpp"
#include "tests/support/app/document_fixture.hpp"

#include <cmath>

namespace kg::testing {
namespace {

TEST(PixelCrawl, MovesAsManyPixelsASecondAsItsSpeed) {
    for (const double speed : {1.0, 4.0, 60.0}) {
        PixelCrawl crawl;
        crawl.set_speed(speed);
        EXPECT_EQ(crawl.advance(5), 0);
        EXPECT_TRUE(std::isinf(crawl.seconds_left(5)));
        crawl.play(10);
        EXPECT_NEAR(crawl.seconds_left(10), 1 / speed, 1e-9);
        std::int64_t pixels = 0;
        for (int frame = 1; frame <= 20 * 64; ++frame) pixels += crawl.advance(10 + frame / 64.0);
        EXPECT_NEAR(static_cast<double>(pixels), 20 * speed, 1) << speed;
    }
}

TEST(PixelCrawl, DoesNotMakeUpForTimeThatTheWindowSlept) {
    PixelCrawl crawl;
    crawl.set_speed(1000);
    EXPECT_EQ(crawl.speed(), PixelCrawl::kFastest);
    crawl.play(0);
    EXPECT_LE(crawl.advance(3600), 16);
    crawl.pause();
    EXPECT_EQ(crawl.advance(7200), 0);
}

TEST(PixelCrawl, InputOfTheFrameThatStartedItDoesNotPauseIt) {
    PixelCrawl crawl;
    crawl.play(3);
    EXPECT_FALSE(crawl.started_before(3));
    EXPECT_TRUE(crawl.started_before(3.1));
}

TEST(PixelCrawl, GoesAlongTheRowsAndBeginsAgainAfterTheLast) {
    const Extent size{4, 3};
    EXPECT_EQ(pixel_after({2, 0}, 1, size), (std::pair<std::int64_t, std::int64_t>{3, 0}));
    EXPECT_EQ(pixel_after({3, 0}, 1, size), (std::pair<std::int64_t, std::int64_t>{0, 1}));
    EXPECT_EQ(pixel_after({3, 2}, 2, size), (std::pair<std::int64_t, std::int64_t>{1, 0}));
}

TEST(PixelCrawl, TheSumIsWholeAfterTheLastTap) {
    PixelCrawl crawl;
    EXPECT_FALSE(crawl.taps());
    crawl.show_taps(8, 9);
    EXPECT_EQ(crawl.taps(), std::optional<std::size_t>(8));
    crawl.show_taps(9, 9);
    EXPECT_FALSE(crawl.taps());
    crawl.show_taps(2, 9);
    crawl.play(0);
    EXPECT_FALSE(crawl.taps());
}

class DocumentPixel : public DocumentFixture {
protected:
    const std::optional<PixelTerms>& terms(const Document& d) { return d.pixel_explanation().terms; }
};

TEST_P(DocumentPixel, TheSelectedStepIsExplainedAndEqualsTheEngine) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1), {"sharpen", {}, {}, false}, {"sobel", {}, {}, true}}));
    settle(*d);
    EXPECT_FALSE(terms(*d));
    EXPECT_TRUE(d->pixel_explanation().why_not.empty()) << "no pixel is read";
    d->point_at(0, 59);
    settle(*d);
    d->pixel.channel = 2;
    ASSERT_TRUE(terms(*d));
    EXPECT_EQ(terms(*d)->stage, 1u);
    EXPECT_EQ(terms(*d)->kernels.size(), 2u);
    ASSERT_TRUE(terms(*d)->is_last());
    EXPECT_EQ(terms(*d)->channel, 2);
    EXPECT_LE(std::fabs(terms(*d)->stored - d->reading()->after.at(2)), 1);
    d->select(0);
    ASSERT_TRUE(terms(*d));
    EXPECT_FALSE(terms(*d)->is_last());
    d->select(1);
    EXPECT_FALSE(terms(*d));
    EXPECT_FALSE(d->pixel_explanation().why_not.empty()) << "the step is off";
    d->point_nowhere();
    EXPECT_FALSE(terms(*d));
}

TEST_P(DocumentPixel, TooManyProductsAreNotSummed) {
    const auto d = document();
    d->open(image_file({300, 200}));
    d->set_recipe(recipe_of({gaussian(20), gaussian(20)}));
    settle(*d);
    d->point_at(10, 10);
    EXPECT_FALSE(terms(*d));
    EXPECT_FALSE(d->pixel_explanation().why_not.empty());
    d->select(0);
    EXPECT_TRUE(terms(*d));
    d->set_recipe({});
    settle(*d);
    EXPECT_FALSE(terms(*d));
    EXPECT_FALSE(d->pixel_explanation().why_not.empty());
}

TEST_P(DocumentPixel, ARegionIsReadFromTheResultOnTheScreen) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    d->point_at(3, 4);
    d->read_region({80, 50, 40, 40});
    settle(*d);
    ASSERT_TRUE(d->region());
    EXPECT_EQ(d->region()->region, (Rect{80, 50, 10, 10}));
    EXPECT_EQ(d->reading()->after.size(), 3u) << "the pixel is read, too";
    const auto whole_result = downloaded(*d->result());
    EXPECT_TRUE(same_pixels(d->region()->pixels->view(), whole_result.view().crop({80, 50, 10, 10})));
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    EXPECT_FALSE(d->region()) << "another result";
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentPixel, kEngineNames, engine_name);

TEST(PixelLines, TheirNumberDependsOnTheRequestAloneNotOnThePixel) {
    Recipe recipe;
    recipe.steps = {parse_step("custom:size=3x3:weights=-1,0,1,-2,0,2,-1,0,1:divisor=4:offset=0.5")};
    const auto request = request_for(recipe, {9, 7}, {Depth::u8, 1});
    const auto image = random_image({9, 7}, request.in, 4);
    for (int x = 0; x < 9; ++x) {
        const auto terms = pixel_terms(request, image.view(), 0, x, 3, 0);
        const auto lines = pixel_lines(terms, {0, {}, "CPU", terms.stored});
        ASSERT_EQ(lines.size(), 6u);
        EXPECT_EQ(lines[0].name, "Sum");
        EXPECT_EQ(lines[5].name, "CPU");
    }
    EXPECT_EQ(computed_text(138, 137, Depth::u8), "138, 1 level above");
    EXPECT_EQ(computed_text(137, 137, Depth::u8), "137, exact");
}

} // namespace
} // namespace kg::testing
