#include "app/ui/actions/palette.hpp"

#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace kg::ui {

namespace {

const char* const kPalettePopup = "##palette";
constexpr float kPaletteWidth = 520, kTop = 48;
constexpr std::size_t kRows = 12; ///< at most; the list scrolls

/// The arrow keys move the mark, not the text cursor.
int keep_cursor(ImGuiInputTextCallbackData*) { return 0; }

} // namespace

/// All words somewhere. First the actions that can run, first of them those whose title begins with the
/// words; else in the order of the table.
void Palette::search(const ActionTable& actions) {
    found_.clear();
    for (const auto& action : actions.all())
        if (is_found(action, words_)) found_.push_back(&action);
    const auto begins = lower_case(words_);
    std::ranges::stable_sort(found_, {}, [&](const auto* action) {
        if (!why_not(*action).empty()) return 2;
        return lower_case(title(*action)).starts_with(begins) ? 0 : 1;
    });
    marked_ = std::min(marked_, found_.empty() ? 0 : found_.size() - 1);
}

bool Palette::draw_row(const Action& action, bool marked) {
    const auto at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
    const auto reason = why_not(action);
    ImGui::PushID(action.id.c_str());
    const bool pressed = row("##action", size, marked);
    help(action.tooltip + (reason.empty() ? "" : ".\n" + reason));
    row_text(at, size, std::string(title(action.group)) + ": " + title(action),
             reason.empty() ? first_key(action) : reason, reason.empty());
    ImGui::PopID();
    if (marked && std::exchange(moved_, false)) ImGui::SetScrollHereY();
    return pressed && reason.empty();
}

void Palette::draw_rows() {
    const auto rows = std::clamp<std::size_t>(found_.size(), 1, kRows);
    ImGui::BeginChild("actions", {0, static_cast<float>(rows) * ImGui::GetFrameHeightWithSpacing()},
                      ImGuiChildFlags_NavFlattened);
    keep_content_width();
    if (found_.empty()) note("No action has these words in its name.");
    for (std::size_t i = 0; i < found_.size(); ++i)
        if (draw_row(*found_[i], i == marked_)) chosen_ = found_[i];
    ImGui::EndChild();
}

void Palette::draw(const ActionTable& actions) {
    if (const auto* action = std::exchange(chosen_, nullptr)) action->run();
    if (std::exchange(opens_, false)) {
        ImGui::OpenPopup(kPalettePopup);
        words_.clear();
        marked_ = 0;
    }
    const auto& l = look();
    ImGui::SetNextWindowPos({ImGui::GetMainViewport()->GetCenter().x, l.px(kTop)}, ImGuiCond_Always,
                            {0.5f, 0});
    ImGui::SetNextWindowSize({std::min(l.px(kPaletteWidth), ImGui::GetIO().DisplaySize.x), 0});
    if (!ImGui::BeginPopup(kPalettePopup, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar)) return;
    search(actions);
    const auto count = found_.size();
    if (count > 0) { // before the field, which would leave the focus to the list
        const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key); };
        if (pressed(ImGuiKey_DownArrow)) marked_ = (marked_ + 1) % count, moved_ = true;
        if (pressed(ImGuiKey_UpArrow)) marked_ = (marked_ + count - 1) % count, moved_ = true;
    }
    // A popup has the colour of fields; its own field needs another one.
    ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(l.theme.panel));
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const auto before = words_;
    const bool entered = ImGui::InputTextWithHint(
        "##words", "Type what to do", &words_,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, keep_cursor);
    help("Words in the name of an action. Arrow keys choose, Enter runs, Escape closes");
    ImGui::PopStyleColor();
    if (words_ != before) {
        marked_ = 0;
        moved_ = true;
        search(actions);
    }
    if (entered && marked_ < found_.size() && why_not(*found_[marked_]).empty()) chosen_ = found_[marked_];
    draw_rows();
    if (chosen_ || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

} // namespace kg::ui
