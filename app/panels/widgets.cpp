#include "app/panels/widgets.hpp"

#include "app/shell/icons.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace kg::ui {

namespace {

const char* begin_of(std::string_view text) { return text.data(); }
const char* end_of(std::string_view text) { return text.data() + text.size(); }

ImVec2 size_of(std::string_view text) {
    return text.empty() ? ImVec2{} : ImGui::CalcTextSize(begin_of(text), end_of(text));
}

void draw_text(ImVec2 at, ImU32 c, std::string_view text) {
    if (!text.empty()) ImGui::GetWindowDrawList()->AddText(at, c, begin_of(text), end_of(text));
}

/// Cut with an ellipsis where there is no room.
void draw_text_in(ImVec2 at, float right, std::string_view text) {
    if (text.empty()) return;
    const auto size = size_of(text);
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {right, at.y + size.y}, right, begin_of(text),
                              end_of(text), &size);
}

float row_height() { return ImGui::GetFrameHeight(); }

Rgb colour_of(Tone tone) {
    const auto& t = look().theme;
    switch (tone) {
    case Tone::plain: return t.text;
    case Tone::ok: return t.ok;
    case Tone::warning: return t.warn;
    case Tone::error: return t.error;
    }
    return t.text;
}

/// Icon and label centred in a button of the current button colours.
bool labelled_button(const char* id, const char* icon, std::string_view label, std::string_view tooltip,
                     float width) {
    std::string text = icon ? icon : "";
    if (!text.empty() && !label.empty()) text += "  ";
    text += label;
    text += "##";
    text += id;
    const bool square = label.empty() && width <= 0;
    const auto padding = ImGui::GetStyle().FramePadding;
    if (square) ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, padding.y});
    const bool pressed = ImGui::Button(text.c_str(), {square ? row_height() : width, 0});
    if (square) ImGui::PopStyleVar();
    help(tooltip);
    return pressed;
}

constexpr float kLabelShare = 0.36f; // of a slider's width
constexpr float kNumberWidth = 64;
constexpr float kTrackThickness = 3, kKnobRadius = 6;

double snapped(double value, const SliderSpec& spec) {
    if (spec.step > 0) value = spec.minimum + std::round((value - spec.minimum) / spec.step) * spec.step;
    return std::clamp(value, spec.minimum, spec.maximum);
}

/// ImGui's slider does mouse and keyboard; ours is only how it looks.
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

    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        edit.reset = true;
        ImGui::ClearActiveID(); // the same press must not drag the knob away again
    } else if (changed && snapped(moved, spec) != value) {
        value = snapped(moved, spec);
        edit.changed = true;
    }
    edit.finished = ImGui::IsItemDeactivatedAfterEdit();

    // Where ImGui puts the middle of its grab (SliderBehavior), so that the knob is under the mouse.
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

void heading(std::string_view text, std::string_view detail) {
    ImGui::Dummy({0, look().px(4)});
    const auto start = ImGui::GetCursorScreenPos();
    const auto right = start.x + ImGui::GetContentRegionAvail().x;
    {
        const ScopedText style(TextStyle::heading);
        ImGui::TextUnformatted(begin_of(text), end_of(text));
    }
    if (!detail.empty()) {
        const ScopedText style(TextStyle::secondary);
        const auto size = size_of(detail);
        draw_text({right - size.x, start.y + look().px(2)}, ImGui::GetColorU32(ImGuiCol_Text), detail);
    }
}

