// What the view shows of the recipe: all of it, or the steps up to the selected one.

#include "app/editor/comparison/comparison.hpp"
#include "app/editor/document/document.hpp"

namespace kg {

Comparison& Document::comparison() { return *comparison_; }

bool Document::is_still() { return worker_.is_still() && !comparison_->busy(); }

Recipe Document::shown_recipe() const {
    auto recipe = state_.recipe;
    if (shows_to_selected_ && selected_ >= 0) recipe.steps.resize(static_cast<std::size_t>(selected_) + 1);
    return recipe;
}

void Document::show_to_selected(bool on) {
    if (on == shows_to_selected_) return;
    shows_to_selected_ = on;
    derived_.choices.reset();
    post();
}

std::string Document::shown_steps() const {
    const auto all = state_.recipe.steps.size(), shown = shown_recipe().steps.size();
    if (shown == all) return {};
    return (shown == 1 ? "Step 1" : "Steps 1-" + std::to_string(shown)) + " of " + std::to_string(all);
}

} // namespace kg
