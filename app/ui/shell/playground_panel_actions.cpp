// The actions that show a panel, or open its window.

#include "app/ui/shell/playground.hpp"

#include <string>

namespace kg::ui {

/// The open tab of the right column.
bool Playground::shows_panel(std::string_view id) const {
    const auto size = ImGui::GetIO().DisplaySize;
    const auto layout = compute_layout(size.x, size.y, layer_.look().scale, details_shown_, false);
    return layout.right.width > 0 && !arrangement_.is_own() && arrangement_.front() == id;
}

void Playground::show_panel(std::string_view id) {
    arrangement_.bring_to_front(id);
    details_shown_ = true;
}

void Playground::add_panel_actions() {
    const auto add = [this](Action action) {
        action.group = ActionGroup::view;
        action.why_not = [this, why_not = action.why_not] {
            return workspace_ == Workspace::play ? why_not() : std::string("It is for the workspace Play");
        };
        actions_.add(std::move(action));
    };
    for (const auto& panel : panels_) {
        if (panel->place() != Place::right) continue;
        const std::string id(panel->id());
        add({.id = "show_" + id,
             .title = "Show " + std::string(panel->title()),
             .tooltip = std::string(panel->tooltip()),
             .why_not = [this, id] { return reason_unless(!shows_panel(id), "It is shown"); },
             .run = [this, id] { show_panel(id); }});
    }
    add({.id = "edit_kernel",
         .title = "Edit kernel in a window",
         .tooltip = "Cells up to 31 x 31, a heat map with zoom above",
         .why_not =
             [this] {
                 const auto* stage = document_->selected_stage();
                 return reason_unless(stage && has_weights(*stage), "No step with weights is selected");
             },
         .run = [this] { document_->ask_for_kernel_window(); }});
}

} // namespace kg::ui
