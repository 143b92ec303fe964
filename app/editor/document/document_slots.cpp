// The document's recipe slots: switching, copying, and what is kept of them.

#include "app/editor/document/document.hpp"

#include <utility>

namespace kg {

const Recipe& Document::slot_recipe(std::size_t slot) const {
    return slot == slot_ ? state_.recipe : parked_.at(slot).state.recipe;
}

RecipeSlots Document::slots() const {
    RecipeSlots all;
    for (std::size_t i = 0; i < kRecipeSlots; ++i) all.recipes[i] = slot_recipe(i);
    all.shown = slot_;
    return all;
}

bool Document::has_slots(const RecipeSlots& slots) const {
    if (slots.shown != slot_) return false;
    for (std::size_t i = 0; i < kRecipeSlots; ++i)
        if (slots.recipes[i] != slot_recipe(i)) return false;
    return true;
}

void Document::park_recipe(std::size_t slot, const Recipe& recipe) {
    if (slot == slot_) return;
    parked_.at(slot) = {unedited(recipe), static_cast<int>(recipe.steps.size()) - 1, {}};
}

void Document::show_slot(std::size_t slot) {
    if (slot == slot_ || slot >= kRecipeSlots) return;
    history_.seal();
    parked_[slot_] = {std::move(state_), selected_, std::move(history_)};
    slot_ = slot;
    auto next = std::exchange(parked_[slot], {});
    history_ = std::move(next.history);
    selected_ = next.selected;
    go_to(next.state);
}

void Document::copy_slot(std::size_t to) {
    if (to == slot_ || to >= kRecipeSlots) return;
    const auto name = "Copy " + std::string(kSlotNames[slot_]) + " to " + std::string(kSlotNames[to]);
    auto& target = parked_[to];
    target.history.seal();
    target.history.record(target.state, state_, false, name);
    target.state = state_;
    target.selected = selected_;
    report(Message::Kind::info,
           name + ": done. Undo in " + std::string(kSlotNames[to]) + " brings back what it held.");
}

} // namespace kg
