// Keys that work wherever the focus is; those of the image are in view_input.cpp.

#include "app/ui/shell/playground.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

bool Playground::any_popup() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }

void Playground::keys() {
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Q)) close();
    if (is_below_popup()) {
        holds_original_ = false;
        document_->view.show_original = document_->view.original_stays;
        return;
    }
    if (workspace_ == Workspace::bench) bench_->keys();
    if (shows_image()) {
        original_key();
        if (!is_typing() && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
            if (is_presenting()) presents_ = false;
            else view_->unpin();
        }
    }
    actions_.react_to_keys({KeyRoute::always, KeyRoute::not_typing, KeyRoute::not_editing});
}

/// The kernel grid with the focus takes Ctrl+C first, a number cell takes digits, the image Page Up and Down.
void Playground::keys_after_panels() {
    if (is_below_popup()) return;
    actions_.react_to_keys({KeyRoute::after_panels, KeyRoute::unclaimed});
}

/// A menu, a list or a dialog is open and has the keys. Also in the frame whose Escape has closed it: Dear
/// ImGui closes popups before the frame is drawn.
bool Playground::is_below_popup() const { return had_popup_ || any_popup(); }

/// Shows the original while O is held; a tap toggles it. O in a text field or with Ctrl is ignored, wherever
/// the focus is on release.
void Playground::original_key() {
    constexpr float kTap = 0.25f; // seconds
    auto& view = document_->view;
    if (ImGui::IsKeyChordPressed(ImGuiKey_O) && !is_typing()) holds_original_ = true;
    if (!ImGui::IsKeyDown(ImGuiKey_O) && std::exchange(holds_original_, false) &&
        ImGui::IsKeyReleased(ImGuiKey_O) && ImGui::GetKeyData(ImGuiKey_O)->DownDurationPrev < kTap)
        view.original_stays = !view.original_stays;
    view.show_original = holds_original_ || view.original_stays;
}

/// F6 moves the keyboard focus to the next region.
void Playground::next_region() {
    std::vector<std::string> regions{"view", "film", "Kernel##large"};
    for (auto& window : arrangement_.windows(panels_)) regions.push_back(std::move(window));
    for (const auto* other : {"lesson", "lesson panel", "batch", "batch head", "sheet", "findings", "bench",
                              "bench head", "bench sheet", "bench details", "signal", "signal plots", "bank",
                              "bank maps", "bank details", "top bar", "view bar", "first steps", "status"})
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
        // The item that had the focus may have been scrolled away since.
        if (const auto& item = window->NavRectRel[ImGuiNavLayer_Main]; !item.IsInverted())
            ImGui::ScrollToBringRectIntoView(window, ImGui::WindowRectRelToAbs(window, item));
        ImGui::SetNavCursorVisible(true);
        return;
    }
}

} // namespace kg::ui
