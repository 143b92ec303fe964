// Five small images of the pixels beyond the edge: a click chooses the border.

#include "app/editor/document/document.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/image/border.hpp"

#include <imgui.h>

#include <cmath>

namespace kg::ui {

namespace {

/// Shown around an image of kInside x kInside pixels, kAround on each side.
constexpr int kInside = 6, kAround = 4, kAll = kInside + 2 * kAround;

struct Words {
    const char *title, *help;
};
Words words(Border border) {
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
    }
    return {"", ""};
}

/// Brighter towards the lower right, so that mirrored, repeated and wrapped pixels look different.
float brightness(int x, int y) { return 0.2f + 0.8f * static_cast<float>(x + y) / (2 * (kInside - 1)); }

void draw_image(Border border, ImVec2 at, float side, bool chosen) {
    auto* draw = ImGui::GetWindowDrawList();
    const float cell = side / kAll;
    for (int y = 0; y < kAll; ++y)
        for (int x = 0; x < kAll; ++x) {
            const int sx = border_index(border, x - kAround, kInside),
                      sy = border_index(border, y - kAround, kInside);
            const bool inside = x >= kAround && x < kAround + kInside && y >= kAround &&
                                y < kAround + kInside;
            const float value = sx < 0 || sy < 0 ? 0.0f : brightness(sx, sy) * (inside ? 1.0f : 0.5f);
            const auto edge = [cell](int i) {
                return std::round(static_cast<float>(i) * cell);
            }; // whole pixels: no seams
            draw->AddRectFilled({at.x + edge(x), at.y + edge(y)}, {at.x + edge(x + 1), at.y + edge(y + 1)},
                                ImGui::GetColorU32(ImVec4(value, value, value, 1)));
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

void BorderPanel::draw(Document& document) {
    const auto chosen = document.recipe().border;
    heading("Border", words(chosen).title);
    const float gap = look().px(8),
                side = std::floor((ImGui::GetContentRegionAvail().x - gap * (kBorders.size() - 1)) /
                                  kBorders.size());
    for (const auto border : kBorders) {
        const auto id = "border " + std::string(name(border));
        const auto at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(id.c_str(), {side, side}, ImGuiButtonFlags_EnableNav) && border != chosen)
            document.change([border](Recipe& recipe) { recipe.border = border; });
        const auto w = words(border);
        help((std::string(w.title) + ". " + w.help).c_str());
        draw_image(border, at, side, border == chosen);
        if (border != kBorders.back()) ImGui::SameLine(0, gap);
    }
}

} // namespace

std::unique_ptr<Panel> make_border_panel() { return std::make_unique<BorderPanel>(); }

} // namespace kg::ui
