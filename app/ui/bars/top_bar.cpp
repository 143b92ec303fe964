#include "app/ui/bars/bars.hpp"

#include "app/ui/widgets/parts.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

constexpr float kNarrow = 1000;  ///< below this width the copy button has no label
constexpr float kChipRoom = 190; ///< at least, so that the title does not jump with the chip's time

void draw_view_menu(const Actions& actions, const WindowState& window) {
    if (button("menu", nullptr, "View", "What the window shows and where")) ImGui::OpenPopup("view menu");
    if (!ImGui::BeginPopup("view menu")) return;
    const auto item = [](const char* label, const char* key, const char* tooltip,
                         const std::function<void()>& action) {
        if (ImGui::MenuItem(label, key)) action();
        help(tooltip);
    };
    item("Fit", "Ctrl+0", "The whole image", actions.fit);
    item("100 %", "Ctrl+1", "One image pixel per screen pixel", actions.actual_size);
    ImGui::Separator();
    item(window.locked ? "Unlock panels" : "Lock panels", nullptr,
         window.locked ? "Give panels title bars, to move and to resize them" : "Panels stay where they are",
         actions.toggle_lock);
    item("Reset layout", nullptr, "Put every panel back in its default place", actions.reset_layout);
    ImGui::Separator();
    item(window.dark ? "Light theme" : "Dark theme", nullptr, "The window's colours; the image's stay",
         actions.toggle_theme);
    item("First steps", nullptr, "Three things in a minute", actions.first_steps);
    ImGui::EndPopup();
}

void draw_workspaces(const Actions& actions, Workspace workspace) {
    constexpr const char* kNames[] = {"Play", "Explain", "Bench", "Batch"};
    constexpr const char* kHelp[] = {"One image: make a recipe and see what it does (Ctrl+B)",
                                     "Lessons: what a convolution is and does",
                                     "Every algorithm on this image, verified and timed (Ctrl+M)",
                                     "A folder: filter all its images by the recipe (Ctrl+B)"};
    int chosen = static_cast<int>(workspace);
    float widest = 0;
    for (const auto* name : kNames) widest = std::max(widest, ImGui::CalcTextSize(name).x);
    const float width = 4 * (widest + 2 * ImGui::GetStyle().FramePadding.x);
    if (segmented("workspace", kNames, chosen, kHelp, std::max(look().px(224), width)))
        actions.go_to(static_cast<Workspace>(chosen));
}

} // namespace

void draw_top_bar(Document& document, const Actions& actions, const WindowState& window) {
    const auto& history = document.history();
    const bool any = document.image() != nullptr;
    const bool playing = window.workspace != Workspace::batch;
    if (button("open", icon::kOpen, "Open",
               playing ? "Open an image (Ctrl+O), or drop one onto the window"
                       : "Choose a folder (Ctrl+O), or drop one onto the window"))
        actions.open();
    ImGui::SameLine();
    ImGui::BeginDisabled(!any || !playing);
    if (button("save", icon::kSave, "Save image...", "Compute in full and write to a file (Ctrl+S)"))
        actions.save();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(playing ? !any : !window.has_job);
    const bool narrow = ImGui::GetWindowWidth() < look().px(kNarrow);
    if (button("copy", icon::kCopy, narrow ? "" : "Copy as command",
               playing ? "Copy the shell command that makes the same file (Ctrl+C)"
                       : "Copy the shell command that makes the same files (Ctrl+C)"))
        actions.copy_command();
    ImGui::EndDisabled();
    ImGui::SameLine();
    draw_view_menu(actions, window);
    ImGui::SameLine(0, look().px(12));
    draw_workspaces(actions, window.workspace);
    ImGui::SameLine(0, look().px(12));
    const auto where = " in recipe " + std::string(kSlotNames[document.slot()]);
    ImGui::BeginDisabled(!history.can_undo());
    if (button("undo", icon::kUndo, {},
               history.can_undo() ? "Undo: " + history.undo_name() + where + " (Ctrl+Z)"
                                  : "Nothing to undo" + where))
        document.undo();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!history.can_redo());
    if (button("redo", icon::kRedo, {},
               history.can_redo() ? "Redo: " + history.redo_name() + where + " (Ctrl+Y)"
                                  : "Nothing to redo" + where))
        document.redo();
    ImGui::EndDisabled();
    ImGui::SameLine(0, look().px(20));
    // The engine chip matters more than a long file name.
    const float chip = std::max(look().px(kChipRoom),
                                engine_chip_width(document, window.measuring) + look().px(8)),
                room = std::min(look().px(260), ImGui::GetContentRegionAvail().x - chip);
    ImGui::AlignTextToFramePadding();
    const auto& title = playing ? document.title() : window.inputs;
    ImGui::TextColored(colour(look().theme.second), "%s", shortened(title, room).c_str());
    if (!playing && !title.empty()) help("The input images");
    if (playing && any)
        help(document.is_sample() ? "A generated image to play with"
                                  : safe_name(document.image()->path).c_str());
    draw_engine_chip(document, actions, window.measuring);
}

} // namespace kg::ui
