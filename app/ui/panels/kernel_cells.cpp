#include "app/ui/panels/kernel_cells.hpp"

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/widgets/parts.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kg::ui {

namespace {

constexpr float kNarrowCell = 32; ///< narrower cells have the narrow gap
constexpr int kCellChannel = 0, kOpenChannel = 1;

/// Tints the field with the data hue of minus or plus, in proportion to the weight.
ImVec4 tint(float weight, float largest, float strength) {
    const auto& theme = look().theme;
    const auto field = colour(theme.field), hue = colour(weight < 0 ? theme.data_a : theme.data_b);
    const float t = largest > 0 ? strength * std::fabs(weight) / largest : 0;
    return {field.x + (hue.x - field.x) * t, field.y + (hue.y - field.y) * t, field.z + (hue.z - field.z) * t,
            1};
}

float largest_weight(const Kernel& kernel) {
    float largest = 0;
    for (const float weight : kernel.weights) largest = std::max(largest, std::fabs(weight));
    return largest;
}

/// Step of the wheel: 1 where all weights are integers, else about a tenth of the largest.
double step_of(const Kernel& kernel) {
    bool integers = true;
    for (const float weight : kernel.weights) integers = integers && weight == std::round(weight);
    if (integers) return 1; // also where all are 0
    return std::pow(10.0, std::floor(std::log10(static_cast<double>(largest_weight(kernel)))) - 1);
}

void draw_cell(const Kernel& kernel, int i, int j, float width, double step, KernelEdits& edits) {
    const float weight = kernel.weights[static_cast<std::size_t>(i * kernel.width + j)];
    const bool anchor = i == kernel.anchor_y && j == kernel.anchor_x;
    char words[200];
    std::snprintf(
        words, sizeof words,
        "Weight %.9g at row %d, column %d%s. Type a number or a fraction such as 1/9; dragging changes "
        "it, and so does the wheel after a click",
        static_cast<double>(weight), i + 1, j + 1, anchor ? ", the anchor" : "");
    double value = static_cast<double>(weight);
    const auto edit = number_field(
        "weight", value,
        {.width = width, .tooltip = words, .step = step, .compact = true, .open_channel = kOpenChannel});
    // As in a spreadsheet, Enter moves to the cell below.
    if (edit.finished && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter)))
        edits.focus = std::min(i + 1, kernel.height - 1) * kernel.width + j;
    edits.take(edit.changed, edit.finished,
               edit.changed ? with_weight(kernel, i, j, static_cast<float>(value)) : Kernel{});
    if (anchor)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            colour_u32(look().theme.second), look().px(4));
}

} // namespace

float width_beside_scrollbar() {
    const float width = ImGui::GetContentRegionAvail().x;
    return ImGui::GetCurrentWindow()->ScrollbarY ? width : width - ImGui::GetStyle().ScrollbarSize;
}

void draw_cells(const Kernel& kernel, const CellsLayout& layout, KernelEdits& edits) {
    const float room = width_beside_scrollbar(), columns = static_cast<float>(kernel.width);
    const float gap = look().px(room / columns < look().px(kNarrowCell) ? 1 : 2);
    const float fitting = (room - gap * (columns - 1)) / columns;
    const bool scrolls = fitting < layout.least;
    const float width = scrolls ? layout.least : std::floor(fitting), largest = largest_weight(kernel);
    const float rows = static_cast<float>(kernel.height) * (ImGui::GetFrameHeight() + gap) +
                       (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::BeginChild("cells", {0, layout.height > 0 ? layout.height : rows}, ImGuiChildFlags_NavFlattened,
                      scrolls ? ImGuiWindowFlags_HorizontalScrollbar : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look().px(4), ImGui::GetStyle().FramePadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1); // read-only cells stay legible
    ImGui::BeginDisabled(!layout.editable);
    auto* draw = ImGui::GetWindowDrawList();
    draw->ChannelsSplit(2);
    draw->ChannelsSetCurrent(kCellChannel);
    const double step = step_of(kernel);
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j) {
            const int cell = i * kernel.width + j;
            if (j > 0) ImGui::SameLine();
            ImGui::PushID(cell);
            ImGui::PushStyleColor(ImGuiCol_FrameBg,
                                  tint(kernel.weights[static_cast<std::size_t>(cell)], largest, 0.45f));
            draw_cell(kernel, i, j, width, step, edits);
            if (layout.focus == cell) focus_item();
            ImGui::PopStyleColor();
            ImGui::PopID();
        }
    draw->ChannelsMerge();
    ImGui::EndDisabled();
    ImGui::PopStyleVar(3);
    ImGui::EndChild();
}

void draw_weights_image(const Kernel& kernel) {
    const float side = width_beside_scrollbar();
    const int points = std::min(96, std::max(kernel.width, kernel.height));
    const float cell = side / static_cast<float>(points), largest = largest_weight(kernel);
    const int columns = std::min(kernel.width, points), rows = std::min(kernel.height, points);
    const auto at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("weights", {side, std::max(look().px(24), cell * static_cast<float>(rows))},
                           ImGuiButtonFlags_EnableNav);
    help("The weights: blue is minus, orange is plus, stronger is larger");
    auto* draw = ImGui::GetWindowDrawList();
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const int i = y * kernel.height / rows, j = x * kernel.width / columns;
            const float weight =
                kernel.weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(kernel.width) +
                               static_cast<std::size_t>(j)];
            const ImVec2 corner{at.x + static_cast<float>(x) * cell, at.y + static_cast<float>(y) * cell};
            draw->AddRectFilled(corner, {corner.x + cell, corner.y + cell},
                                ImGui::GetColorU32(tint(weight, largest, 1)));
        }
}

} // namespace kg::ui