void help(std::string_view text) {
    if (text.empty() || !ImGui::BeginItemTooltip()) return;
    ImGui::PushTextWrapPos(look().px(320));
    ImGui::TextUnformatted(begin_of(text), end_of(text));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void number_row(std::string_view label, std::string_view number, std::string_view tooltip) {
    if (number.empty()) number = "-";
    const auto start = ImGui::GetCursorScreenPos();
    const auto width = ImGui::GetContentRegionAvail().x;
    const auto height = look().px(24);
    ImGui::Dummy({width, height});
    help(tooltip);
    float number_left = 0;
    {
        const ScopedText style(TextStyle::number);
        const auto size = size_of(number);
        number_left = start.x + width - size.x;
        draw_text({number_left, start.y + std::floor((height - size.y) / 2)},
                  ImGui::GetColorU32(ImGuiCol_Text), number);
    }
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().theme.second));
    draw_text_in({start.x, start.y + std::floor((height - ImGui::GetTextLineHeight()) / 2)},
                 number_left - look().px(8), label);
    ImGui::PopStyleColor();
}

void note(std::string_view text) {
    const ScopedText style(TextStyle::secondary);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(begin_of(text), end_of(text));
    ImGui::PopTextWrapPos();
}

void notice(Tone tone, std::string_view text) {
    const char* sign = icon::kInformation;
    switch (tone) {
    case Tone::plain: break;
    case Tone::ok: sign = icon::kCheck; break;
    case Tone::warning:
    case Tone::error: sign = icon::kAlert; break;
    }
    ImGui::PushStyleColor(ImGuiCol_Text, colour(colour_of(tone)));
    ImGui::TextUnformatted(sign);
    ImGui::SameLine();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(begin_of(text), end_of(text));
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

bool button(const char* id, const char* icon, std::string_view label, std::string_view tooltip, float width) {
    return labelled_button(id, icon, label, tooltip, width);
}

bool primary_button(const char* id, const char* icon, std::string_view label, std::string_view tooltip,
                    float width) {
    const auto& t = look().theme;
    ImGui::PushStyleColor(ImGuiCol_Button, colour(t.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour(t.accent, 0.9f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, colour(t.accent, 0.8f));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(t.ink));
    const bool pressed = labelled_button(id, icon, label, {}, width);
    ImGui::PopStyleColor(4);
    help(tooltip);
    return pressed;
}

bool segmented(const char* id, std::span<const char* const> labels, int& selected,
               std::span<const char* const> tooltips, float width) {
    const auto& t = look().theme;
    const auto count = static_cast<float>(labels.size());
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    const auto each = std::floor(width / count);
    const auto start = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(start, {start.x + each * count, start.y + row_height()},
                                              colour_u32(t.field), ImGui::GetStyle().FrameRounding);
    bool changed = false;
    ImGui::PushID(id);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ImGui::GetStyle().ItemSpacing.y});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
    for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
        const bool taken = i == selected;
        const auto index = static_cast<std::size_t>(i);
        ImGui::PushStyleColor(ImGuiCol_Button, taken ? colour(t.accent) : ImVec4{0, 0, 0, 0});
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, taken ? colour(t.accent) : colour(t.hover));
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, taken ? colour(t.accent) : colour(t.press));
        ImGui::PushStyleColor(ImGuiCol_Text, colour(taken ? t.ink : t.text));
        if (i > 0) ImGui::SameLine();
        if (ImGui::Button(labels[index], {each, 0}) && !taken) {
            selected = i;
            changed = true;
        }
        ImGui::PopStyleColor(4);
        if (index < tooltips.size()) help(tooltips[index]);
    }
    ImGui::PopStyleVar(2);
    ImGui::PopID();
    return changed;
}

bool chip(const char* id, std::string_view text, Tone tone, std::string_view tooltip, bool clickable) {
    const auto& t = look().theme;
    const auto padding = look().px(10);
    ImVec2 words;
    {
        const ScopedText style(TextStyle::secondary);
        words = size_of(text);
    }
    const ImVec2 size{words.x + 2 * padding, look().px(24)};
    // Beside taller items a chip stands in the middle of the row.
    if (const auto* window = ImGui::GetCurrentWindow(); window->DC.CurrLineSize.y > size.y)
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor((window->DC.CurrLineSize.y - size.y) / 2));
    const auto start = ImGui::GetCursorScreenPos();
    bool clicked = false;
    if (clickable) {
        clicked = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    } else {
        ImGui::Dummy(size);
    }
    const bool lit = clickable && ImGui::IsItemHovered();
    const bool pressed = clickable && ImGui::IsItemActive();
    const auto fill = pressed ? t.press : lit ? t.hover : t.field;
    ImGui::GetWindowDrawList()->AddRectFilled(start, {start.x + size.x, start.y + size.y}, colour_u32(fill),
                                              look().px(6));
    {
        const ScopedText style(TextStyle::secondary);
        draw_text({start.x + padding, start.y + std::floor((size.y - words.y) / 2)},
                  colour_u32(colour_of(tone)), text);
    }
    help(tooltip);
    return clicked;
}

