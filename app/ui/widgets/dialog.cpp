#include "app/ui/widgets/dialog.hpp"

#include "app/ui/widgets/look.hpp"

#include <imgui_internal.h>

namespace kg::ui {

bool begin_dialog(const char* popup, float width, float height) {
    const bool fixed = height > 0; // else its top stays in place while its content grows
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(),
                            fixed ? ImGuiCond_Always : ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({width, height});
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings |
                                   (fixed ? ImGuiWindowFlags_NoScrollbar : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ImGui::GetStyle().PopupRounding);
    const bool shown = ImGui::BeginPopupModal(popup, nullptr, flags);
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

bool begin_floating(const char* name, bool& open, int flags) {
    // Its colour is that of the panels below it.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, look().px(1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        {look().px(kFloatingPadding), look().px(kFloatingPadding)});
    const bool shown = ImGui::Begin(name, &open,
                                    flags | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking |
                                        ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    if (shown && ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && ImGui::GetActiveID() == 0 &&
        ImGui::IsKeyPressed(ImGuiKey_Escape, false))
        open = false;
    return shown;
}

} // namespace kg::ui
