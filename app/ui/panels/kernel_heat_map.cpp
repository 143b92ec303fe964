#include "app/ui/panels/kernel_heat_map.hpp"

#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace kg::ui {

namespace {

constexpr float kLargestCell = 64, kSmallestDrawn = 4; ///< sizes of weights
constexpr float kNumberCell = 44;                      ///< larger weights show their numbers
constexpr float kZoomStep = 1.25f;

float weight_at(const Kernel& kernel, int row, int column) {
    return kernel.weights[static_cast<std::size_t>(row) * static_cast<std::size_t>(kernel.width) +
                          static_cast<std::size_t>(column)];
}

} // namespace

ImVec2 KernelHeatMap::corner(float column, float row) const {
    return {at_.x + size_.x / 2 + (column - centre_.x) * cell(),
            at_.y + size_.y / 2 + (row - centre_.y) * cell()};
}

void KernelHeatMap::zoom_at(ImVec2 pointer, float factor) {
    const float before = cell(), largest = std::max(1.0f, look().px(kLargestCell) / fit_);
    zoom_ = std::clamp(zoom_ * factor, 1.0f, largest);
    // The weight under the pointer stays there.
    const float moved = 1 / before - 1 / cell();
    centre_.x += (pointer.x - at_.x - size_.x / 2) * moved;
    centre_.y += (pointer.y - at_.y - size_.y / 2) * moved;
}

void KernelHeatMap::keep_inside(const Kernel& kernel) {
    const auto clamped = [this](float centre, int count, float size) {
        const float all = static_cast<float>(count), half = size / 2 / cell();
        return 2 * half >= all ? all / 2 : std::clamp(centre, half, all - half);
    };
    centre_ = {clamped(centre_.x, kernel.width, size_.x), clamped(centre_.y, kernel.height, size_.y)};
    row_ = std::clamp(row_, 0, kernel.height - 1);
    column_ = std::clamp(column_, 0, kernel.width - 1);
}

/// The pointer over the item: zoom, pan, selection, and the weight as a tooltip.
void KernelHeatMap::point(const Kernel& kernel) {
    const auto& io = ImGui::GetIO();
    const auto delta = io.MouseDelta;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        centre_.x -= delta.x / cell();
        centre_.y -= delta.y / cell();
    }
    const auto origin = corner(0, 0);
    const int column = static_cast<int>(std::floor((io.MousePos.x - origin.x) / cell())),
              row = static_cast<int>(std::floor((io.MousePos.y - origin.y) / cell()));
    const bool over = row >= 0 && row < kernel.height && column >= 0 && column < kernel.width;
    if (ImGui::IsItemDeactivated() && !ImGui::IsMouseDragPastThreshold(ImGuiMouseButton_Left) && over &&
        ImGui::IsItemHovered())
        row_ = row, column_ = column;
    if (!ImGui::IsItemHovered()) return;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) zoom_ = 1;
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (io.MouseWheel != 0) zoom_at(io.MousePos, std::pow(kZoomStep, io.MouseWheel));
    if (over)
        help("Weight " + to_text(weight_at(kernel, row, column)) + " at row " + std::to_string(row + 1) +
             ", column " + std::to_string(column + 1) +
             ". The wheel zooms, a drag pans, a click selects, a double click fits");
}

/// Keys of the focused item: the arrows select, and do not move to other items.
void KernelHeatMap::keys(const Kernel& kernel) {
    const auto pressed = [item = ImGui::GetItemID()](ImGuiKey key) -> int {
        ImGui::SetKeyOwner(key, item);
        return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, item);
    };
    const int down = pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
    const int right = pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow);
    row_ = std::clamp(row_ + down, 0, kernel.height - 1);
    column_ = std::clamp(column_ + right, 0, kernel.width - 1);
    if (down != 0 || right != 0) {
        const auto place = corner(static_cast<float>(column_), static_cast<float>(row_));
        if (place.x < at_.x || place.y < at_.y || place.x + cell() > at_.x + size_.x ||
            place.y + cell() > at_.y + size_.y)
            centre_ = {static_cast<float>(column_) + 0.5f, static_cast<float>(row_) + 0.5f};
    }
    const int zoom = pressed(ImGuiKey_Equal) + pressed(ImGuiKey_KeypadAdd) - pressed(ImGuiKey_Minus) -
                     pressed(ImGuiKey_KeypadSubtract);
    if (zoom != 0)
        zoom_at(corner(static_cast<float>(column_) + 0.5f, static_cast<float>(row_) + 0.5f),
                std::pow(kZoomStep, static_cast<float>(zoom)));
}

void KernelHeatMap::outline(int row, int column, ImU32 colour, float thickness) const {
    const auto from = corner(static_cast<float>(column), static_cast<float>(row));
    const float side = std::max(cell(), look().px(4)); // visible also where weights are points
    ImGui::GetWindowDrawList()->AddRect(from, {from.x + side, from.y + side}, colour, 0, thickness);
}

/// The visible weights, or a sample of them where they are smaller than kSmallestDrawn.
void KernelHeatMap::draw_weights(const Kernel& kernel) const {
    const int stride = std::max(1, static_cast<int>(std::ceil(look().px(kSmallestDrawn) / cell())));
    const auto first = [&](float centre, float size) {
        const int visible = std::max(0, static_cast<int>(centre - size / 2 / cell()));
        return visible / stride * stride;
    };
    const float largest = largest_weight(kernel), side = cell() * static_cast<float>(stride);
    const bool numbers = stride == 1 && cell() >= look().px(kNumberCell);
    auto* draw = ImGui::GetWindowDrawList();
    for (int i = first(centre_.y, size_.y); i < kernel.height; i += stride)
        for (int j = first(centre_.x, size_.x); j < kernel.width; j += stride) {
            const auto from = corner(static_cast<float>(j), static_cast<float>(i));
            if (from.y > at_.y + size_.y) return;
            if (from.x > at_.x + size_.x) break;
            const float weight = weight_at(kernel, i, j);
            draw->AddRectFilled(from, {from.x + side, from.y + side},
                                ImGui::GetColorU32(weight_colour(weight, largest, numbers ? 0.45f : 1)));
            if (!numbers) continue;
            const auto text = compact_number(static_cast<double>(weight), 5);
            draw_text({from.x + look().px(4), from.y + (side - ImGui::GetTextLineHeight()) / 2},
                      colour_u32(look().theme.text), text);
        }
}

void KernelHeatMap::draw(const Kernel& kernel, ImVec2 size, KernelEdits& edits) {
    at_ = ImGui::GetCursorScreenPos();
    size_ = size;
    fit_ = std::min({size.x / static_cast<float>(kernel.width), size.y / static_cast<float>(kernel.height),
                     look().px(kLargestCell)});
    ImGui::InvisibleButton("heat map", size, ImGuiButtonFlags_EnableNav);
    const auto item = ImGui::GetItemID();
    keep_inside(kernel);
    if (ImGui::IsItemFocused()) {
        take_clipboard_keys(edits);
        keys(kernel);
        edits.cell = row_ * kernel.width + column_;
    }
    point(kernel);
    keep_inside(kernel);
    const ImRect box(at_, {at_.x + size.x, at_.y + size.y});
    ImGui::PushClipRect(box.Min, box.Max, true);
    const ScopedText style(TextStyle::number);
    draw_weights(kernel);
    outline(kernel.anchor_y, kernel.anchor_x, colour_u32(look().theme.second), look().px(1));
    outline(row_, column_, colour_u32(look().theme.accent), look().px(2));
    ImGui::PopClipRect();
    ImGui::RenderNavCursor(box, item);
}

} // namespace kg::ui
