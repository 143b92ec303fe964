#include "app/ui/widgets/dialog.hpp"

#include "app/ui/widgets/look.hpp"

#include <imgui.h>

namespace kg::ui {

bool begin_dialog(const char* popup, float width) {
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({width, 0});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ImGui::GetStyle().PopupRounding);
    const bool shown = ImGui::BeginPopupModal(popup, nullptr, kFlags);
    ImGui::PopStyleVar();
    if (!shown) return false;
    // A popup has the colour of fields; its own fields and buttons need another one.
    ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().theme.panel));
    ImGui::PushStyleColor(ImGuiCol_Button, colour(look().theme.press));
    return true;
}

void end_dialog() {
    ImGui::PopStyleColor(2);
    ImGui::EndPopup();
}

} // namespace kg::ui
