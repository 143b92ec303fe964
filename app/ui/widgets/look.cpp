#include "app/ui/widgets/look.hpp"

#include <implot.h>

#include <cmath>

namespace kg::ui {

namespace {

/// Font sizes are specified by their em; ImGui counts from ascender to descender, which is 1.21 em in Inter
/// and 1.32 em in JetBrains Mono. So these are Inter 14, 12, 14, 20 and JetBrains Mono 13.
constexpr float points_of(TextStyle style) {
    switch (style) {
    case TextStyle::body:
    case TextStyle::heading: return 17;
    case TextStyle::secondary: return 15;
    case TextStyle::verdict: return 24;
    case TextStyle::number: return 17;
    }
    return 17;
}

ImFont* font_of(const Look& look, TextStyle style) {
    switch (style) {
    case TextStyle::body:
    case TextStyle::secondary: return look.body;
    case TextStyle::heading:
    case TextStyle::verdict: return look.semibold;
    case TextStyle::number: return look.mono;
    }
    return look.body;
}

constexpr ImVec4 kClear{0, 0, 0, 0};

void set_colours(ImVec4* c, const Theme& t) {
    c[ImGuiCol_Text] = colour(t.text);
    c[ImGuiCol_TextDisabled] = colour(t.disabled);
    c[ImGuiCol_WindowBg] = colour(t.panel);
    c[ImGuiCol_ChildBg] = kClear;
    c[ImGuiCol_PopupBg] = colour(t.field);
    c[ImGuiCol_Border] = colour(t.line);
    c[ImGuiCol_BorderShadow] = kClear;
    c[ImGuiCol_FrameBg] = colour(t.field);
    c[ImGuiCol_FrameBgHovered] = colour(t.hover);
    c[ImGuiCol_FrameBgActive] = colour(t.press);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = colour(t.panel);
    c[ImGuiCol_MenuBarBg] = colour(t.panel);
    c[ImGuiCol_ScrollbarBg] = kClear;
    c[ImGuiCol_ScrollbarGrab] = colour(t.line);
    c[ImGuiCol_ScrollbarGrabHovered] = colour(t.disabled);
    c[ImGuiCol_ScrollbarGrabActive] = colour(t.second);
    c[ImGuiCol_CheckMark] = colour(t.ink);
    c[ImGuiCol_CheckboxSelectedBg] = colour(t.accent);
    c[ImGuiCol_SliderGrab] = colour(t.second);
    c[ImGuiCol_SliderGrabActive] = colour(t.text);
    c[ImGuiCol_Button] = colour(t.field);
    c[ImGuiCol_ButtonHovered] = colour(t.hover);
    c[ImGuiCol_ButtonActive] = colour(t.press);
    c[ImGuiCol_Header] = colour(t.press);
    c[ImGuiCol_HeaderHovered] = colour(t.hover);
    c[ImGuiCol_HeaderActive] = colour(t.press);
    c[ImGuiCol_Separator] = colour(t.line);
    c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = colour(t.accent);
    c[ImGuiCol_ResizeGrip] = kClear;
    c[ImGuiCol_ResizeGripHovered] = colour(t.hover);
    c[ImGuiCol_ResizeGripActive] = colour(t.press);
    c[ImGuiCol_InputTextCursor] = colour(t.text);
    c[ImGuiCol_Tab] = c[ImGuiCol_TabDimmed] = colour(t.panel);
    c[ImGuiCol_TabHovered] = colour(t.hover);
    c[ImGuiCol_TabSelected] = c[ImGuiCol_TabDimmedSelected] = colour(t.field);
    c[ImGuiCol_TabSelectedOverline] = c[ImGuiCol_TabDimmedSelectedOverline] = colour(t.accent);
    c[ImGuiCol_DockingPreview] = colour(t.accent, 0.4f);
    c[ImGuiCol_DockingEmptyBg] = colour(t.surround);
    c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = colour(t.data_a);
    c[ImGuiCol_PlotLinesHovered] = c[ImGuiCol_PlotHistogramHovered] = colour(t.data_b);
    c[ImGuiCol_TableHeaderBg] = colour(t.panel);
    c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = colour(t.line);
    c[ImGuiCol_TableRowBg] = kClear;
    c[ImGuiCol_TableRowBgAlt] = colour(t.field, 0.4f);
    c[ImGuiCol_TextLink] = colour(t.accent);
    c[ImGuiCol_TextSelectedBg] = colour(t.accent, 0.35f);
    c[ImGuiCol_TreeLines] = colour(t.line);
    c[ImGuiCol_DragDropTarget] = colour(t.accent);
    c[ImGuiCol_DragDropTargetBg] = colour(t.accent, 0.1f);
    c[ImGuiCol_UnsavedMarker] = colour(t.text);
    c[ImGuiCol_NavCursor] = c[ImGuiCol_NavWindowingHighlight] = colour(t.accent);
    c[ImGuiCol_NavWindowingDimBg] = c[ImGuiCol_ModalWindowDimBg] = colour(t.surround, 0.6f);
}

/// With a text height of 17: a row of 28.
constexpr ImVec2 kFramePadding{8, 5.5f};

void set_sizes(ImGuiStyle& s) {
    s.WindowPadding = {12, 12};
    s.FramePadding = kFramePadding;
    s.ItemSpacing = {8, 6};
    s.ItemInnerSpacing = {8, 4};
    s.CellPadding = {8, 4};
    s.IndentSpacing = 16;
    s.ScrollbarSize = 10;
    s.ScrollbarPadding = 2;
    s.GrabMinSize = 12;
    s.FrameRounding = s.GrabRounding = s.TabRounding = s.MenuItemRounding = s.SelectableRounding = 4;
    s.DragDropTargetRounding = s.ImageRounding = s.TreeLinesRounding = 4;
    s.PopupRounding = s.ScrollbarRounding = 6;
    s.WindowRounding = s.ChildRounding = 0;
    s.WindowBorderSize = s.ChildBorderSize = s.PopupBorderSize = s.FrameBorderSize = s.TabBorderSize =
        s.ImageBorderSize = 0;
    s.TabBarBorderSize = 0;
    s.TabBarOverlineSize = 2;
    s.SeparatorTextBorderSize = 1;
    s.SeparatorTextPadding = {0, 4};
    s.WindowMinSize = {1, 1};
    s.DockingSeparatorSize = 4;
    s.DisabledAlpha = 0.5f;
    s.HoverDelayNormal = 0.5f;
    s.TabMinWidthBase = 0;
}

void set_plot_style(const Look& look) {
    auto& s = ImPlot::GetStyle();
    s = ImPlotStyle();
    const auto& t = look.theme;
    auto* c = s.Colors;
    c[ImPlotCol_FrameBg] = c[ImPlotCol_PlotBg] = c[ImPlotCol_PlotBorder] = c[ImPlotCol_AxisBg] = kClear;
    c[ImPlotCol_LegendBg] = colour(t.panel, 0.8f);
    c[ImPlotCol_LegendBorder] = kClear;
    c[ImPlotCol_LegendText] = c[ImPlotCol_AxisText] = colour(t.second);
    c[ImPlotCol_TitleText] = c[ImPlotCol_InlayText] = colour(t.text);
    c[ImPlotCol_AxisGrid] = c[ImPlotCol_AxisTick] = colour(t.line);
    c[ImPlotCol_AxisBgHovered] = colour(t.hover);
    c[ImPlotCol_AxisBgActive] = colour(t.press);
    c[ImPlotCol_Selection] = c[ImPlotCol_Crosshairs] = colour(t.accent);
    s.PlotBorderSize = 0;
    s.MajorTickLen = s.MinorTickLen = {0, 0};
    s.MajorGridSize = s.MinorGridSize = {std::fmax(1.0f, look.scale), std::fmax(1.0f, look.scale)};
    s.PlotPadding = {look.px(4), look.px(4)};
    s.LabelPadding = {look.px(4), look.px(4)};
    s.LegendPadding = {look.px(8), look.px(8)};
    s.PlotMinSize = {look.px(80), look.px(60)};
}

} // namespace

float Look::px(float length) const { return std::floor(length * scale); }

const Look& look() { return *static_cast<const Look*>(ImGui::GetIO().UserData); }

ImVec4 colour(Rgb c, float alpha) {
    return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255,
            alpha};
}

