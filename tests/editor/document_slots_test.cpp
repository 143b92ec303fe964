// The recipes A, B and C of a document.

#include "app/editor/document/last_state.hpp"
#include "tests/support/app/document_fixture.hpp"

namespace kg::testing {
namespace {

class DocumentSlots : public DocumentFixture {};

TEST_P(DocumentSlots, EveryRecipeKeepsItsStepsItsSelectionAndItsUndo) {
    const auto d = document();
    d->open(image_file());
    d->set_recipe(recipe_of({gaussian(1), {"sharpen", {}, {}, true}}));
    d->select(0);
    d->set_value("sigma", "2");
    const auto a = d->recipe();
    d->show_slot(1);
    EXPECT_EQ(d->recipe(), Recipe());
    EXPECT_EQ(d->selected(), -1);
    EXPECT_FALSE(d->history().can_undo());
    d->add_step("sobel");
    const auto b = d->recipe();
    EXPECT_EQ(d->slot_recipe(0), a);
    EXPECT_EQ(d->slot_recipe(1), b);
    EXPECT_EQ(d->slot_recipe(2), Recipe());
    d->show_slot(2);
    d->show_slot(0);
    EXPECT_EQ(d->recipe(), a);
    EXPECT_EQ(d->selected(), 0);
    EXPECT_EQ(d->history().undo_name(), "Gaussian sigma 1 to 2");
    d->undo();
    EXPECT_EQ(d->recipe(), recipe_of({gaussian(1), {"sharpen", {}, {}, true}}));
    EXPECT_EQ(d->slot_recipe(1), b) << "undo concerns the shown recipe alone";
    d->redo();
    d->show_slot(1);
    EXPECT_EQ(d->recipe(), b);
    settle(*d);
    EXPECT_EQ(d->result()->job.request.stages.front(), stage_of(b.steps.front()));
    d->show_slot(7);
    EXPECT_EQ(d->slot(), 1u) << "there is none";
}

TEST_P(DocumentSlots, ADragEndsWhereAnotherRecipeIsShown) {
    const auto d = document();
    d->set_recipe(recipe_of({gaussian(1)}));
    d->set_value("sigma", "2", Gesture::ongoing);
    d->show_slot(1);
    d->show_slot(0);
    d->set_value("sigma", "3", Gesture::ongoing);
    d->undo();
    EXPECT_EQ(d->recipe(), recipe_of({gaussian(2)}));
}

TEST_P(DocumentSlots, ACopyIsAnEntryOfTheUndoOfItsTarget) {
    const auto d = document();
    const auto a = recipe_of({gaussian(1)}), b = recipe_of({gaussian(5)});
    d->park_recipe(1, b);
    d->set_recipe(a);
    d->copy_slot(1);
    EXPECT_EQ(d->slot(), 0u);
    EXPECT_EQ(d->slot_recipe(1), a);
    EXPECT_FALSE(d->history().can_undo());
    d->show_slot(1);
    EXPECT_EQ(d->history().undo_name(), "Copy A to B");
    d->undo();
    EXPECT_EQ(d->recipe(), b);
    EXPECT_EQ(d->slot_recipe(0), a);
}

TEST_P(DocumentSlots, AreKeptBetweenStartsAndAnEmptyOneReplacesNone) {
    const auto d = document();
    d->set_recipe(recipe_of({gaussian(1)}));
    d->show_slot(2);
    d->set_recipe(recipe_of({gaussian(3)}));
    LastState state;
    keep_recipes(d->slots(), state);
    const auto file = folder_ / "state.json";
    write_last_state(file, state);
    state = read_last_state(file);
    EXPECT_EQ(state.slot, 2u);
    EXPECT_EQ(state.recipe, recipe_of({gaussian(3)}));
    EXPECT_EQ(state.others[0], recipe_of({gaussian(1)}));

    const auto later = document(); // C is shown, still without a step
    later->show_slot(2);
    later->show_slot(1);
    later->set_recipe(recipe_of({gaussian(2)}));
    keep_recipes(later->slots(), state);
    EXPECT_EQ(state.slot, 1u);
    EXPECT_EQ(state.recipe, recipe_of({gaussian(2)}));
    EXPECT_EQ(state.others[0], recipe_of({gaussian(1)}));
    EXPECT_EQ(state.others[2], recipe_of({gaussian(3)}));
}

INSTANTIATE_TEST_SUITE_P(Engines, DocumentSlots, kEngineNames, engine_name);

} // namespace
} // namespace kg::testing
