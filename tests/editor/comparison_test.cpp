// What A and B show beside the result, and steps that are left out.

#include "app/editor/comparison/comparison.hpp"
#include "core/reference/reference.hpp"
#include "filters/recipe.hpp"
#include "tests/support/app/document_fixture.hpp"

#include <algorithm>
#include <cstdlib>

namespace kg::testing {
namespace {

class ComparisonTest : public DocumentFixture {
protected:
    std::unique_ptr<Document> open(const std::vector<Step>& steps, Extent size = {60, 40}) {
        auto d = document();
        d->view.mode = ViewState::Mode::difference;
        d->open(image_file(size));
        d->set_recipe(recipe_of(steps));
        settle(*d);
        return d;
    }
    static ViewSource by(const std::string& engine, const std::string& algorithm) {
        return {ViewSource::Kind::algorithm, {engine, algorithm}, {}};
    }
    static DifferenceNumbers numbers(Document& d) {
        EXPECT_TRUE(eventually([&] {
            d.update();
            return d.comparison().difference().current;
        }));
        const auto* found = d.comparison().difference().latest;
        return found ? *found : DifferenceNumbers{};
    }
};

TEST_P(ComparisonTest, BMayBeTheReferenceWhichTheResultEquals) {
    const auto d = open({gaussian(2)});
    d->view.sources[0] = by(d->engines().front()->device().id, "reference");
    d->view.sources[1] = {ViewSource::Kind::result, {}, {}};
    d->update();
    settle(*d);
    const auto a = d->comparison().image(0);
    ASSERT_TRUE(a.result) << d->comparison().why_not(0);
    EXPECT_EQ(a.result->algorithm, "reference");
    const auto& request = d->result()->job.request;
    EXPECT_TRUE(same_pixels(downloaded(*a.result).view(),
                            reference_image(request, d->image()->pixels.view()).view()));
    EXPECT_FALSE(d->comparison().region(0, {3, 2, 4, 5})) << "requested";
    settle(*d);
    ASSERT_TRUE(d->comparison().region(0, {3, 2, 4, 5})) << "its numbers are read like those of others";
    EXPECT_LE(numbers(*d).largest, 1 / 255.0);
    EXPECT_EQ(d->result()->algorithm == "reference", false) << "the result itself is as before";
}

TEST_P(ComparisonTest, TwoBordersDifferAtTheRimAlone) {
    const auto d = open({gaussian(1)});
    d->view.sources[1] = {ViewSource::Kind::border, {}, Border::zero};
    d->view.sources[0] = {};
    d->update();
    settle(*d);
    const auto b = d->comparison().image(1);
    ASSERT_TRUE(b.result) << d->comparison().why_not(1);
    auto request = d->result()->job.request;
    request.border = Border::zero;
    EXPECT_TRUE(is_right(request, d->image()->pixels.view(), downloaded(*b.result).view()));
    EXPECT_GT(numbers(*d).largest, 0.05);
    const auto result = downloaded(*d->result()), zero = downloaded(*b.result);
    EXPECT_EQ(sample(result.view(), 30, 20, 0), sample(zero.view(), 30, 20, 0));
    EXPECT_NE(sample(result.view(), 0, 20, 0), sample(zero.view(), 0, 20, 0));
    EXPECT_FALSE(d->comparison().region(1, {3, 2, 4, 5})) << "requested";
    settle(*d);
    const auto* read = d->comparison().region(1, {3, 2, 4, 5});
    ASSERT_TRUE(read);
    EXPECT_EQ(sample(read->pixels->view(), 1, 2, 0), sample(zero.view(), 4, 4, 0));
}

TEST_P(ComparisonTest, BorderConstantIsGreyUntilTheRecipeHasAColour) {
    const auto d = open({gaussian(1)});
    d->view.sources[1] = {ViewSource::Kind::border, {}, Border::constant};
    d->view.sources[0] = {};
    for (const bool coloured : {false, true}) {
        if (coloured)
            d->change([](Recipe& recipe) {
                recipe.border = Border::constant;
                recipe.border_colour = {1, 0, 0, 1};
            });
        settle(*d);
        d->update();
        settle(*d);
        const auto b = d->comparison().image(1);
        ASSERT_TRUE(b.result) << d->comparison().why_not(1);
        const auto& request = b.result->job.request;
        EXPECT_EQ(request.border, Border::constant);
        EXPECT_EQ(request.outside[0], coloured ? 1 : 0.5f);
        EXPECT_TRUE(is_right(request, d->image()->pixels.view(), downloaded(*b.result).view()));
    }
}

TEST_P(ComparisonTest, APixelIsComputedByEveryAlgorithmAndLibrary) {
    const auto d = open({gaussian(2)});
    auto& comparison = d->comparison();
    d->point_at(7, 5);
    settle(*d);
    EXPECT_EQ(comparison.pixel_results(7, 5).sources, 0u) << "not asked for";
    comparison.compute_pixel(7, 5);
    EXPECT_TRUE(comparison.busy());
    settle(*d);
    const auto known = comparison.pixel_results(7, 5);
    EXPECT_GE(known.sources, 3u); // four where the processor has integer dot products
    EXPECT_TRUE(known.is_complete());
    EXPECT_EQ(comparison.pixel_results(7, 6).sources, 0u) << "another pixel";
    const auto result = downloaded(*d->result());
    int with_value = 0;
    for (const auto& [title, samples, why_not] : known.results) {
        SCOPED_TRACE(title);
        ASSERT_EQ(samples.empty(), !why_not.empty());
        if (samples.empty()) continue;
        ++with_value;
        ASSERT_EQ(samples.size(), 3u);
        for (int c = 0; c < 3; ++c)
            EXPECT_LE(std::abs(samples[static_cast<std::size_t>(c)] - sample(result.view(), 7, 5, c)), 1);
    }
    EXPECT_GE(with_value, 3);
    d->set_recipe(recipe_of({gaussian(3)}));
    settle(*d);
    EXPECT_EQ(comparison.pixel_results(7, 5).sources, 0u) << "another result";
    d->hold(true);
    comparison.compute_pixel(7, 5);
    EXPECT_EQ(comparison.pixel_results(7, 5).sources, 0u) << "nothing is computed beside a measurement";
}

TEST_P(ComparisonTest, AnotherRecipeStandsBesideTheShownOne) {
    const auto d = open({gaussian(1)});
    const auto first = d->result()->job.request;
    d->show_slot(1);
    d->set_recipe(recipe_of({gaussian(3)}));
    settle(*d);
    d->view.sources[0] = {ViewSource::Kind::recipe, {}, {}, 0};
    d->update();
    settle(*d);
    const auto a = d->comparison().image(0);
    ASSERT_TRUE(a.result) << d->comparison().why_not(0);
    EXPECT_EQ(a.result->job.request, first);
    EXPECT_GT(numbers(*d).largest, 0);
    d->copy_slot(0); // no edit of the shown recipe
    d->update();
    settle(*d);
    ASSERT_TRUE(d->comparison().image(0).result);
    EXPECT_EQ(numbers(*d).largest, 0);
    const auto choices = d->comparison().choices();
    const auto why_not = [&](const std::string& name) {
        const auto found = std::ranges::find(choices, name, &SourceChoice::title);
        return found == choices.end() ? "absent" : found->why_not;
    };
    EXPECT_EQ(why_not("Recipe A"), "");
    EXPECT_EQ(why_not("Recipe B"), "absent") << "it is shown";
    EXPECT_NE(why_not("Recipe C"), "") << "it has no steps";
}

TEST_P(ComparisonTest, AnEditReplacesTheSide) {
    const auto d = open({gaussian(1)});
    d->view.sources[0] = {ViewSource::Kind::border, {}, Border::wrap};
    d->update();
    settle(*d);
    const auto before = d->comparison().image(0);
    ASSERT_TRUE(before.result);
    d->set_recipe(recipe_of({gaussian(3)}));
    EXPECT_TRUE(eventually([&] {
        d->update();
        const auto side = d->comparison().image(0);
        // Whatever is shown belongs to the result beside it.
        EXPECT_TRUE(!side.result || side.result->job.request.stages == d->result()->job.request.stages);
        return d->resting() && side.result && side.result != before.result;
    }));
    d->view.sources[0] = {ViewSource::Kind::original, {}, {}};
    d->update();
    EXPECT_EQ(d->comparison().image(0).original, d->image());
}

TEST_P(ComparisonTest, AnAlgorithmThatRefusesIsNotReplacedByAnother) {
    const auto d = open({gaussian(1)});
    const auto& choices = d->comparison().choices();
    const auto refusing = std::ranges::find_if(choices, [](const auto& choice) {
        return choice.source.kind == ViewSource::Kind::algorithm && !choice.why_not.empty() &&
               choice.source.selection.algorithm.find(':') == std::string::npos;
    });
    if (refusing == choices.end()) GTEST_SKIP() << "every algorithm supports this step";
    d->view.sources[0] = refusing->source;
    d->update();
    settle(*d);
    EXPECT_FALSE(d->comparison().image(0));
    EXPECT_NE(d->comparison().why_not(0), "");
}

TEST_P(ComparisonTest, ASlowReferenceAnnouncesItsTimeAndStops) {
    const auto slow = recipe_of({{"box", {{"size", "201"}}, {}, true}});
    const auto d = open(slow.steps, {200, 600}); // some minutes of one core
    const auto& comparison = d->comparison();
    const auto reference = by(d->engines().front()->device().id, "reference");
    EXPECT_EQ(comparison.announcement({}), "") << "only the reference takes long";
    EXPECT_TRUE(comparison.announcement(reference).starts_with("about "))
        << comparison.announcement(reference);
    EXPECT_FALSE(comparison.progress(0));
    d->view.sources[0] = reference;
    d->update();
    EXPECT_TRUE(eventually([&] {
        d->update();
        return comparison.progress(0) && comparison.progress(0)->done > 0;
    }));
    EXPECT_GT(comparison.progress(0)->seconds_left, 0);
    EXPECT_EQ(comparison.why_not(0), "");
    EXPECT_FALSE(comparison.image(0));
    d->hold(true);
    EXPECT_TRUE(eventually([&] {
        d->update();
        return d->is_still();
    })) << "a measurement does not wait for it";
    EXPECT_FALSE(comparison.progress(0));
    d->hold(false);
    d->update();
    EXPECT_TRUE(comparison.progress(0)) << "it begins again";
    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    ASSERT_TRUE(comparison.image(0).result) << comparison.why_not(0);
    EXPECT_EQ(comparison.image(0).result->job.request, d->result()->job.request);
    d->set_recipe(slow);
    EXPECT_TRUE(eventually([&] {
        d->update();
        return comparison.progress(0).has_value();
    }));
    d->view.sources[0] = {ViewSource::Kind::original, {}, {}};
    d->update();
    EXPECT_FALSE(comparison.progress(0));
    settle(*d);
}

TEST_P(ComparisonTest, NothingIsComputedBesideAMeasurement) {
    const auto d = open({gaussian(2)});
    const auto reference = by(d->engines().front()->device().id, "reference");
    d->view.sources[0] = reference;
    d->update();
    d->hold(true); // what has begun is waited for
    EXPECT_TRUE(eventually([&] {
        d->update();
        return d->is_still();
    }));
    EXPECT_FALSE(d->comparison().busy());
    d->view.sources[1] = {ViewSource::Kind::border, {}, Border::zero};
    d->update();
    EXPECT_FALSE(d->comparison().busy()) << "it begins after the measurement";
    EXPECT_TRUE(d->is_still());
    d->hold(false);
    d->update();
    settle(*d);
    EXPECT_TRUE(d->comparison().image(1)) << d->comparison().why_not(1);
}

TEST_P(ComparisonTest, OtherLibrariesAreOffered) {
    const auto d = open({gaussian(1)});
    if (GetParam() != "cpu") GTEST_SKIP() << "OpenCV reads the CPU engine's buffers";
    const auto& choices = d->comparison().choices();
    const auto opencv = std::ranges::find_if(
        choices, [](const auto& choice) { return choice.source.selection.algorithm == "opencv:filter2D"; });
    ASSERT_NE(opencv, choices.end());
    EXPECT_EQ(opencv->why_not, "");
    d->view.sources[0] = opencv->source;
    d->update();
    settle(*d);
    ASSERT_TRUE(d->comparison().image(0).result) << d->comparison().why_not(0);
    EXPECT_EQ(d->comparison().image(0).result->algorithm, "opencv:filter2D");
    EXPECT_LE(numbers(*d).largest, 1.01 / 255);
}

TEST_P(ComparisonTest, LibrariesThatDoNotSupportTheStepsSayWhyAndWhatWouldHelp) {
    const auto deep = folder_ / "scan.png";
    write_image(deep, random_image({60, 40}, {Depth::u16, 1}, 3).view());
    const auto d = document();
    if (GetParam() != "cpu") GTEST_SKIP() << "OpenCV reads the CPU engine's buffers";
    d->view.mode = ViewState::Mode::difference;
    d->open(deep);
    auto recipe = recipe_of({{"sobel", {{"direction", "x"}}, {}, true}});
    recipe.sign = SignedMode::half;
    d->set_recipe(recipe);
    settle(*d);
    const auto choice_of = [&](const std::string& algorithm) {
        for (const auto& choice : d->comparison().choices())
            if (choice.source.selection.algorithm == algorithm) return choice;
        return SourceChoice{};
    };
    const auto sobel = choice_of("opencv:Sobel");
    EXPECT_TRUE(sobel.why_not.ends_with("; set Signed to Clamp (Output)")) << sobel.why_not;
    d->view.sources = {ViewSource{}, sobel.source}; // the result, and a library
    d->update();
    settle(*d);
    EXPECT_FALSE(d->comparison().image(1));
    EXPECT_EQ(d->comparison().why_not(1), sobel.why_not);
    EXPECT_EQ(d->comparison().difference().why_not, sobel.why_not) << "it is not being compared";

    recipe.sign = SignedMode::clamp;
    d->set_recipe(recipe);
    settle(*d);
    EXPECT_EQ(choice_of("opencv:Sobel").why_not, "");
    EXPECT_EQ(d->comparison().why_not(1), "");
    EXPECT_LE(numbers(*d).largest, 2.01 / 65535) << d->comparison().why_not(1);

    d->set_recipe(recipe_of({gaussian(1)}));
    settle(*d);
    const auto blur = choice_of("opencv:blur");
    EXPECT_NE(blur.why_not, "");
    EXPECT_EQ(blur.why_not.find("set "), std::string::npos) << "no setting makes a mean of it";
}

TEST_P(ComparisonTest, HistogramsAreOfTheWholeResult) {
    const auto d = open({{"sobel", {{"direction", "x"}}, {}, true}});
    EXPECT_TRUE(eventually([&] {
        d->update();
        return d->comparison().histograms().current;
    }));
    const auto* found = d->comparison().histograms().latest;
    ASSERT_TRUE(found);
    const auto result = downloaded(*d->result());
    std::int64_t black = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 60; ++x) black += sample(result.view(), x, y, 1) == 0;
    EXPECT_EQ(found->result[1].bins[0], black);
    ASSERT_TRUE(d->clipping());
    EXPECT_LE(d->clipping()->channels[1].below, black) << "a 0 may not have been clamped";
    EXPECT_GT(d->clipping()->channels[1].below, black * 9 / 10);
}

TEST_P(ComparisonTest, StepsAfterTheSelectedOneAreLeftOut) {
    const auto d = open({gaussian(1), {"sharpen", {}, {}, true}, gaussian(4)});
    EXPECT_EQ(d->shown_steps(), "");
    d->select(1);
    d->show_to_selected(true);
    settle(*d);
    EXPECT_EQ(d->shown_steps(), "Steps 1-2 of 3");
    EXPECT_EQ(d->result()->job.request.stages.size(), 2u);
    EXPECT_EQ(d->recipe().steps.size(), 3u);
    EXPECT_FALSE(d->history().can_undo()) << "it is no edit";
    d->select(0);
    settle(*d);
    EXPECT_EQ(d->shown_steps(), "Step 1 of 3");
    EXPECT_EQ(d->result()->job.request.stages.size(), 1u);
    d->show_to_selected(false);
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Engines, ComparisonTest, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
