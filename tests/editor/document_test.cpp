// The document without a window: the newest request wins, and an image and its numbers belong together.

#include "app/process/file/file_request.hpp"
#include "app/process/job.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/app/sluggish_engine.hpp"
#include "tests/support/standstill.hpp"

namespace kg::testing {
namespace {

class DocumentTest : public DocumentFixture {};

TEST_P(DocumentTest, ShowsTheResultOfTheReference) {
    const auto d = document();
    d->open(image_file());
    d->add_step("sobel");
    settle(*d);
    ASSERT_TRUE(d->result()) << last_message(*d);
    const auto& job = d->result()->job;
    EXPECT_TRUE(is_right(job.request, job.image->pixels.view(), downloaded(*d->result()).view()));
    EXPECT_GT(d->result()->filter_us, 0);
    EXPECT_GT(d->result()->upload_us, 0);
    EXPECT_EQ(d->title(), "image.png");
    d->add_step("sharpen");
    settle(*d);
    EXPECT_EQ(d->result()->upload_us, 0) << "the image is on the engine already";
}

TEST_P(DocumentTest, TwoHundredRapidEditsEndInTheRightImage) {
    const auto d = document();
    d->open(image_file());
    settle(*d);
    d->add_step("gaussian");
    std::uint64_t shown = 0;
    int results = 0, edits = 0;
    const auto edit_thrice = [&] {
        for (int i = 0; i < 3; ++i) {
            d->set_value("sigma", to_text(0.5 + ++edits % 200 * 0.01), Gesture::ongoing);
            d->update();
            if (d->result()->job.serial == shown) continue;
            EXPECT_GT(d->result()->job.serial, shown) << "an older result came after a newer one";
            shown = d->result()->job.serial;
            ++results;
        }
        return edits >= 200 && results > 1;
    };
    EXPECT_TRUE(eventually(edit_thrice)) << "a drag shows intermediate results";
    d->set_value("sigma", "2.5", Gesture::ongoing);
    d->finish_gesture();
    settle(*d);
    const auto& job = d->result()->job;
    EXPECT_EQ(job.request.stages.front(), stage_of(gaussian(2.5)));
    EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(),
                            run_job(job.choice.engine, job.request, job.image->pixels.view()).image.view()));
    EXPECT_EQ(d->history().undo_name(), "Gaussian sigma automatic to 2.5");
    d->undo();
    EXPECT_EQ(d->history().undo_name(), "Add Gaussian blur") << "the drag was one entry";
}

TEST_P(DocumentTest, WhileItIsHeldNothingIsComputed) {
    const auto d = document();
    d->open(image_file());
    settle(*d);
    const auto before = d->result()->stamp;
    d->hold(true);
    d->add_step("sobel");
    d->point_at(1, 1);
    EXPECT_TRUE(comes_to_standstill());
    d->update();
    EXPECT_EQ(d->result()->stamp, before);
    EXPECT_TRUE(d->busy());
    EXPECT_TRUE(d->is_still());
    d->hold(false);
    EXPECT_FALSE(d->is_still());
    settle(*d);
    EXPECT_GT(d->result()->stamp, before);
    d->hold(true); // it ends all the same
}

TEST_P(DocumentTest, ANewerRequestStopsASlowOne) {
    const auto d = document();
    d->open(image_file({900, 700}));
    settle(*d);
    expect_newer_stops_slow(*d, engine()->device().id);
}

TEST_P(DocumentTest, OpeningDoesNotWaitForASlowRequestWhichResumesAfterwards) {
    const auto d = document();
    d->open(image_file({900, 700}));
    settle(*d);
    d->choose({engine()->device().id, "reference"});
    start_slow(*d);
    d->open(folder_ / "absent.png"); // it fails, so the slow request is still wanted
    EXPECT_TRUE(eventually([&] {
        d->update();
        return !d->messages().empty();
    }));
    EXPECT_EQ(d->messages().back().code(), "cannot-read") << last_message(*d);
    EXPECT_TRUE(d->busy());
    d->choose({});
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
}

TEST_P(DocumentTest, AForcedAlgorithmRunsAndOneThatDoesNotExistYieldsInAmber) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    d->choose({engine()->device().id, "reference"});
    settle(*d);
    EXPECT_EQ(d->result()->algorithm, "reference");
    EXPECT_FALSE(d->result()->refusal);
    d->choose({engine()->device().id, "no-such-algorithm"});
    settle(*d);
    EXPECT_NE(d->result()->algorithm.find("separable"), std::string::npos);
    ASSERT_TRUE(d->result()->refusal);
    EXPECT_EQ(d->result()->refusal->code(), "algorithm-refused");
    EXPECT_EQ(d->messages().back().kind, Message::Kind::warning);
    EXPECT_EQ(d->messages().back().code(), "algorithm-refused");
    bool direct = false;
    for (const auto& choice : d->choices())
        direct = direct || (choice.selection.algorithm == "direct" && choice.why_not.empty());
    EXPECT_TRUE(direct);
}

