// Ready-made recipes by group, each with a thumbnail of its effect on the open image, and a search field.

#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"
#include "app/ui/widgets/thumbnails.hpp"
#include "filters/preset.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace kg::ui {

namespace {

constexpr int kColumns = 3;
constexpr float kButton = 24;
constexpr std::size_t kLines = 2; ///< lines of a title

/// At most kLines lines of whole words; longer text ends in an ellipsis.
std::vector<std::string> in_lines(const std::string& text, float width) {
    std::vector<std::string> lines;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const auto longer = lines.empty() ? word : lines.back() + " " + word;
        const bool last = lines.size() == kLines;
        if (!lines.empty() && (last || ImGui::CalcTextSize(longer.c_str()).x <= width)) lines.back() = longer;
        else lines.push_back(word);
    }
    for (auto& line : lines) line = shortened(line, width);
    return lines;
}

class PresetsPanel final : public Panel {
public:
    std::string_view id() const override { return "presets"; }
    std::string_view title() const override { return "Presets"; }
    std::string_view tooltip() const override { return "Ready-made recipes, shown on the open image"; }
    Place place() const override { return Place::right; }
    void draw(Document& document) override;

private:
    void draw_cell(Document& document, std::size_t index, ImVec2 size);
    void draw_search();
    void draw_cells(Document& document, const std::vector<std::size_t>& chosen);
    bool draw_group(Document& document, std::string_view title, std::vector<std::size_t> chosen);
    void draw_own(Document& document, bool& any);

    Thumbnails thumbnails_;
    std::string search_;
};

/// A button of the cell's corner, over its image.
bool corner_button(const char* icon, const char* id, ImVec2 at, float side, const std::string& tooltip) {
    ImGui::SetCursorScreenPos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{0, 0});
    const bool pressed = ImGui::Button((std::string(icon) + id).c_str(), {side, side});
    ImGui::PopStyleVar();
    help(tooltip);
    return pressed;
}

/// Renaming and deleting an own preset.
void draw_own_menu(Document& document, const Preset& preset, ImVec2 at, float side) {
    if (corner_button(icon::kDots, "##more", at, side, "Rename or delete " + preset.title))
        ImGui::OpenPopup("own preset");
    if (!ImGui::BeginPopup("own preset")) return;
    if (ImGui::Selectable("Rename...")) document.presets().ask({PresetQuestion::Kind::rename, preset.id});
    help("Another name or group; on the command line it stays -f " + preset.id);
    if (ImGui::Selectable("Delete...")) document.presets().ask({PresetQuestion::Kind::remove, preset.id});
    help("Asks before it removes the preset's file");
    ImGui::EndPopup();
}

} // namespace

void PresetsPanel::draw_cell(Document& document, std::size_t index, ImVec2 size) {
    const auto& preset = document.presets()[index];
    const auto& preview = document.previews()[index];
    const auto at = ImGui::GetCursorScreenPos();
    const float pad = look().px(4), side = look().px(kButton);
    ImGui::PushID(preset.id.c_str());
    ImGui::SetNextItemAllowOverlap(); // the + button lies on it
    const bool replaces = row("##preset", size, false);
    const bool lively = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    help(preset.title + ". " + preset.summary + ".\n" +
         (document.selected_step() ? "Click to replace the selected step" : "Click to use it"));
    {
        ScopedText style(TextStyle::secondary);
        const float line = ImGui::GetTextLineHeight();
        const float image = size.y - kLines * line - 3 * pad;
        if (preview) thumbnails_.draw(preview, {at.x + pad, at.y + pad}, {size.x - 2 * pad, image});
        float y = at.y + image + 2 * pad;
        for (const auto& words : in_lines(preset.title, size.x - 2 * pad)) {
            const float width = ImGui::CalcTextSize(words.c_str()).x;
            ImGui::GetWindowDrawList()->AddText({at.x + std::floor((size.x - width) / 2), y},
                                                colour_u32(lively ? look().theme.text : look().theme.second),
                                                words.c_str());
            y += line;
        }
    }
    const bool appends = corner_button(icon::kPlus, "##append", {at.x + size.x - side, at.y}, side,
                                       "Append " + preset.title + " to the recipe");
    if (document.presets().is_own(index)) draw_own_menu(document, preset, at, side);
    ImGui::PopID();
    if (appends) document.use_preset(preset, Document::PresetUse::append);
    else if (replaces) document.use_preset(preset, Document::PresetUse::replace);
}

void PresetsPanel::draw_search() {
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##search", "Search presets", &search_, ImGuiInputTextFlags_EscapeClearsAll);
    help("Words in the title, the summary or the group of a preset. Escape clears them");
}

/// Presets side by side. `chosen` are indices of the document's list.
void PresetsPanel::draw_cells(Document& document, const std::vector<std::size_t>& chosen) {
    const float gap = look().px(6);
    const float width = std::floor((ImGui::GetContentRegionAvail().x - gap * (kColumns - 1)) / kColumns);
    const ImVec2 size{width, std::floor(width * 0.75f) + look().px(36)};
    const auto begin = ImGui::GetCursorScreenPos();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{gap, gap});
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto column = i % kColumns, row = i / kColumns;
        ImGui::SetCursorScreenPos({begin.x + static_cast<float>(column) * (size.x + gap),
                                   begin.y + static_cast<float>(row) * (size.y + gap)});
        draw_cell(document, chosen[i], size);
    }
    const auto rows = (chosen.size() + kColumns - 1) / kColumns;
    ImGui::SetCursorScreenPos({begin.x, begin.y + static_cast<float>(rows) * (size.y + gap)});
    ImGui::Dummy({0, 0});
    ImGui::PopStyleVar();
}

/// Presets by title under a heading; false without any.
bool PresetsPanel::draw_group(Document& document, std::string_view title, std::vector<std::size_t> chosen) {
    if (chosen.empty()) return false;
    const auto& list = document.presets();
    std::ranges::sort(chosen, {}, [&](std::size_t i) { return std::string_view(list[i].title); });
    heading(title);
    draw_cells(document, chosen);
    return true;
}

void PresetsPanel::draw_own(Document& document, bool& any) {
    auto& list = document.presets();
    if (!list.can_save()) return;
    ImGui::BeginDisabled(document.recipe().steps.empty());
    if (button("save preset", icon::kSave, "Save recipe as preset...",
               "Keep this recipe and its settings under a name, for other images and for -f"))
        list.ask({});
    ImGui::EndDisabled();
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list.is_own(i) && is_found(list[i], search_)) chosen.push_back(i);
    any |= draw_group(document, "Own", std::move(chosen));
}

void PresetsPanel::draw(Document& document) {
    thumbnails_.sweep();
    if (!document.image()) return;
    draw_search();
    bool any = false;
    draw_own(document, any);
    const auto& list = document.presets();
    for (const auto& group : preset_groups()) {
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!list.is_own(i) && list[i].group == group.id && is_found(list[i], search_))
                chosen.push_back(i);
        any |= draw_group(document, group.title, std::move(chosen));
    }
    if (!any) note("No preset has these words in its title, summary or group.");
    note("Small previews of a shrunken copy: in the image itself the effect is finer.");
}

std::unique_ptr<Panel> make_presets_panel() { return std::make_unique<PresetsPanel>(); }

} // namespace kg::ui
