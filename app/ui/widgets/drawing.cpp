#include "app/ui/widgets/drawing.hpp"

#include <imgui_internal.h>

namespace kg::ui {

const char* begin_of(std::string_view text) { return text.data(); }
const char* end_of(std::string_view text) { return text.data() + text.size(); }

ImVec2 size_of(std::string_view text) {
    return text.empty() ? ImVec2{} : ImGui::CalcTextSize(begin_of(text), end_of(text));
}

void draw_text(ImVec2 at, ImU32 c, std::string_view text) {
    if (!text.empty()) ImGui::GetWindowDrawList()->AddText(at, c, begin_of(text), end_of(text));
}

void draw_text_in(ImVec2 at, float right, std::string_view text) {
    if (text.empty()) return;
    const auto size = size_of(text);
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {right, at.y + size.y}, right, begin_of(text),
                              end_of(text), &size);
}

float row_height() { return ImGui::GetFrameHeight(); }

} // namespace kg::ui
