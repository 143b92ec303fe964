#include "app/panels/bars.hpp"

#include "app/panels/parts.hpp"

namespace kg::ui {

void draw_top_bar(Document& document, const Actions& actions) {
    const auto& history = document.history();
    const bool any = document.picture() != nullptr;
    if (button("open", icon::kOpen, "Open", "Open a picture (Ctrl+O), or drop one onto the window"))
        actions.open();
    ImGui::SameLine();
    ImGui::BeginDisabled(!any);
    if (button("save", icon::kSave, "Save picture...", "Compute in full and write to a file (Ctrl+S)"))
        actions.save();
    ImGui::SameLine();
    if (button("copy", icon::kCopy, "Copy as command",
               "Copy the line for a shell that gives the same file (Ctrl+C)"))
        actions.copy_command();
    ImGui::EndDisabled();
    ImGui::SameLine(0, look().px(20));
    ImGui::BeginDisabled(!history.can_undo());
    if (button(
            "undo", icon::kUndo, {},
            (history.can_undo() ? "Undo: " + history.undo_name() + " (Ctrl+Z)" : "Nothing to undo").c_str()))
        document.undo();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!history.can_redo());
    if (button(
            "redo", icon::kRedo, {},
            (history.can_redo() ? "Redo: " + history.redo_name() + " (Ctrl+Y)" : "Nothing to redo").c_str()))
        document.redo();
    ImGui::EndDisabled();
    ImGui::SameLine(0, look().px(20));
    {
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(colour(look().theme.second), "%s",
                           shortened(document.title(), look().px(260)).c_str());
    }
    if (any)
        help(document.is_sample() ? "A generated picture to play with"
                                  : document.picture()->path.string().c_str());
    draw_engine_chip(document);
    ImGui::SameLine();
    if (button("theme", icon::kTheme, {}, "Dark or light")) actions.toggle_theme();
}

} // namespace kg::ui
