// The program's own slider: label, thin track, editable number.

#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace kg::ui {

namespace {

constexpr float kLabelShare = 0.36f; // fraction of a slider's width
constexpr float kNumberWidth = 64;
constexpr float kTrackThickness = 3, kKnobRadius = 6;

double snapped(double value, const SliderSpec& spec) {
    if (spec.step > 0) value = spec.minimum + std::round((value - spec.minimum) / spec.step) * spec.step;
    return std::clamp(value, spec.minimum, spec.maximum);
}

/// ImGui's slider handles mouse and keyboard; only the drawing is our own.
Edit track(const char* id, const SliderSpec& spec, double& value, float width) {
    Edit edit;
    auto moved = std::clamp(value, spec.minimum, spec.maximum);
    const auto& t = look().theme;
    for (const auto c : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                         ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
        ImGui::PushStyleColor(c, {0, 0, 0, 0});
    ImGui::SetNextItemWidth(width);
    ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat;
    if (spec.logarithmic) flags |= ImGuiSliderFlags_Logarithmic;
    const bool changed = ImGui::SliderScalar(id, ImGuiDataType_Double, &moved, &spec.minimum, &spec.maximum,
                                             "", flags);
    ImGui::PopStyleColor(5);

    if ((ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ||
        (ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Delete, false))) {
        edit.reset = true;
        ImGui::ClearActiveID(); // the same press must not drag the knob away again
    } else if (changed && snapped(moved, spec) != value) {
        value = snapped(moved, spec);
        edit.changed = true;
    }
    edit.finished = ImGui::IsItemDeactivatedAfterEdit();

    // The middle of ImGui's grab (SliderBehavior), so that the knob is under the mouse.
    const auto low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const auto margin = 2 + ImGui::GetStyle().GrabMinSize / 2;
    const auto from = low.x + margin, to = high.x - margin, y = std::floor((low.y + high.y) / 2);
    const auto shown = std::clamp(value, spec.minimum, spec.maximum);
    const auto share = spec.maximum <= spec.minimum ? 0.0
                       : spec.logarithmic
                           ? std::log(shown / spec.minimum) / std::log(spec.maximum / spec.minimum)
                           : (shown - spec.minimum) / (spec.maximum - spec.minimum);
    const auto knob = from + (to - from) * static_cast<float>(share);
    const auto half = look().scale * kTrackThickness / 2;
    auto* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({from, y - half}, {to, y + half}, colour_u32(t.press), half);
    list->AddRectFilled({from, y - half}, {knob, y + half}, colour_u32(t.second), half);
    const bool lively = ImGui::IsItemActive() || ImGui::IsItemHovered();
    list->AddCircleFilled({knob, y}, look().scale * kKnobRadius, colour_u32(lively ? t.text : t.second));
    return edit;
}

} // namespace

Edit slider(const char* id, const SliderSpec& spec, double& value) {
    ImGui::PushID(id);
    const auto start = ImGui::GetCursorScreenPos();
    const auto width = ImGui::GetContentRegionAvail().x;
    const auto gap = ImGui::GetStyle().ItemSpacing.x;
    const auto label_width = std::floor(width * kLabelShare);
    const auto number_width = look().px(kNumberWidth);

    ImGui::Dummy({label_width, row_height()});
    help(spec.tooltip);
    draw_text_in({start.x, start.y + ImGui::GetStyle().FramePadding.y}, start.x + label_width, spec.label);

    ImGui::SameLine(0, gap);
    auto edit = track("##track", spec, value,
                      std::max(look().px(24), width - label_width - number_width - 2 * gap));
    help(std::string(spec.tooltip) + (spec.tooltip.empty() ? "" : "\n") + "Double-click or Delete resets it");

    ImGui::SameLine(0, gap);
    auto typed = value;
    const auto field = number_field("##number", typed,
                                    {.decimals = spec.decimals,
                                     .width = number_width,
                                     .tooltip = spec.unit.empty() ? spec.tooltip : spec.unit});
    if (field.changed) {
        const auto next = snapped(typed, spec);
        edit.changed |= next != value;
        value = next;
    }
    edit.finished |= field.finished;
    ImGui::PopID();
    return edit;
}

} // namespace kg::ui
