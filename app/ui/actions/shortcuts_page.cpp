#include "app/ui/actions/shortcuts_page.hpp"

#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

namespace {

const char* const kShortcutsPopup = "##shortcuts";
constexpr float kPageWidth = 760, kKeys = 132, kShare = 0.86f;

struct KeyLine {
    std::string keys, what;
};
struct KeyGroup {
    std::string title;
    std::vector<KeyLine> lines;
};

/// Keys that belong to the item that has the focus, and are no actions of the window.
const std::array<KeyGroup, 3> kItems{{
    {"With the focus in the image",
     {{"Arrows", "Move the pixel cursor; with Shift by 10"},
      {"Ctrl+Arrows", "Pan"},
      {"+, -", "Zoom"},
      {"Enter", "Pin or unpin the pixel"},
      {"Page Up, Down", "Move the divider"}}},
    {"With the focus in a list or a slider",
     {{"Tab, Shift+Tab", "Next and previous item"},
      {"Alt+Up, Alt+Down", "Move a step of the recipe"},
      {"Delete", "Reset a slider"}}},
    {"With the focus in the kernel",
     {{"Ctrl+C, Ctrl+V", "Copy and paste the kernel as text"}, {"Enter", "Next cell below"}}},
}};

std::vector<KeyGroup> groups_of(const ActionTable& actions) {
    std::vector<KeyGroup> groups;
    for (const auto& action : actions.all()) {
        if (action.keys.empty() || !action.on_page) continue;
        const auto name = std::string(title(action.group));
        auto group = std::ranges::find(groups, name, &KeyGroup::title);
        if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
        group->lines.push_back({all_keys(action), title(action)});
    }
    std::ranges::find(groups, title(ActionGroup::view), &KeyGroup::title)
        ->lines.push_back({"1 to 9", "Show an open image"});
    groups.insert(groups.end(), kItems.begin(), kItems.end());
    return groups;
}

void draw_group(const KeyGroup& group) {
    heading(group.title);
    const float begin = ImGui::GetCursorPosX();
    for (const auto& line : group.lines) {
        ImGui::PushTextWrapPos(begin + look().px(kKeys));
        ImGui::TextColored(colour(look().theme.second), "%s", line.keys.c_str());
        ImGui::PopTextWrapPos();
        ImGui::SameLine();
        ImGui::SetCursorPosX(begin + look().px(kKeys + 8)); // SameLine() would count from the table's column
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(line.what.c_str());
        ImGui::PopTextWrapPos();
    }
}

/// Two columns of about the same number of lines.
void draw_groups(const std::vector<KeyGroup>& groups) {
    std::size_t all = 0, drawn = 0;
    for (const auto& group : groups) all += group.lines.size() + 2;
    if (!ImGui::BeginTable("groups", 2, ImGuiTableFlags_SizingStretchSame)) return;
    ImGui::TableNextColumn();
    bool second = false;
    for (const auto& group : groups) {
        if (!second && 2 * drawn >= all) second = ImGui::TableNextColumn();
        draw_group(group);
        drawn += group.lines.size() + 2;
    }
    ImGui::EndTable();
}

} // namespace

void ShortcutsPage::draw(const ActionTable& actions) {
    if (std::exchange(opens_, false)) ImGui::OpenPopup(kShortcutsPopup);
    const auto& l = look();
    const auto screen = ImGui::GetIO().DisplaySize;
    if (!begin_dialog(kShortcutsPopup, std::min(l.px(kPageWidth), screen.x), kShare * screen.y)) return;
    heading("Keyboard shortcuts");
    const float below = ImGui::GetFrameHeightWithSpacing() + l.px(4);
    ImGui::BeginChild("page", {0, ImGui::GetContentRegionAvail().y - below}, ImGuiChildFlags_NavFlattened);
    draw_groups(groups_of(actions));
    ImGui::EndChild();
    const bool closed = primary_button("close", nullptr, "Close", "Escape") ||
                        ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (closed) ImGui::CloseCurrentPopup();
    end_dialog();
}

} // namespace kg::ui
