#include "app/ui/workspaces/batch_panels.hpp"

#include "app/batch/session/session_text.hpp"
#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cmath>

namespace kg::ui {

namespace {

void draw_bar(double progress) {
    const float height = look().px(6), width = ImGui::GetContentRegionAvail().x;
    const auto at = ImGui::GetCursorScreenPos();
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + width, at.y + height}, colour_u32(look().theme.field), height / 2);
    const float done = std::max(height, std::floor(width * static_cast<float>(progress)));
    draw->AddRectFilled(at, {at.x + done, at.y + height}, colour_u32(look().theme.accent), height / 2);
}

/// As much of a text as wraps into so many lines: where words are long, lines are not full.
std::string in_lines(const std::string& text, float room, float lines) {
    const auto height = [&](const std::string& words) {
        return ImGui::CalcTextSize(words.c_str(), nullptr, false, room).y;
    };
    auto words = text;
    for (float width = lines * room; height(words) > (lines + 0.5f) * ImGui::GetTextLineHeight() && width > 0;
         width -= room / 16)
        words = shortened(text, width);
    return words;
}

void draw_words(const batch::SessionWords& words) {
    const auto& theme = look().theme;
    const float room = ImGui::GetContentRegionAvail().x;
    {
        ScopedText style(TextStyle::verdict);
        ImGui::PushStyleColor(ImGuiCol_Text, colour(words.warns ? theme.warn : theme.text));
        ImGui::TextUnformatted(shortened(words.verdict, room).c_str());
        ImGui::PopStyleColor();
    }
    ScopedText style(TextStyle::secondary);
    if (words.progress) ImGui::TextUnformatted(shortened(words.detail, room).c_str());
    else paragraph(in_lines(words.detail, room, 2));
    help(words.whole.empty() ? words.detail : words.whole);
    if (words.progress) draw_bar(*words.progress);
}

/// `waited`: what is on its way takes so long that one may want to end it.
void draw_offers(batch::Session& session, const BatchActions& actions, bool waited) {
    const auto scan = session.scan();
    if (scan->stopped) {
        if (primary_button("again", icon::kEye, "Look again", "Find the pictures, which was stopped"))
            session.rescan();
        return;
    }
    const bool none = scan->busy || scan->pictures == 0 || !scan->failure.empty();
    const bool tries = session.trial()->busy;
    ImGui::BeginDisabled(none || tries);
    const auto few = none ? kTries : std::min(kTries, scan->pictures);
    if (button("try", icon::kEye, "Try " + std::to_string(few),
               "Filter some pictures from all over the list and show them here; nothing is written (Ctrl+T)"))
        actions.try_some();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(none || scan->wanted == 0);
    if (primary_button("start", icon::kPlay,
                       none || scan->wanted == 0 ? "Filter pictures"
                                                 : "Filter " + counted(scan->wanted, "picture"),
                       "Begin; the recipe and all settings stay as they are now until the end (Ctrl+Enter)"))
        actions.start();
    ImGui::EndDisabled();
    if (!waited) return;
    ImGui::SameLine();
    if (button("stop looking", icon::kStop, tries ? "Stop trying" : "Stop looking",
               tries ? "End this; what has been tried stays to be seen"
                     : "Search no further; nothing has been changed"))
        session.stop_looking();
}

void draw_controls(batch::Session& session, bool begun) {
    const auto state = session.work()->state;
    const bool paused = state == batch::Work::State::paused, stopping = state == batch::Work::State::stopping;
    ImGui::BeginDisabled(stopping);
    const bool pressed = paused
                             ? primary_button("pause", icon::kPlay, "Go on", "Begin further pictures again")
                             : button("pause", icon::kPause, "Pause", "Finish what is begun, and wait");
    if (pressed && !ImGui::GetIO().KeyCtrl) // Ctrl+Enter, which began it, held too long
        session.pause(!paused);
    if (begun) focus_item(); // the keyboard was on what began it
    ImGui::SameLine();
    if (button("stop", icon::kStop, "Stop after this picture",
               "Finish what is begun, and end; the same again goes on from there"))
        session.stop();
    ImGui::EndDisabled();
}

} // namespace

void BatchHead::draw(batch::Session& session, const BatchActions& actions, bool* findings_shown) {
    constexpr double kPatience = 0.4; // seconds
    const bool running = session.running(), looks = session.scan()->busy || session.trial()->busy;
    const double now = ImGui::GetTime();
    if (!looks) looks_since_ = now;
    if (running) draw_controls(session, !was_running_);
    else draw_offers(session, actions, looks && now - looks_since_ >= kPatience);
    was_running_ = running;
    if (findings_shown) {
        ImGui::SameLine();
        if (button("findings", icon::kInformation, "Findings", "Failures and outliers, over the sheet"))
            *findings_shown = !*findings_shown;
    }
    draw_words(words_of(session));
}

} // namespace kg::ui
