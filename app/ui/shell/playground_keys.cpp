// Keys that work wherever the focus is; those of the image are in view_input.cpp.

#include "app/ui/shell/playground.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

namespace {

/// Not by ImGui::Shortcut(), whose routes are requested one frame ahead: the first key after a text field or
/// a dialog would be lost.
bool pressed(ImGuiKeyChord chord) { return ImGui::IsKeyChordPressed(chord); }

/// WantTextInput belongs to the previous frame: the field may have lost the focus since.
bool is_typing() {
    return ImGui::GetIO().WantTextInput && ImGui::GetInputTextState(ImGui::GetActiveID()) != nullptr;
}

} // namespace

void Playground::keys() {
    auto& document = *document_;
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Q)) close();
    if (ImGui::GetTopMostPopupModal()) return; // the dialog must be answered first
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_O)) actions_.open();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_B))
        go_to(workspace_ == Workspace::batch ? Workspace::play : Workspace::batch);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_M))
        go_to(workspace_ == Workspace::bench ? Workspace::play : Workspace::bench);
    if (pressed(ImGuiKey_F6)) next_region();
    if (shows_image()) play_keys();
    if (workspace_ == Workspace::explain) explain_->keys();
    if (workspace_ == Workspace::bench) bench_->keys();
    if (workspace_ == Workspace::batch) desk_->keys();
    if (is_typing()) return; // these keys belong to the text field
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Z)) document.undo();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_Y) || pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z))
        document.redo();
}

void Playground::play_keys() {
    auto& document = *document_;
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_S)) {
        // Rewrites this image's export; the first time asks for the path.
        if (document.saved_path().empty()) actions_.save();
        else document.save(document.saved_path());
    }
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_W)) document.close(document.film_place());
    if (pressed(ImGuiKey_F5)) document.show(document.film_place());
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_0)) view_->fit();
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_1)) view_->actual_size();
    if (workspace_ == Workspace::play) slot_keys();
    original_key();
    if (!is_typing() && pressed(ImGuiKey_Escape)) view_->unpin();
}

/// Alt+1 to 3 show recipes. Not during a drag or while typing, whose edit belongs to the shown recipe.
void Playground::slot_keys() {
    if (ImGui::IsAnyItemActive()) return;
    for (std::size_t i = 0; i < kRecipeSlots; ++i)
        if (pressed(ImGuiMod_Alt | static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i))))
            document_->show_slot(i);
}

/// Shows the original while O is held; a tap toggles it. O in a text field or with Ctrl is ignored, wherever
/// the focus is on release.
void Playground::original_key() {
    constexpr float kTap = 0.25f; // seconds
    auto& view = document_->view;
    if (pressed(ImGuiKey_O) && !is_typing()) holds_original_ = true;
    if (!ImGui::IsKeyDown(ImGuiKey_O) && std::exchange(holds_original_, false) &&
        ImGui::IsKeyReleased(ImGuiKey_O) && ImGui::GetKeyData(ImGuiKey_O)->DownDurationPrev < kTap)
        view.original_stays = !view.original_stays;
    view.show_original = holds_original_ || view.original_stays;
}

/// After the panels, so that the kernel grid with the focus takes the key first.
void Playground::copy_key() {
    if (!ImGui::GetTopMostPopupModal() && !is_typing() && pressed(ImGuiMod_Ctrl | ImGuiKey_C)) copy_command();
}

/// 1 to 9 choose images. After the panels, so that a number cell with the focus takes digits first.
void Playground::image_keys() {
    if (ImGui::GetTopMostPopupModal()) return;
    for (int i = 0; i < 9; ++i)
        if (ImGui::Shortcut(static_cast<ImGuiKeyChord>(ImGuiKey_1 + i), ImGuiInputFlags_RouteGlobal))
            document_->show(static_cast<std::size_t>(i));
}

/// F6 moves the keyboard focus to the next region.
void Playground::next_region() {
    std::vector<std::string> regions{"view", "film", "Kernel##large"};
    for (auto& window : arrangement_.windows(panels_)) regions.push_back(std::move(window));
    for (const auto* other :
         {"lesson", "lesson panel", "batch", "batch head", "sheet", "findings", "bench", "bench head",
          "bench sheet", "bench details", "top bar", "view bar", "first steps", "status"})
        regions.emplace_back(other); // hidden regions are skipped
    const auto* focused = ImGui::GetCurrentContext()->NavWindow;
    const auto root = focused ? std::string(focused->RootWindow->Name) : std::string();
    const auto here = static_cast<std::size_t>(std::ranges::find(regions, root) - regions.begin());
    for (std::size_t i = 1; i <= regions.size(); ++i) {
        const auto next = here == regions.size() ? i - 1 : (here + i) % regions.size();
        auto* window = ImGui::FindWindowByName(regions[next].c_str());
        if (!window || !window->WasActive) continue;
        if (window->DC.NavLayersActiveMask == 0 && !window->Hidden) continue; // nothing in it to focus
        ImGui::FocusWindow(window);
        ImGui::NavInitWindow(window, false);
        ImGui::SetNavCursorVisible(true);
        return;
    }
}

} // namespace kg::ui