ImU32 colour_u32(Rgb c, float alpha) { return ImGui::GetColorU32(colour(c, alpha)); }

ScopedText::ScopedText(TextStyle style) {
    ImGui::PushFont(font_of(look(), style), points_of(style));
    if (style == TextStyle::secondary) {
        ImGui::PushStyleColor(ImGuiCol_Text, colour(look().theme.second));
        colours_ = 1;
    }
}

ScopedText::~ScopedText() {
    ImGui::PopStyleColor(colours_);
    ImGui::PopFont();
}

ScopedPopupColours::ScopedPopupColours() {
    ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().theme.panel));
    ImGui::PushStyleColor(ImGuiCol_Button, colour(look().theme.press));
}

ScopedPopupColours::~ScopedPopupColours() { ImGui::PopStyleColor(2); }

void apply_style(const Look& look) {
    auto& style = ImGui::GetStyle();
    style = ImGuiStyle();
    set_sizes(style);
    set_colours(style.Colors, look.theme);
    style.ScaleAllSizes(look.scale);
    // ScaleAllSizes drops the half, and with it a pixel of every row.
    style.FramePadding = kFramePadding * look.scale;
    style.FontSizeBase = points_of(TextStyle::body);
    style.FontScaleDpi = look.scale;
    set_plot_style(look);
}

} // namespace kg::ui
