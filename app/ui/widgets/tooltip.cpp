#include "app/ui/widgets/tooltip.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

constexpr float kTooltipGap = 4; ///< between a region and its tooltip
constexpr float kFar = 300;      ///< longest distance between an item and its tooltip

bool is_on(const Box& box, ImVec2 screen) {
    return box.x >= 0 && box.y >= 0 && box.right() <= screen.x && box.bottom() <= screen.y;
}

/// The larger of the horizontal and the vertical gap; 0 where they touch or overlap.
float distance(const Box& a, const Box& b) {
    return std::max({0.0f, a.x - b.right(), b.x - a.right(), a.y - b.bottom(), b.y - a.bottom()});
}

} // namespace

Box tooltip_place(const Box& item, const Box& region, ImVec2 size, ImVec2 screen, float scale) {
    const float gap = kTooltipGap * scale;
    const float x = std::clamp(item.x, 0.0f, std::max(0.0f, screen.x - size.x)),
                y = std::clamp(item.y, 0.0f, std::max(0.0f, screen.y - size.y));
    const Box right{region.right() + gap, y, size.x, size.y},
        left{region.x - gap - size.x, y, size.x, size.y}, below{x, region.bottom() + gap, size.x, size.y},
        above{x, region.y - gap - size.y, size.x, size.y};
    const bool column = region.height >= region.width;
    const auto first = column ? right : below, second = column ? left : above;
    const bool wide = !column && region.height > screen.y / 2; // such as the image: above it is the view bar
    for (const auto& place : {first, wide ? first : second})
        if (is_on(place, screen) && distance(item, place) <= kFar * scale) return place;
    const Box under{x, item.bottom() + gap, size.x, size.y};
    if (is_on(under, screen)) return under;
    return {x, std::max(0.0f, item.y - gap - size.y), size.x, size.y};
}

} // namespace kg::ui
