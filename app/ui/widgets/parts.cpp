#include "app/ui/widgets/parts.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

namespace kg::ui {

namespace {

constexpr float kLabelWidth = 68;

void text_right(const std::string& text) {
    const float width = ImGui::CalcTextSize(text.c_str()).x, room = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
    ImGui::TextUnformatted(text.c_str());
}

void wrapped(const std::string& text) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
}

bool fits_beside(const char* text) {
    return ImGui::CalcTextSize(text).x + look().px(4) <= look().px(kLabelWidth);
}

} // namespace

bool folded(const char* title) {
    const auto at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
    auto* open = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(title), false);
    if (ImGui::InvisibleButton(title, size, ImGuiButtonFlags_EnableNav)) {
        *open = !*open;
        if (*open) scroll_to_item();
    }
    const bool lively = ImGui::IsItemHovered() || ImGui::IsItemActive();
    auto* draw = ImGui::GetWindowDrawList();
    const auto ink = colour_u32(lively ? look().theme.accent : look().theme.text);
    const char* sign = *open ? icon::kUp : icon::kDown;
    ScopedText style(TextStyle::heading);
    const float y = at.y + (size.y - ImGui::GetTextLineHeight()) / 2;
    draw->AddText({at.x, y}, ink, title);
    ImGui::PushFont(look().body, 0);
    draw->AddText({at.x + size.x - ImGui::CalcTextSize(sign).x, y}, ink, sign);
    ImGui::PopFont();
    return *open;
}

void heading_beside(const char* text) {
    const ScopedText style(TextStyle::heading);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
}

void paragraph(const std::string& text) { wrapped(text); }

void space() { ImGui::Dummy({0, look().px(4)}); }

void scroll_to_item() {
    const float y = ImGui::GetItemRectMin().y - ImGui::GetWindowPos().y;
    if (y > ImGui::GetWindowHeight() / 2) ImGui::SetScrollFromPosY(y - look().px(8), 0);
}

void place_popup_at_item() {
    const float gap = look().px(4), edge = look().px(8), enough = look().px(240);
    const auto low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float under = ImGui::GetIO().DisplaySize.y - high.y - gap - edge, over = low.y - gap - edge;
    const bool below = under >= std::min(over, enough);
    ImGui::SetNextWindowPos({low.x, below ? high.y + gap : low.y - gap}, ImGuiCond_Always,
                            {0, below ? 0.0f : 1.0f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(below ? under : over, gap)});
}

void label(const char* text) {
    if (!fits_beside(text)) return ImGui::TextUnformatted(text);
    const float begin = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::SameLine(begin + look().px(kLabelWidth));
}

bool choice(const char* id, std::span<const char* const> choices, int& selected, const char* tooltip,
            float width) {
    const std::vector<const char*> tooltips(choices.size(), tooltip);
    return segmented(id, choices, selected, tooltips, width);
}

bool labelled_choice(const char* id, const char* text, std::span<const char* const> choices, int& selected,
                     const char* tooltip) {
    float widest = 0;
    for (const auto* words : choices) widest = std::max(widest, ImGui::CalcTextSize(words).x);
    const float needed = (widest + look().px(16)) * static_cast<float>(choices.size());
    if (needed <= ImGui::GetContentRegionAvail().x - look().px(kLabelWidth)) label(text);
    else ImGui::TextUnformatted(text);
    return choice(id, choices, selected, tooltip);
}

void fact(const char* name, const std::string& value) {
    ImGui::TextColored(colour(look().theme.second), "%s", name);
    ImGui::SameLine();
    text_right(shortened(value, ImGui::GetContentRegionAvail().x));
}

void table_head(std::initializer_list<const char*> titles) {
    ScopedText style(TextStyle::secondary);
    ImGui::TableNextRow();
    for (const auto* title : titles) {
        ImGui::TableNextColumn();
        if (title == *titles.begin()) ImGui::TextUnformatted(title);
        else text_right(title);
    }
}

void label_cell(const char* text) { ImGui::TextUnformatted(text); }

void number_cell(const std::string& text, bool grey) {
    ScopedText style(TextStyle::number);
    if (grey) ImGui::PushStyleColor(ImGuiCol_Text, colour(look().theme.disabled));
    text_right(text);
    if (grey) ImGui::PopStyleColor();
}

float number_width(const std::string& text) {
    const ScopedText style(TextStyle::number);
    return ImGui::CalcTextSize(text.c_str()).x;
}

bool row(const char* id, ImVec2 size, bool selected) {
    const auto at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    const auto& theme = look().theme;
    const auto fill = ImGui::IsItemActive()                ? theme.press
                      : ImGui::IsItemHovered() || selected ? theme.hover
                                                           : theme.field;
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour_u32(fill), look().px(4));
    if (selected)
        draw->AddRectFilled(at, {at.x + look().px(3), at.y + size.y}, colour_u32(theme.accent), look().px(4),
                            ImDrawFlags_RoundTopLeft | ImDrawFlags_RoundBottomLeft);
    return pressed;
}

void row_text(ImVec2 corner, ImVec2 size, const std::string& text, const std::string& remark, bool enabled) {
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    const float pad = look().px(10);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float y = corner.y + (size.y - ImGui::GetTextLineHeight()) / 2;
    draw->AddText({corner.x + pad, y}, colour_u32(enabled ? theme.text : theme.disabled),
                  shortened(text, size.x - 2 * pad).c_str());
    ScopedText style(TextStyle::secondary);
    auto note = shortened(remark, size.x - 3 * pad - width);
    constexpr std::size_t kLeast = 7; // "sigm..."
    if (note != remark && note.size() < kLeast) note.clear();
    draw->AddText({corner.x + size.x - pad - ImGui::CalcTextSize(note.c_str()).x,
                   corner.y + (size.y - ImGui::GetTextLineHeight()) / 2},
                  colour_u32(enabled ? theme.second : theme.disabled), note.c_str());
}

std::string shortened(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    const std::string dots = "...";
    auto end = text.size();
    while (end > 0 && ImGui::CalcTextSize((text.substr(0, end) + dots).c_str()).x > width) {
        do --end;
        // Never inside a UTF-8 character.
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u);
    }
    constexpr std::string_view kStops = "., "; // "voice...", not "voice...."
    while (end > 0 && kStops.find(text[end - 1]) != std::string_view::npos) --end;
    return end == 0 ? std::string() : text.substr(0, end) + dots;
}

std::string shortened_begin(const std::string& begin, const std::string& end, float width) {
    const auto text = begin + end;
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    const auto first = shortened(begin, width - ImGui::CalcTextSize(end.c_str()).x);
    return first.empty() ? shortened(text, width) : first + end;
}

std::string shortened(const std::string& text, float width, float lines) {
    const auto height = [&](const std::string& words) {
        return ImGui::CalcTextSize(words.c_str(), nullptr, false, width).y;
    };
    auto words = text;
    for (float room = lines * width; height(words) > (lines + 0.5f) * ImGui::GetTextLineHeight() && room > 0;
         room -= width / 16)
        words = shortened(text, room);
    return words;
}

void progress_bar(double progress) {
    const float height = look().px(6), width = ImGui::GetContentRegionAvail().x;
    const auto at = ImGui::GetCursorScreenPos();
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + width, at.y + height}, colour_u32(look().theme.field), height / 2);
    const float done = std::max(height, std::floor(width * static_cast<float>(progress)));
    draw->AddRectFilled(at, {at.x + done, at.y + height}, colour_u32(look().theme.accent), height / 2);
}

} // namespace kg::ui
