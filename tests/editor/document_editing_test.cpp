// Edits of a document's recipe: weights, presets and their previews, undo.

#include "app/editor/document/kernel_edits.hpp"
#include "app/process/image/thumbnail.hpp"
#include "app/process/job.hpp"
#include "tests/support/app/document_fixture.hpp"
#include "tests/support/presets.hpp"

namespace kg::testing {
namespace {

class DocumentEditing : public DocumentFixture {};

TEST_P(DocumentEditing, EditingAWeightMakesItCustomAndCanBeReverted) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1)}));
    d->set_kernel(with_weight(d->selected_stage()->kernels.front(), 0, 0, 0.25f));
    EXPECT_EQ(d->selected_step()->filter, "custom");
    ASSERT_TRUE(d->origins().front());
    EXPECT_EQ(d->history().undo_name(), "Edit a weight of Gaussian blur");
    d->set_kernel(resized(*d->selected_step()->kernel, 3, 5));
    EXPECT_EQ(d->history().undo_name(), "Kernel size 9x9 to 3x5");
    d->back_to_origin();
    EXPECT_EQ(*d->selected_step(), gaussian(1));
    d->undo();
    d->undo();
    d->undo();
    EXPECT_EQ(*d->selected_step(), gaussian(1));
    EXPECT_FALSE(d->history().can_undo());
    d->redo();
    EXPECT_EQ(d->selected_step()->kernel->weights.front(), 0.25f);
    EXPECT_TRUE(d->origins().front());
}

TEST_P(DocumentEditing, AKernelOfTwoIsEditedWhileTheOtherStays) {
    const auto d = document();
    d->open(image_file());
    const Step sobel{"sobel", {{"norm", "l1"}, {"divisor", "4"}}, {}, true};
    d->set_recipe(recipe_of({sobel}));
    settle(*d);
    const auto stage = *d->selected_stage();
    const auto edited = with_weight(stage.kernels[1], 0, 0, 7);
    d->set_kernel(edited, Gesture::whole, {}, 1);
    EXPECT_EQ(d->selected_step()->filter, "custom_gradient");
    EXPECT_EQ(d->selected_step()->kernel, stage.kernels[0]);
    EXPECT_EQ(d->selected_step()->kernel_y, edited);
    EXPECT_EQ(d->selected_stage()->combine, Combine::l1);
    EXPECT_EQ(d->origins().front(), sobel);
    EXPECT_EQ(d->history().undo_name(), "Edit a weight of Sobel edges");
    d->offer_kernel_file(edited, 1);
    EXPECT_EQ(d->take_offered_file()->proposed.filename(), "custom_gradient-gy-3x3.json");
    settle(*d);
    EXPECT_FALSE(d->failure()) << d->failure()->what();

    d->set_kernel(with_weight(edited, 0, 1, 0), Gesture::whole, {}, 1);
    EXPECT_EQ(d->history().undo_name(), "Gy weight -2 to 0");
    EXPECT_EQ(d->value(find_filter("sobel").parameters[2]), "4") << "the origin's, as it was";
    d->set_value("norm", "l2");
    EXPECT_EQ(d->history().undo_name(), "Custom gradient norm l1 to l2");
    EXPECT_EQ(d->value(find_filter("sobel").parameters[1]), "l2") << "the step's own";
    d->set_kernel(make_kernel(5, 1, {1, 2, 3, 2, 1}), Gesture::whole, {}, 0);
    EXPECT_EQ(d->history().undo_name(), "Gx size 3x3 to 5x1");
    const auto kept = d->recipe();
    auto too_far = make_kernel(1, 1, {1});
    too_far.offset = 2; // as kernel files may have, but not the one value of both
    d->set_kernel(too_far, Gesture::whole, {}, 0);
    EXPECT_EQ(d->recipe(), kept);
    ASSERT_TRUE(d->messages().back().error);
    EXPECT_EQ(d->messages().back().code(), "out-of-range");
    d->back_to_origin();
    EXPECT_EQ(*d->selected_step(), sobel);
    while (d->history().can_undo()) d->undo();
    EXPECT_EQ(d->recipe(), recipe_of({sobel}));
    EXPECT_FALSE(d->origins().front());
}

TEST_P(DocumentEditing, TwoKernelsComeFromTheStepAndFromTheClipboard) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({{"scharr", {}, {}, true}}));
    const auto stage = *d->selected_stage();
    d->replace_step("custom_gradient");
    EXPECT_EQ(d->history().undo_name(), "Scharr edges to Custom gradient");
    EXPECT_EQ(d->selected_stage()->kernels, stage.kernels);
    EXPECT_TRUE(d->paste_kernel(R"({"rows": [[1, 2]], "offset": 0.25})", 1));
    EXPECT_EQ(d->selected_step()->kernel, stage.kernels[0]);
    EXPECT_EQ(*d->selected_step()->kernel_y, make_kernel(2, 1, {1, 2}));
    EXPECT_EQ(d->selected_stage()->offset, 0.25f) << "both kernels share one offset";
    EXPECT_EQ(d->history().undo_name(), "Paste a 2 x 1 kernel");
    EXPECT_TRUE(d->paste_kernel("1 2 1")) << "without a place, it is the step's kernel";
    EXPECT_EQ(d->selected_step()->filter, "custom");
    EXPECT_FALSE(d->selected_step()->kernel_y);
    d->back_to_origin();
    EXPECT_EQ(d->selected_step()->filter, "scharr");
    d->set_recipe(recipe_of({gaussian(1)}));
    d->replace_step("custom_gradient");
    EXPECT_TRUE(d->history().undo_name().ends_with(" to Custom gradient")) << d->history().undo_name();
    ASSERT_NE(d->selected_stage(), nullptr);
    EXPECT_EQ(d->selected_stage()->kernels.size(), 2u);
    settle(*d);
    EXPECT_FALSE(d->failure()) << d->failure()->what();
}

