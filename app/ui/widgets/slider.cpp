// The program's own slider: label and editable number on one line, below them a thin track of the full width.

#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace kg::ui {

namespace {

constexpr float kNumberWidth = 64;
constexpr float kTrackHeight = 24, kTrackThickness = 3, kKnobRadius = 6;
/// Fraction of the track per press of an arrow key, and with Shift.
constexpr double kFineStep = 0.005, kCoarseStep = 0.05;

double snapped(double value, const SliderSpec& spec) {
    if (spec.step > 0) value = spec.minimum + std::round((value - spec.minimum) / spec.step) * spec.step;
    return std::clamp(value, spec.minimum, spec.maximum);
}

/// Position of `value` on the track, 0 to 1.
double share_of(double value, const SliderSpec& spec) {
    const auto shown = std::clamp(value, spec.minimum, spec.maximum);
    if (spec.maximum <= spec.minimum) return 0;
    return spec.logarithmic ? std::log(shown / spec.minimum) / std::log(spec.maximum / spec.minimum)
                            : (shown - spec.minimum) / (spec.maximum - spec.minimum);
}

double value_at(double share, const SliderSpec& spec) {
    return spec.logarithmic ? spec.minimum * std::pow(spec.maximum / spec.minimum, share)
                            : spec.minimum + (spec.maximum - spec.minimum) * share;
}

/// `value` after `presses` of the right arrow key (negative: of the left one): always by at least one digit
/// of the number.
double stepped(double value, int presses, bool coarse, const SliderSpec& spec) {
    const auto least = std::max(spec.step, std::pow(10.0, -spec.decimals));
    const auto share = share_of(value, spec) + presses * (coarse ? kCoarseStep : kFineStep);
    const auto by_share = value_at(std::clamp(share, 0.0, 1.0), spec);
    const auto by_digit = value + presses * least;
    const auto farther = presses > 0 ? std::max(by_share, by_digit) : std::min(by_share, by_digit);
    return snapped(farther, spec);
}

/// The left and right arrow keys, while the track has the focus. A key held down is one gesture.
void step_by_keys(const SliderSpec& spec, double& value, Edit& edit) {
    if (!ImGui::IsItemFocused() || ImGui::IsItemActive()) return;
    const auto item = ImGui::GetItemID();
    int presses = 0;
    for (const auto& [key, by] : {std::pair{ImGuiKey_LeftArrow, -1}, {ImGuiKey_RightArrow, 1}}) {
        ImGui::SetKeyOwner(key, item); // keeps the key from moving to the next item
        presses += by * static_cast<int>(ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, item));
        edit.finished |= ImGui::IsKeyReleased(key, item);
    }
    if (presses == 0) return;
    const auto next = stepped(value, presses, ImGui::GetIO().KeyShift, spec);
    edit.changed |= next != value;
    value = next;
}

/// The centre of ImGui's grab (SliderBehavior) at both ends of the track.
std::pair<float, float> ends_of_track() {
    const auto margin = 2 + ImGui::GetStyle().GrabMinSize / 2;
    return {ImGui::GetItemRectMin().x + margin, ImGui::GetItemRectMax().x - margin};
}

/// The value where the mouse let go of the knob. ImGui's slider ignores the position in the frame of the
/// release, so that a slow frame, in which movement and release arrive together, would lose the drag's end.
double value_at_release(const SliderSpec& spec) {
    const auto [from, to] = ends_of_track();
    if (to <= from) return spec.minimum;
    const auto at = ImGui::GetIO().MousePos.x - ImGui::GetCurrentContext()->SliderGrabClickOffset;
    return value_at(std::clamp(static_cast<double>((at - from) / (to - from)), 0.0, 1.0), spec);
}

/// ImGui's slider handles the mouse; the drawing and the arrow keys are our own.
Edit track(const char* id, const SliderSpec& spec, double& value, float width) {
    Edit edit;
    auto moved = std::clamp(value, spec.minimum, spec.maximum);
    const auto& t = look().theme;
    for (const auto c : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                         ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
        ImGui::PushStyleColor(c, {0, 0, 0, 0});
    ImGui::SetNextItemWidth(width);
    const auto& style = ImGui::GetStyle();
    const auto padding = std::floor((look().px(kTrackHeight) - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {style.FramePadding.x, padding});
    ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat;
    if (spec.logarithmic) flags |= ImGuiSliderFlags_Logarithmic;
    const bool by_mouse = ImGui::GetActiveID() == ImGui::GetID(id) &&
                          ImGui::GetCurrentContext()->ActiveIdSource == ImGuiInputSource_Mouse;
    bool changed = ImGui::SliderScalar(id, ImGuiDataType_Double, &moved, &spec.minimum, &spec.maximum, "",
                                       flags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(5);
    const bool released = by_mouse && ImGui::IsItemDeactivated() && ImGui::GetIO().MouseDelta.x != 0;
    if (released) {
        moved = value_at_release(spec);
        changed = true;
    }

    if ((ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ||
        (ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Delete, false))) {
        edit.reset = true;
        ImGui::ClearActiveID(); // the same press must not drag the knob away again
    } else if (changed && snapped(moved, spec) != value) {
        value = snapped(moved, spec);
        edit.changed = true;
    }
    edit.finished = ImGui::IsItemDeactivatedAfterEdit() || (released && edit.changed);
    step_by_keys(spec, value, edit);

    const auto [from, to] = ends_of_track(); // so that the knob is under the mouse
    const auto y = std::floor((ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2);
    const auto knob = from + (to - from) * static_cast<float>(share_of(value, spec));
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
    const auto gap = ImGui::GetStyle().ItemSpacing;
    const auto number_width = look().px(kNumberWidth);
    const auto label_width = width - number_width - gap.x;

    ImGui::Dummy({label_width, row_height()});
    help(spec.tooltip);
    draw_text_in({start.x, start.y + ImGui::GetStyle().FramePadding.y}, start.x + label_width, spec.label);

    ImGui::SameLine(0, gap.x);
    Edit edit;
    auto typed = value;
    const auto field = number_field("##number", typed,
                                    {.decimals = spec.decimals,
                                     .width = number_width,
                                     .tooltip = spec.unit.empty() ? spec.tooltip : spec.unit});
    if (field.changed) {
        const auto next = snapped(typed, spec);
        edit.changed = next != value;
        value = next;
    }
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - gap.y); // the track belongs to the line above it
    const auto moved = track("##track", spec, value, width);
    help(std::string(spec.tooltip) + (spec.tooltip.empty() ? "" : "\n") +
         "Left and right arrow keys step finely, with Shift coarsely; double-click or Delete resets it");
    edit.changed |= moved.changed;
    edit.finished = field.finished || moved.finished;
    edit.reset = moved.reset;
    ImGui::PopID();
    return edit;
}

} // namespace kg::ui
