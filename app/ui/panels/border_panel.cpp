// Small images of the pixels beyond the edge: a click chooses the border.

#include "app/editor/document/border_choice.hpp"
#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/image/border.hpp"

#include <imgui.h>

#include <cmath>

namespace kg::ui {

namespace {

/// Shown around an image of kInside x kInside pixels, kAround on each side.
constexpr int kInside = 6, kAround = 4, kAll = kInside + 2 * kAround;

struct Description {
    const char *title, *help;
};
Description description(Border border) {
    switch (border) {
    case Border::zero:
        return {
            "Zero",
            "Pixels outside are 0, black: 00|abcd|00. Blurs darken the image's edge; filters that find edges "
            "find one there"};
    case Border::replicate: return {"Replicate", "The edge pixel is repeated: aa|abcd|dd"};
    case Border::reflect: return {"Reflect", "A mirror at the edge, the edge pixel twice: ba|abcd|dc"};
    case Border::reflect101:
        return {"Reflect 101", "A mirror in the edge pixel, which appears once: cb|abcd|cb"};
    case Border::wrap: return {"Wrap", "The image starts again: cd|abcd|ab"};
    case Border::constant: return {"Constant", "Pixels outside have one colour: kk|abcd|kk"};
    }
    return {"", ""};
}

/// Brighter towards the lower right, so that mirrored, repeated and wrapped pixels look different.
float brightness(int x, int y) { return 0.2f + 0.8f * static_cast<float>(x + y) / (2 * (kInside - 1)); }

/// `colour` lies outside under border `constant`.
void draw_image(Border border, const BorderColour& colour, ImVec2 at, float side, bool chosen) {
    auto* draw = ImGui::GetWindowDrawList();
    const float cell = side / kAll;
    for (int y = 0; y < kAll; ++y)
        for (int x = 0; x < kAll; ++x) {
            const int sx = border_index(border, x - kAround, kInside),
                      sy = border_index(border, y - kAround, kInside);
            const bool inside = x >= kAround && x < kAround + kInside && y >= kAround &&
                                y < kAround + kInside;
            const float value = sx < 0 || sy < 0 ? 0.0f : brightness(sx, sy) * (inside ? 1.0f : 0.5f);
            const bool coloured = border == Border::constant && !inside;
            const auto [r, g, b, a] = coloured ? colour : BorderColour{value, value, value, 1};
            // Whole pixels: no seams.
            const auto edge = [cell](int i) { return std::round(static_cast<float>(i) * cell); };
            draw->AddRectFilled({at.x + edge(x), at.y + edge(y)}, {at.x + edge(x + 1), at.y + edge(y + 1)},
                                ImGui::GetColorU32(ImVec4(r, g, b, 1)));
        }
    const float begin = std::round(kAround * cell), end = std::round((kAround + kInside) * cell);
    draw->AddRect({at.x + begin, at.y + begin}, {at.x + end, at.y + end},
                  colour_u32(chosen ? look().theme.accent : look().theme.second));
    if (chosen)
        draw->AddRect({at.x - 2, at.y - 2}, {at.x + side + 2, at.y + side + 2},
                      colour_u32(look().theme.accent), look().px(4), look().px(2));
}

class BorderPanel final : public Panel {
public:
    std::string_view id() const override { return "border"; }
    std::string_view title() const override { return "Border"; }
    std::string_view tooltip() const override { return "What lies outside the image"; }
    Place place() const override { return Place::left; }
    void draw(Document& document) override;
};

/// The colour outside, while border `constant` is chosen.
void draw_colour(Document& document) {
    auto colour = document.recipe().border_colour;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::ColorEdit4("##border colour", colour.data(), ImGuiColorEditFlags_Float))
        document.change([colour](Recipe& recipe) { recipe.border_colour = colour; }, Gesture::ongoing);
    if (ImGui::IsItemDeactivatedAfterEdit()) document.finish_gesture();
    help("Red, green, blue and alpha outside the image, in units of full scale; grey images have their luma");
}

void BorderPanel::draw(Document& document) {
    const auto chosen = document.recipe().border;
    heading(has_title_bar() ? "" : "Border", description(chosen).title);
    const float gap = look().px(8), side = std::floor((ImGui::GetContentRegionAvail().x -
                                                       gap * static_cast<float>(kBorderChoices.size() - 1)) /
                                                      static_cast<float>(kBorderChoices.size()));
    const auto shown = chosen == Border::constant ? document.recipe().border_colour : kFirstBorderColour;
    for (const auto border : kBorderChoices) {
        const auto id = "border " + std::string(name(border));
        const auto at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(id.c_str(), {side, side}, ImGuiButtonFlags_EnableNav) && border != chosen)
            document.change([border](Recipe& recipe) { choose_border(recipe, border); });
        const auto w = description(border);
        help((std::string(w.title) + ". " + w.help).c_str());
        draw_image(border, shown, at, side, border == chosen);
        if (border != kBorderChoices.back()) ImGui::SameLine(0, gap);
    }
    if (chosen == Border::constant) draw_colour(document);
}

} // namespace

std::unique_ptr<Panel> make_border_panel() { return std::make_unique<BorderPanel>(); }

} // namespace kg::ui