bool tick(const char* id, std::string_view label, bool& on, std::string_view tooltip) {
    const std::string text = std::string(label) + "##" + id;
    // A box of 28 is heavy: ImGui makes it as high as a frame, so the frame is made flatter.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look().px(4), look().px(3)});
    const bool changed = ImGui::Checkbox(text.c_str(), &on);
    ImGui::PopStyleVar();
    help(tooltip);
    return changed;
}

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
    help(spec.tooltip);

    ImGui::SameLine(0, gap);
    auto typed = value;
    const auto field = number_field("##number", typed, spec.decimals, number_width,
                                    spec.unit.empty() ? spec.tooltip : spec.unit);
    if (field.changed) {
        const auto next = snapped(typed, spec);
        edit.changed |= next != value;
        value = next;
    }
    edit.finished |= field.finished;
    ImGui::PopID();
    return edit;
}

Edit number_field(const char* id, double& value, int decimals, float width, std::string_view tooltip) {
    Edit edit;
    auto* window = ImGui::GetCurrentWindow();
    if (window->SkipItems) return edit;
    const ScopedText style(TextStyle::number);
    const auto& s = ImGui::GetStyle();
    const auto item = window->GetID(id);
    const auto at = window->DC.CursorPos;
    const ImRect box(at, {at.x + width, at.y + row_height()});
    // The row is as high as with body text, whose font is larger.
    ImGui::ItemSize(box, s.FramePadding.y);
    if (!ImGui::ItemAdd(box, item, &box, ImGuiItemFlags_Inputable)) return edit;

    const bool hovered = ImGui::ItemHoverable(box, item, ImGui::GetItemFlags());
    bool editing = ImGui::TempInputIsActive(item);
    const auto& g = *ImGui::GetCurrentContext();
    if (!editing) {
        const bool clicked = hovered &&
                             ImGui::IsMouseClicked(ImGuiMouseButton_Left, ImGuiInputFlags_None, item);
        if (clicked || g.NavActivateId == item) {
            ImGui::SetKeyOwner(ImGuiKey_MouseLeft, item);
            ImGui::SetActiveID(item, window);
            ImGui::SetFocusID(item, window);
            ImGui::FocusWindow(window);
            editing = true;
        }
    }
    const auto shown = format_number(value, decimals);
    if (editing) {
        char text[48];
        ImStrncpy(text, shown.c_str(), sizeof text);
        if (ImGui::TempInputText(box, item, id, text, sizeof text, ImGuiInputTextFlags_AutoSelectAll)) {
            if (const auto number = parse_number(text); number && *number != value) {
                value = *number;
                edit.changed = true;
            }
        }
        edit.finished = ImGui::IsItemDeactivatedAfterEdit();
        return edit;
    }
    ImGui::RenderNavCursor(box, item);
    ImGui::RenderFrame(box.Min, box.Max,
                       ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), false,
                       s.FrameRounding);
    const auto size = size_of(shown);
    const ImVec2 corner{std::max(box.Min.x + s.FramePadding.x / 2, box.Max.x - s.FramePadding.x - size.x),
                        std::floor(box.Min.y + (box.GetHeight() - size.y) / 2)};
    draw_text_in(corner, box.Max.x, shown);
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    help(tooltip);
    return edit;
}

} // namespace kg::ui