TEST_P(DocumentTest, ImageAndNumbersSwapWhenTheDisplayReportsIt) {
    std::vector<std::shared_ptr<const Result>> presented;
    Document::Setup setup;
    setup.engines = {engine()};
    setup.present = [&](const auto& result) { presented.push_back(result); };
    Document d(std::move(setup));
    d.open(image_file());
    const auto wait_for = [&](std::size_t results) {
        ASSERT_TRUE(eventually([&] {
            d.update();
            return presented.size() >= results;
        }));
        ASSERT_EQ(presented.size(), results);
    };
    wait_for(1);
    EXPECT_FALSE(d.result());
    d.shown(presented[0]->stamp);
    EXPECT_EQ(d.result(), presented[0]);
    d.add_step("sharpen");
    wait_for(2);
    d.add_step("sobel");
    wait_for(3);
    EXPECT_EQ(d.result(), presented[0]);
    EXPECT_TRUE(d.filtering());
    d.shown(presented[2]->stamp);
    EXPECT_EQ(d.result(), presented[2]);
    d.shown(presented[1]->stamp);
    EXPECT_EQ(d.result(), presented[2]) << "an overtaken result never comes back";
    EXPECT_FALSE(d.busy());
}

TEST_P(DocumentTest, RestsWhenACountedResultIsOvertakenByOneThatIsNotCounted) {
    std::vector<std::shared_ptr<const Result>> presented;
    Document::Setup setup;
    setup.engines = {engine()};
    setup.present = [&](const auto& result) { presented.push_back(result); };
    Document d(std::move(setup));
    const auto wait_for = [&](std::size_t results) {
        ASSERT_TRUE(eventually([&] {
            d.update();
            return presented.size() == results;
        }));
    };
    d.open(image_file());
    wait_for(1);
    auto unclamped = recipe_of({gaussian(1)});
    unclamped.sign = SignedMode::keep; // floats: nothing is clamped
    d.set_recipe(unclamped);
    wait_for(2);
    d.shown(presented[0]->stamp); // both have been computed when the display reports the first
    d.shown(presented[1]->stamp);
    EXPECT_TRUE(eventually([&] {
        d.update();
        return d.resting();
    }));
}

TEST_P(DocumentTest, ReadsThePixelBeforeAndAfter) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    d->point_at(17, 9);
    EXPECT_TRUE(eventually([&] {
        d->update();
        return !d->reading()->after.empty();
    }));
    ASSERT_EQ(d->reading()->after.size(), 3u);
    const auto result = downloaded(*d->result());
    for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(d->reading()->before[static_cast<std::size_t>(c)],
                  sample(d->image()->pixels.view(), 17, 9, c));
        EXPECT_EQ(d->reading()->after[static_cast<std::size_t>(c)], sample(result.view(), 17, 9, c));
    }
    d->point_at(-1, 3);
    EXPECT_FALSE(d->reading());
}

TEST_P(DocumentTest, ReportsAFailureAndContinues) {
    const auto d = document();
    d->open(folder_ / "absent.png");
    settle(*d);
    EXPECT_EQ(d->messages().back().kind, Message::Kind::error);
    EXPECT_EQ(d->messages().back().code(), "cannot-read") << last_message(*d);
    d->open(image_file());
    d->set_recipe(recipe_of({{"gaussian", {{"sigma", "-3"}}, {}, true}}));
    settle(*d);
    ASSERT_TRUE(d->failure());
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    EXPECT_FALSE(d->failure());
    EXPECT_TRUE(d->result());
    d->save(d->image()->path);
    settle(*d);
    EXPECT_EQ(d->messages().back().code(), "replaces-original") << last_message(*d);
    EXPECT_EQ(last_message(*d), "This would replace the original " + quoted(d->image()->path) +
                                    ", which is open; choose another name.");
}

TEST_P(DocumentTest, RunsAgainToTimeAndForgetsWhenSomethingChanges) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    d->run_again(20);
    settle(*d);
    EXPECT_EQ(d->timings()[TimingRow::filter].count(), 21 - TimingStatistic::kDropped);
    EXPECT_TRUE(d->timings()[TimingRow::filter].settled());
    EXPECT_LE(d->timings()[TimingRow::filter].median(), d->timings()[TimingRow::filter].p95());
    d->set_value("sigma", "2");
    settle(*d);
    EXPECT_EQ(d->timings()[TimingRow::filter].count(), 0u);
}

