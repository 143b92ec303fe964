#include "app/ui/widgets/layout.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace kg::ui {

LayoutRects compute_layout(float width, float height, float scale, bool overlay_shown, bool film) {
    const auto px = [scale](float length) { return std::floor(length * scale); };
    width = std::max(width, 0.0f);
    height = std::max(height, 0.0f);
    LayoutRects r;
    const auto top = std::min(px(40), height);
    const auto status = std::min(px(24), height - top);
    const auto middle = height - top - status;
    const auto left = std::min(px(288), std::floor(width / 2));
    const auto right = std::min(px(288), width - left);
    r.right_overlays = width < px(1100);
    const auto shown = r.right_overlays && !overlay_shown ? 0.0f : right;
    const auto centre = width - left - (r.right_overlays ? 0.0f : shown);
    const auto view_bar = std::min(px(36), middle);

    r.top_bar = {0, 0, width, top};
    r.left = {0, top, left, middle};
    r.view_bar = {left, top, centre, view_bar};
    const auto strip = film ? std::min(px(88), middle - view_bar) : 0.0f;
    r.image = {left, top + view_bar, centre, middle - view_bar - strip};
    r.film = {left, r.image.bottom(), film ? centre : 0.0f, strip};
    r.right = {width - shown, top, shown, middle};
    if (r.right_overlays) r.right = {width - shown, top + view_bar, shown, r.image.height};
    r.status = {0, height - status, width, status};
    return r;
}

BatchRects compute_batch_layout(const LayoutRects& layout, float scale, float head) {
    const auto& bar = layout.view_bar;
    const float whole = layout.left.height, height = std::min(std::floor(head * scale), whole);
    BatchRects r;
    r.head = {bar.x, bar.y, bar.width, height};
    r.sheet = {bar.x, bar.y + height, bar.width, whole - height};
    r.right = layout.right;
    if (layout.right_overlays) r.right = {layout.right.x, r.sheet.y, layout.right.width, r.sheet.height};
    return r;
}

bool has_title_bar() {
    const auto* window = ImGui::GetCurrentWindow();
    if (!window->DockIsActive) return (window->Flags & ImGuiWindowFlags_NoTitleBar) == 0;
    const auto* node = window->DockNode;
    return node && !node->IsHiddenTabBar() && !node->IsNoTabBar();
}

void keep_content_width() {
    auto* window = ImGui::GetCurrentWindow();
    const float bar = window->ScrollbarSizes.x;
    window->ContentRegionRect.Max.x += bar;
    window->WorkRect.Max.x += bar;
}

Region::Region(const char* name, const Box& box, RegionStyle style) {
    constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking;
    // Columns omit this flag and come to the front: the right one may overlay the image.
    constexpr ImGuiWindowFlags kBehind = ImGuiWindowFlags_NoBringToFrontOnFocus;
    constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    const auto& l = look();
    ImVec2 padding = ImGui::GetStyle().WindowPadding;
    ImVec4 background = colour(l.theme.panel);
    ImGuiWindowFlags flags = kFixed;
    switch (style) {
    case RegionStyle::bar:
        padding.y = std::floor(std::max(0.0f, (box.height - ImGui::GetFrameHeight()) / 2));
        flags |= kStill | kBehind;
        break;
    case RegionStyle::tabs: // comes to the front as columns do
        padding.y = l.px(8);
        flags |= kStill;
        break;
    case RegionStyle::head: flags |= kStill | kBehind; break;
    case RegionStyle::sheet:
        background = colour(l.theme.surround);
        flags |= kBehind;
        ImGui::SetNextWindowScroll({0, -1});
        break;
    case RegionStyle::column:
        ImGui::SetNextWindowScroll({0, -1}); // vertical only, also when keyboard navigation scrolls
        break;
    case RegionStyle::strip:
        padding = {l.px(8), l.px(4)};
        flags |= kBehind | ImGuiWindowFlags_HorizontalScrollbar;
        break;
    case RegionStyle::image:
        padding = {0, 0};
        background = colour(l.theme.surround);
        flags |= kStill | kBehind;
        break;
    }
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
    ImGui::Begin(name, nullptr, flags);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (style == RegionStyle::column || style == RegionStyle::sheet) keep_content_width();
}

Region::~Region() { ImGui::End(); }

Scroller::Scroller(const char* name, float below) {
    const auto* window = ImGui::GetCurrentWindow();
    const auto padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 corner{window->Pos.x, ImGui::GetCursorScreenPos().y};
    ImGui::SetCursorScreenPos(corner);
    ImGui::SetNextWindowScroll({0, -1}); // vertical only, as for columns
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding.x, look().px(4)});
    const float height = std::max(window->Pos.y + window->Size.y - below - corner.y, look().px(1));
    ImGui::BeginChild(name, {window->Size.x, height},
                      ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
    ImGui::PopStyleVar();
    keep_content_width();
}

Scroller::~Scroller() { ImGui::EndChild(); }

} // namespace kg::ui