TEST_P(DocumentEditing, PresetsReplaceTheSelectedStepOrAreAppended) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1), {"sharpen", {}, {}, true}}));
    d->select(0);
    const auto& glow = find_preset("dreamy_glow");
    ASSERT_EQ(glow.recipe.steps.size(), 2u);
    ASSERT_EQ(glow.recipe.light, Light::linear);
    d->use_preset(glow, Document::PresetUse::replace);
    EXPECT_EQ(d->recipe().steps,
              (std::vector{glow.recipe.steps[0], glow.recipe.steps[1], Step{"sharpen", {}, {}, true}}));
    EXPECT_EQ(d->recipe().light, Light::linear);
    EXPECT_EQ(d->selected(), 1);
    EXPECT_EQ(d->origins().size(), 3u);
    EXPECT_EQ(d->history().undo_name(), "Preset Dreamy glow");
    d->undo();
    EXPECT_EQ(d->recipe(), recipe_of({gaussian(1), {"sharpen", {}, {}, true}}));
    d->use_preset(find_preset("soft_blur"), Document::PresetUse::append);
    EXPECT_EQ(d->recipe().steps.size(), 3u);
    EXPECT_EQ(d->selected(), 2);
    settle(*d);
    EXPECT_FALSE(d->failure()) << d->failure()->what();
}

TEST_P(DocumentEditing, TheSelectionFollowsItsStepWhicheverIsMoved) {
    for (int selected = 0; selected < 4; ++selected)
        for (int from = 0; from < 4; ++from)
            for (int to = 0; to < 4; ++to) {
                const auto d = document();
                d->set_recipe(recipe_of({gaussian(1), gaussian(2), gaussian(3), gaussian(4)}));
                d->select(selected);
                const auto step = *d->selected_step();
                d->move_step(from, to);
                EXPECT_EQ(*d->selected_step(), step) << selected << ": " << from << " to " << to;
            }
}

TEST_P(DocumentEditing, AStepThatIsGoneWhileItIsDraggedIsNotMoved) {
    const auto d = document();
    d->set_recipe(recipe_of({gaussian(1)}));
    d->add_step("box");
    d->undo();
    d->move_step(1, 0);
    d->move_step(0, 1);
    EXPECT_EQ(d->recipe(), recipe_of({gaussian(1)}));
}

TEST_P(DocumentEditing, PreviewsAreTheFiltersOfTheShrunkenImage) {
    const auto d = document();
    d->open(image_file({400, 200}));
    settle(*d);
    EXPECT_EQ(d->previews().size(), presets().size());
    settle(*d);
    const auto small = shrunken(d->image()->pixels.view(), 160);
    for (std::size_t i = 0; i < presets().size(); ++i) {
        const auto& preview = d->previews()[i];
        ASSERT_TRUE(preview) << presets()[i].id;
        EXPECT_EQ(preview->size(), (Extent{160, 80}));
        const auto request = request_for(presets()[i].recipe, small.size(), small.format());
        const auto full = run_job(d->result()->job.choice.engine, request, small.view());
        EXPECT_TRUE(same_pixels(preview->view(), displayable(full.image.view()).view())) << presets()[i].id;
    }
    const auto other = folder_ / "other.png";
    write_image(other, random_image({30, 60}, {Depth::u16, 1}, 9).view());
    d->open(other);
    settle(*d);
    d->previews();
    settle(*d);
    EXPECT_EQ(d->previews()[0]->size(), (Extent{30, 60}));
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentEditing, kEngineNames, engine_name);

TEST(KernelEdits, KeepTheMiddle) {
    auto kernel = make_kernel(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto larger = resized(kernel, 5, 3);
    EXPECT_EQ(larger.weights, (std::vector<float>{0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 9, 0}));
    EXPECT_EQ(resized(larger, 3, 3), kernel);
    EXPECT_EQ(resized(kernel, 1, 1).weights, (std::vector<float>{5}));
    EXPECT_EQ(with_sum_divisor(kernel).divisor, 45);
    EXPECT_EQ(with_sum_divisor(make_kernel(3, 1, {-1, 0, 1})).divisor, 1);
}

TEST(History, NamesAlphaAsThePanelDoes) {
    History history;
    auto before = EditState{recipe_of({gaussian(1)}), {std::nullopt}}, after = before;
    after.recipe.alpha = AlphaMode::straight;
    history.record(before, after, false);
    EXPECT_EQ(history.undo_name(), "Alpha weighted to like colour");
}

TEST(History, ADragIsOneEntryAndBackToTheStartIsNone) {
    History history;
    const auto with = [](double sigma) { return EditState{recipe_of({gaussian(sigma)}), {std::nullopt}}; };
    history.record(with(1.5), with(1.6), true);
    history.record(with(1.6), with(2.4), true);
    EXPECT_EQ(history.undo_name(), "Gaussian sigma 1.5 to 2.4");
    history.record(with(2.4), with(1.5), true);
    EXPECT_FALSE(history.can_undo());
    history.record(with(1.5), with(2), true);
    history.seal();
    history.record(with(2), with(3), true);
    EXPECT_EQ(history.undo(), with(2));
    EXPECT_EQ(history.undo(), with(1.5));
    EXPECT_EQ(history.redo_name(), "Gaussian sigma 1.5 to 2");
    EXPECT_EQ(history.redo(), with(2));
    history.record(with(2), with(5), false);
    EXPECT_FALSE(history.can_redo());
}

} // namespace
} // namespace kg::testing