TEST_P(DocumentTest, CountsWhatWasClampedAsTheReferenceDoes) {
    const auto d = document();
    d->open(image_file({90, 61}));
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}, {"sobel", {{"direction", "x"}}, {}, true}}));
    settle(*d);
    ASSERT_TRUE(d->clipping());
    const auto& job = d->result()->job;
    const auto values = reference_values(job.request, job.image->pixels.view());
    Clipping expected{90 * 61, 0, 0, 0};
    for (std::size_t i = 0; i < values.size(); i += 3) {
        const auto any = [&](auto wrong) {
            return wrong(values[i]) || wrong(values[i + 1]) || wrong(values[i + 2]);
        };
        for (std::size_t c = 0; c < 3; ++c) {
            expected.channels[c].below += values[i + c] < -0.5;
            expected.channels[c].above += values[i + c] > 255.5;
        }
        expected.below += any([](double v) { return v < -0.5; });
        expected.above += any([](double v) { return v > 255.5; });
    }
    EXPECT_GT(expected.below, 1000);
    EXPECT_GT(expected.above, 100);
    EXPECT_EQ(*d->clipping(), expected);
    d->change([](Recipe& recipe) { recipe.sign = SignedMode::absolute; });
    settle(*d);
    EXPECT_EQ(d->clipping()->below, 0);
    d->change([](Recipe& recipe) { recipe.depth = Depth::f32; });
    settle(*d);
    EXPECT_FALSE(d->clipping()) << "floats are not clamped";
}

TEST_P(DocumentTest, CountsNonFiniteValues) {
    auto image = random_image({40, 30}, {Depth::f32, 3}, 6);
    store(image.view(), 10, 10, 1, std::numeric_limits<double>::quiet_NaN());
    store(image.view(), 25, 20, 0, std::numeric_limits<double>::infinity());
    write_image(folder_ / "image.tif", image.view());
    const auto d = document();
    d->open(folder_ / "image.tif");
    d->set_recipe(recipe_of({{"box", {{"size", "3"}}, {}, true}}));
    settle(*d);
    ASSERT_TRUE(d->clipping()) << last_message(*d);
    EXPECT_EQ(*d->clipping(), (Clipping{40 * 30, 0, 0, 18})) << "floats hold an infinity";
    d->change([](Recipe& recipe) { recipe.depth = Depth::u8; });
    settle(*d);
    EXPECT_EQ(d->clipping()->not_finite, 18);
    EXPECT_GT(d->clipping()->above, 9);
}

TEST_P(DocumentTest, ACountDoesNotDelayAnEdit) {
    const auto slow = std::make_shared<SluggishEngine>(engine());
    const auto d = document(slow);
    d->open(image_file());
    settle(*d);
    // The filter finishes; its count ends only by a stop.
    slow->passing = 1, slow->stuck = 1;
    d->set_recipe(recipe_of({gaussian(1)}));
    ASSERT_TRUE(eventually([&] {
        d->update();
        return slow->sticking > 0;
    }));
    EXPECT_FALSE(d->filtering());
    EXPECT_FALSE(d->clipping()) << "the count continues";
    d->set_recipe(recipe_of({{"sharpen", {}, {}, true}}));
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of({"sharpen", {}, {}, true}));
    ASSERT_TRUE(d->clipping());
    EXPECT_EQ(d->clipping()->pixels, 90 * 60);
}

TEST_P(DocumentTest, AnOpaqueImageIsFilteredWithoutAlphaHereAndInItsFile) {
    const auto d = document();
    const auto file = folder_ / "alpha.png";
    const auto algorithm_with = [&](std::uint8_t last_alpha) {
        auto image = random_image({90, 60}, {Depth::u8, 4, 3}, 6);
        for (std::int64_t y = 0; y < 60; ++y)
            for (std::int64_t x = 0; x < 90; ++x) image.view().row<std::uint8_t>(y)[4 * x + 3] = 255;
        image.view().row<std::uint8_t>(59)[4 * 89 + 3] = last_alpha;
        write_image(file, std::as_const(image).view());
        d->open(file);
        d->set_recipe(recipe_of({gaussian(1)}));
        settle(*d);
        const auto& job = d->result()->job;
        EXPECT_EQ(job.request.alpha, AlphaMode::premultiplied) << "the request is unchanged";
        EXPECT_TRUE(is_right(job.request, job.image->pixels.view(), downloaded(*d->result()).view()));
        auto own = read_image(file);
        const auto request = file_request(own, d->recipe(), "png").request;
        EXPECT_TRUE(same_pixels(downloaded(*d->result()).view(),
                                run_job(job.choice.engine, request, own.pixels.view()).image.view()));
        EXPECT_EQ(d->result()->request(), request);
        const bool opaque = last_alpha == 255;
        EXPECT_EQ(d->result()->opaque, opaque);
        double listed_us = 0, expected_us = 0;
        for (const auto& choice : d->choices())
            if (choice.selection.algorithm == "separable" && choice.why_not.empty())
                listed_us = choice.microseconds;
        for (const auto& candidate : algorithm_answers(*job.choice.engine, request))
            if (candidate.algorithm->id == "separable") expected_us = candidate.microseconds;
        EXPECT_EQ(listed_us, expected_us) << "the list shows the cost of the algorithm that would run";
        return d->result()->algorithm;
    };
    EXPECT_EQ(algorithm_with(255).find("convert"), std::string::npos);
    EXPECT_NE(algorithm_with(254).find("convert"), std::string::npos);
    EXPECT_EQ(algorithm_with(255).find("convert"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentTest, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
