#include "app/ui/shell/arrangement.hpp"

#include "app/ui/widgets/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace kg::ui {

namespace {

/// Two panels may have the same title; the id tells them apart.
std::string window_name(const Panel& panel) {
    return std::string(panel.title()) + "##" + std::string(panel.id());
}

/// Places the view bar above and the film strip below the image in `centre`.
LayoutRects with_centre(LayoutRects layout, const Box& centre) {
    const float bar = std::min(layout.view_bar.height, centre.height),
                film = std::min(layout.film.height, centre.height - bar);
    layout.view_bar = {centre.x, centre.y, centre.width, bar};
    layout.image = {centre.x, centre.y + bar, centre.width, centre.height - bar - film};
    layout.film = {centre.x, layout.image.bottom(), film > 0 ? centre.width : 0, film};
    layout.right_overlays = false;
    return layout;
}

/// Makes all tabs fit, also beside a scrollbar. Two style variables to pop.
void push_narrow_tabs(float padding) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding, ImGui::GetStyle().FramePadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, {look().px(2), 0});
}

constexpr float kSmallType = 15; // as TextStyle::secondary

/// Padding for each side of the right column's tabs in the current type. May be negative.
float tab_padding(std::span<const std::unique_ptr<Panel>> panels) {
    float room = ImGui::GetContentRegionAvail().x, sides = 0;
    for (const auto& panel : panels) {
        if (panel->place() != Place::right) continue;
        // Plus the gap between two tabs.
        room -= ImGui::CalcTextSize(std::string(panel->title()).c_str()).x + look().px(4);
        sides += 2;
    }
    return std::floor(room / std::max(sides, 1.0f));
}

/// Brings the current window to the front of its dock.
void raise() {
    const auto* window = ImGui::GetCurrentWindow();
    if (window->DockNode) window->DockNode->SelectedTabId = window->TabId;
}

} // namespace

void Arrangement::toggle_lock() {
    locked_ = !locked_;
    if (!locked_ && !own_) own_ = fresh_ = true;
}

void Arrangement::reset() {
    raise_ = true;
    locked_ = true;
    own_ = false;
}

std::vector<std::string> Arrangement::windows(std::span<const std::unique_ptr<Panel>> panels) const {
    if (!own_) return {"right", "left"};
    std::vector<std::string> names;
    for (const auto place : {Place::right, Place::left})
        for (const auto& panel : panels)
            if (panel->place() == place) names.push_back(window_name(*panel));
    return names;
}

LayoutRects Arrangement::draw(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                              LayoutRects layout) {
    if (own_) return draw_docked(document, panels, layout);
    draw_columns(document, panels, layout);
    return layout;
}

void Arrangement::draw_columns(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                               const LayoutRects& layout) {
    {
        Region left("left", layout.left, RegionStyle::column);
        for (const auto& panel : panels) {
            if (panel->place() != Place::left) continue;
            ImGui::PushID(panel->id().data());
            panel->draw(document);
            ImGui::PopID();
            ImGui::Dummy({0, look().px(4)});
        }
    }
    if (layout.right.width <= 0) return;
    Region right("right", layout.right, RegionStyle::tabs);
    draw_tabs(document, panels);
}

