#include "app/ui/bars/bars.hpp"

#include "app/editor/pixel/reading_text.hpp"
#include "app/ui/widgets/image_words.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kg::ui {

namespace {

constexpr float kClippedAt = 72, kBadgeAt = 184, kValuesAt = 312; ///< fixed positions, so that nothing jumps
constexpr float kBetween = 12;
/// "host upload, shown 1:16"; a longer badge moves the following items.
constexpr float kLongestBadge = 220;

/// Places the next item at its position, or after the previous item where that is longer.
void continue_at(float place) {
    const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
    ImGui::SameLine(std::max(look().px(place), end + look().px(kBetween)));
}

void draw_clipped(const Document& document) {
    const auto* clipping = document.clipping();
    if (!clipping) return;
    const auto clipped = clipping->below + clipping->above;
    continue_at(kClippedAt);
    ImGui::TextUnformatted(
        (short_count(clipped) + " clipped" +
         (clipping->not_finite > 0 ? ", " + short_count(clipping->not_finite) + " not finite" : ""))
            .c_str());
    const auto& format = document.result()->pixels.format;
    const bool integer = is_integer(format.depth);
    help(("Of " + std::to_string(clipping->pixels) + " pixels " + std::to_string(clipping->below) +
          " have a colour below " + (integer ? "0" : "the lowest number of the result") + " and " +
          std::to_string(clipping->above) + " one above " +
          (integer ? short_number(full_scale(format)) : std::string("the highest")) + "; " +
          std::to_string(clipping->not_finite) +
          " have one that is infinite or not a number. Counted from the whole result before it is clamped")
             .c_str());
}

/// The latest message first.
void draw_log(const Document& document) {
    const auto corner = ImGui::GetWindowPos();
    ImGui::SetNextWindowPos({corner.x + ImGui::GetWindowWidth() - look().px(12), corner.y - look().px(4)},
                            ImGuiCond_Always, {1, 1}); // above the status bar
    if (!ImGui::BeginPopup("log")) return;
    heading("Messages");
    const auto& theme = look().theme;
    ImGui::BeginChild("lines", {look().px(560), look().px(240)});
    const auto& messages = document.messages();
    for (auto i = messages.rbegin(); i != messages.rend(); ++i) {
        {
            ScopedText number(TextStyle::number);
            ImGui::TextColored(colour(theme.second), "%s", time_text(*i).c_str());
        }
        ImGui::SameLine();
        const auto ink = i->kind == Message::Kind::error     ? theme.error
                         : i->kind == Message::Kind::warning ? theme.warn
                                                             : theme.text;
        ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
        paragraph(i->text);
        ImGui::PopStyleColor();
    }
    ImGui::EndChild();
    ImGui::PushStyleColor(ImGuiCol_Button, colour(theme.press)); // a popup has the colour of fields
    if (button("copy log", icon::kCopy, "Copy all", "Copy all messages with their times"))
        ImGui::SetClipboardText(log_text(messages).c_str());
    ImGui::PopStyleColor();
    ImGui::EndPopup();
}

/// Zoom, clipping, badge and values of the image that is shown.
void draw_image_facts(const Document& document, const StatusInfo& info) {
    char zoom[24];
    std::snprintf(zoom, sizeof zoom, info.zoom < 10 ? "%.4g %%" : "%.0f %%", info.zoom * 100);
    ImGui::TextUnformatted(zoom);
    help("Screen pixels per image pixel");
    draw_clipped(document);
    continue_at(kBadgeAt);
    if (info.badge_warns) ImGui::PushStyleColor(ImGuiCol_Text, colour(look().theme.warn));
    ImGui::TextUnformatted(shortened(info.badge, look().px(kLongestBadge)).c_str());
    if (info.badge_warns) ImGui::PopStyleColor();
    help(info.badge_help.c_str());
    continue_at(kValuesAt); // always drawn, so that the message does not jump
    {
        ScopedText number(TextStyle::number);
        ImGui::SetCursorPosY(std::floor((ImGui::GetWindowHeight() - ImGui::GetTextLineHeight()) / 2));
        const auto& result = document.result();
        if (const auto& reading = document.reading(); reading && result)
            ImGui::TextUnformatted(
                reading_text(*reading, result->job.request.in, result->pixels.format).c_str());
        else ImGui::TextUnformatted("");
    }
}

} // namespace

void draw_status_bar(Document& document, const StatusInfo& info) {
    const auto& theme = look().theme;
    ScopedText style(TextStyle::secondary);
    ImGui::SetCursorPosY(std::floor((ImGui::GetWindowHeight() - ImGui::GetTextLineHeight()) / 2));
    if (info.image) draw_image_facts(document, info);
    else ImGui::Dummy({0, 0});

    if (document.messages().empty()) return;
    auto last = document.messages().back();
    if (last.kind != Message::Kind::info && document.is_last_message_past())
        last = {Message::Kind::info, "Messages"};
    const auto ink = last.kind == Message::Kind::error     ? theme.error
                     : last.kind == Message::Kind::warning ? theme.warn
                                                           : theme.second;
    ImGui::SameLine(0, look().px(24));
    const float room = ImGui::GetContentRegionAvail().x;
    const auto text = shortened(last.text, room);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
    const float height = ImGui::GetWindowHeight();
    ImGui::SetCursorPosY(0); // as large a target as the bar allows
    auto at = ImGui::GetCursorScreenPos();
    at.y += std::floor((height - ImGui::GetTextLineHeight()) / 2);
    if (ImGui::InvisibleButton("messages", {std::max(width, 1.0f), height}, ImGuiButtonFlags_EnableNav) ||
        info.opens_log)
        ImGui::OpenPopup("log");
    help((last.text + "\n\nClick for all messages").c_str());
    ImGui::GetWindowDrawList()->AddText(at, colour_u32(ink), text.c_str());
    draw_log(document);
}

} // namespace kg::ui
