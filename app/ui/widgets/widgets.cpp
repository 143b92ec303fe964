#include "app/ui/widgets/widgets.hpp"

#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/tooltip.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace kg::ui {

namespace {

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

Box box_of(ImVec2 low, ImVec2 high) { return {low.x, low.y, high.x - low.x, high.y - low.y}; }
Box box_of(const ImRect& rect) { return box_of(rect.Min, rect.Max); }

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
    if (text.empty() || ImGui::IsItemActive() || !ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
    const float wrap = look().px(320);
    const auto words = ImGui::CalcTextSize(begin_of(text), end_of(text), false, wrap);
    const auto padding = ImGui::GetStyle().WindowPadding;
    const auto place = tooltip_place(box_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()),
                                     box_of(ImGui::GetCurrentWindow()->RootWindow->Rect()),
                                     {words.x + 2 * padding.x, words.y + 2 * padding.y},
                                     ImGui::GetIO().DisplaySize, look().scale);
    ImGui::SetNextWindowPos({place.x, place.y});
    if (!ImGui::BeginTooltip()) return;
    ImGui::PushTextWrapPos(padding.x + wrap); // from the edge of the tooltip
    ImGui::TextUnformatted(begin_of(text), end_of(text));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
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

namespace {

/// Equal widths where all labels fit, else widths by their labels.
std::vector<float> segment_widths(std::span<const char* const> labels, float width) {
    const auto each = std::floor(width / static_cast<float>(labels.size()));
    std::vector<float> widths;
    float words = 0;
    for (const auto* label : labels) {
        widths.push_back(ImGui::CalcTextSize(label, nullptr, true).x);
        words += widths.back();
    }
    const bool equal = std::ranges::all_of(widths, [&](float w) { return w + look().px(8) <= each; });
    const float more = (width - words) / static_cast<float>(labels.size());
    for (auto& w : widths) w = equal ? each : std::max(1.0f, std::floor(w + more));
    return widths;
}

} // namespace

bool segmented(const char* id, std::span<const char* const> labels, int& selected,
               std::span<const char* const> tooltips, float width) {
    const auto& t = look().theme;
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    const auto widths = segment_widths(labels, width);
    const auto whole = std::accumulate(widths.begin(), widths.end(), 0.0f);
    const auto start = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(start, {start.x + whole, start.y + row_height()},
                                              ImGui::GetColorU32(ImGuiCol_FrameBg),
                                              ImGui::GetStyle().FrameRounding);
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
        if (ImGui::Button(labels[index], {widths[index], 0}) && !taken) {
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

bool chip(const char* id, std::string_view text, Tone tone, std::string_view tooltip, bool clickable,
          float width) {
    const auto& t = look().theme;
    const auto padding = look().px(10);
    ImVec2 words;
    {
        const ScopedText style(TextStyle::secondary);
        words = size_of(text);
    }
    const ImVec2 size{std::max(words.x + 2 * padding, width), look().px(24)};
    // Beside taller items a chip is centred in the row.
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
    // A check box of 28 is too large: ImGui uses the frame height, so the frame is made lower.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look().px(4), look().px(3)});
    // A set check box keeps the accent under the mouse, where its mark would be dark on dark.
    const auto& t = look().theme;
    ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, on ? colour(t.accent, 0.9f) : colour(t.hover));
    ImGui::PushStyleColor(ImGuiCol_FrameBgActive, on ? colour(t.accent, 0.8f) : colour(t.press));
    const bool changed = ImGui::Checkbox(text.c_str(), &on);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    help(tooltip);
    return changed;
}

} // namespace kg::ui
