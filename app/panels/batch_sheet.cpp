#include "app/panels/batch_panels.hpp"

#include "app/panels/parts.hpp"

#include <algorithm>
#include <cmath>

namespace kg::ui {

namespace {

constexpr float kCell = 212;    ///< a cell is at least this wide
constexpr float kShape = 0.75f; ///< height of a picture's place by its width

std::string remark(const batch::Tried& tried) {
    if (!tried.failure.empty()) return "failed";
    if (!tried.done) return "";
    if (!tried.clipped) return "";
    return std::to_string(static_cast<int>(std::lround(*tried.clipped * 100))) + " % clipped";
}

/// A place for a small picture that one can click on.
bool picture(const char* id, Thumbnails& thumbnails, const std::shared_ptr<const Image>& image, ImVec2 size,
             const std::string& tooltip) {
    const auto at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
    help(tooltip);
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                        colour_u32(ImGui::IsItemHovered() ? theme.hover : theme.panel), look().px(4));
    const float pad = look().px(3);
    if (image) thumbnails.draw(image, {at.x + pad, at.y + pad}, {size.x - 2 * pad, size.y - 2 * pad});
    return clicked;
}

} // namespace

void BatchSheet::draw(const batch::Session& session, const BatchActions& actions) {
    thumbnails_.sweep();
    const auto trial = session.trial();
    if (trial->pictures.empty()) {
        if (!trial->busy && session.scan()->pictures > 0)
            note("\"Try\" shows some of the pictures here, before and after, and says how long all of them "
                 "take "
                 "and how much they need on the disk.");
        return;
    }
    if (!trial->busy && !session.running() && trial->order != session.order())
        notice(Tone::warning, "These were tried with other settings. Try again to see how it is now.");
    const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>((room + gap) / (look().px(kCell) + gap)));
    const float width = std::floor((room + gap) / static_cast<float>(columns) - gap);
    const float between = look().px(2);
    const ImVec2 half{std::floor((width - between) / 2), std::floor((width - between) / 2 * kShape)};
    for (std::size_t i = 0; i < trial->pictures.size(); ++i) {
        const auto& tried = trial->pictures[i];
        if (static_cast<int>(i) % columns != 0) ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginGroup();
        const auto name = safe_name(tried.input);
        if (picture("before", thumbnails_, tried.before, half, name + "\nBefore. Click to open it in Play"))
            actions.open(tried.input, {});
        ImGui::SameLine(0, between);
        const auto after =
            tried.failure.empty()
                ? "\nAfter. Click to open the result in Play, or, where it is not made yet, the "
                  "picture"
                : "\n" + tried.failure;
        if (picture("after", thumbnails_, tried.after, half, name + after))
            actions.open(tried.input, tried.output);
        const auto at = ImGui::GetCursorScreenPos();
        ScopedText style(TextStyle::secondary);
        ImGui::Dummy({width, ImGui::GetTextLineHeight()});
        const auto words = remark(tried);
        const float taken = words.empty() ? 0 : ImGui::CalcTextSize(words.c_str()).x + gap;
        auto* draw = ImGui::GetWindowDrawList();
        draw->AddText(at, colour_u32(look().theme.second),
                      shortened(safe_name(tried.input.filename()), width - taken).c_str());
        draw->AddText({at.x + width - taken + gap, at.y},
                      colour_u32(tried.failure.empty() ? look().theme.text : look().theme.error),
                      words.c_str());
        ImGui::EndGroup();
        ImGui::PopID();
    }
}

} // namespace kg::ui