/// The tabs stay in place; the open panel scrolls in a child window below them. Its items have the ids of
/// their tab.
void Arrangement::draw_tabs(Document& document, std::span<const std::unique_ptr<Panel>> panels) {
    // Smaller type where labels would touch.
    const bool small = tab_padding(panels) < look().px(3);
    ImGui::PushFont(look().body, small ? kSmallType : 0);
    const float padding = std::clamp(tab_padding(panels), look().px(1), look().px(6));
    push_narrow_tabs(padding);
    const bool any = ImGui::BeginTabBar("tabs", ImGuiTabBarFlags_FittingPolicyShrink |
                                                    ImGuiTabBarFlags_DrawSelectedOverline);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    if (!any) return;
    Panel* open = nullptr;
    ImGuiID tab = 0;
    for (const auto& panel : panels) {
        if (panel->place() != Place::right) continue;
        ImGui::PushFont(look().body, small ? kSmallType : 0);
        push_narrow_tabs(padding);
        const bool raises = raise_ && panel->id() == front_;
        const bool is_open = ImGui::BeginTabItem(std::string(panel->title()).c_str(), nullptr,
                                                 raises ? ImGuiTabItemFlags_SetSelected : 0);
        ImGui::PopStyleVar(2);
        ImGui::PopFont();
        help(panel->tooltip());
        if (!is_open) continue;
        if (!raise_) front_ = panel->id();
        open = panel.get();
        tab = ImGui::GetCurrentWindow()->IDStack.back();
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
    raise_ = false;
    if (!open) return;
    const Scroller scroller(std::string(open->id()).c_str());
    ImGui::PushOverrideID(tab);
    open->draw(document);
    ImGui::PopID();
}

/// Builds the default layout, as the columns have it: nothing has been moved yet.
void Arrangement::build(ImGuiID space, std::span<const std::unique_ptr<Panel>> panels,
                        const LayoutRects& layout) {
    const float width = ImGui::GetIO().DisplaySize.x, height = layout.left.height;
    const float side = std::min(look().px(288), width / 3);
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(space, {width, height});
    ImGuiID centre = space, right = 0, left = 0;
    ImGui::DockBuilderSplitNode(centre, ImGuiDir_Left, side / width, &left, &centre);
    ImGui::DockBuilderSplitNode(centre, ImGuiDir_Right, side / (width - side), &right, &centre);
    std::vector<const Panel*> stacked;
    for (const auto& panel : panels) {
        if (panel->place() == Place::left) stacked.push_back(panel.get());
        else ImGui::DockBuilderDockWindow(window_name(*panel).c_str(), right);
    }
    for (std::size_t i = 0; i < stacked.size(); ++i) {
        ImGuiID node = left;
        if (i + 1 < stacked.size())
            ImGui::DockBuilderSplitNode(left, ImGuiDir_Up, 1 / static_cast<float>(stacked.size() - i), &node,
                                        &left);
        ImGui::DockBuilderDockWindow(window_name(*stacked[i]).c_str(), node);
    }
    ImGui::DockBuilderFinish(space);
    raise_ = true; // the open tab stays open
}

LayoutRects Arrangement::draw_docked(Document& document, std::span<const std::unique_ptr<Panel>> panels,
                                     LayoutRects layout) {
    constexpr ImGuiWindowFlags kHost = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                                       ImGuiWindowFlags_NoBringToFrontOnFocus |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNavFocus;
    ImGui::SetNextWindowPos({0, layout.left.y});
    ImGui::SetNextWindowSize({ImGui::GetIO().DisplaySize.x, layout.left.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
    ImGui::Begin("panels", nullptr, kHost);
    ImGui::PopStyleVar();
    const auto space = ImGui::GetID("space");
    if (fresh_ || !ImGui::DockBuilderGetNode(space)) build(space, panels, layout);
    fresh_ = false;
    ImGuiDockNodeFlags flags = ImGuiDockNodeFlags_PassthruCentralNode |
                               ImGuiDockNodeFlags_NoDockingOverCentralNode |
                               ImGuiDockNodeFlags_NoWindowMenuButton;
    if (locked_)
        flags |= ImGuiDockNodeFlags_AutoHideTabBar | ImGuiDockNodeFlags_NoResize |
                 ImGuiDockNodeFlags_NoUndocking | ImGuiDockNodeFlags_NoDockingSplit;
    push_narrow_tabs(look().px(2)); // so that all five fit
    ImGui::DockSpace(space, {0, 0}, flags);
    ImGui::PopStyleVar(2);
    const auto* node = ImGui::DockBuilderGetCentralNode(space);
    const auto inner = with_centre(layout, {node->Pos.x, node->Pos.y, node->Size.x, node->Size.y});
    ImGui::End();

    for (const auto& panel : panels) {
        const auto window = window_name(*panel);
        const bool shown = ImGui::Begin(window.c_str(), nullptr, locked_ ? ImGuiWindowFlags_NoMove : 0);
        if (raise_ && panel->id() == front_) raise();
        keep_content_width();
        if (shown) {
            ImGui::PushID(panel->id().data());
            panel->draw(document);
            ImGui::PopID();
        }
        ImGui::End();
    }
    raise_ = false;
    return inner;
}

} // namespace kg::ui
