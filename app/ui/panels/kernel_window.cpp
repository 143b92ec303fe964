#include "app/ui/panels/kernel_window.hpp"

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

constexpr int kMostCells = 31; ///< largest width and height of the grid
constexpr float kLeastCell = 52;
constexpr const char* kKernelWindow = "Kernel##large";

void place_window() {
    const auto* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(look().px(720), viewport->Size.x * 0.9f),
                              std::min(look().px(600), viewport->Size.y * 0.8f)},
                             ImGuiCond_Appearing);
}

} // namespace

/// The selected weight of the heat map, and the anchor.
void KernelWindow::draw_selected(const Kernel& kernel, KernelEdits& edits) {
    const int row = map_.row(), column = map_.column();
    double value = static_cast<double>(kernel.weights[static_cast<std::size_t>(row * kernel.width + column)]);
    const auto edit = number_field("selected", value,
                                   {.width = look().px(96),
                                    .tooltip = "The selected weight: type a number or a fraction, or drag",
                                    .step = step_of(kernel),
                                    .compact = true});
    edits.take(edit.changed, edit.finished,
               edit.changed ? with_weight(kernel, row, column, static_cast<float>(value)) : Kernel{});
    ImGui::SameLine();
    if (button("anchor", icon::kAnchor, "Anchor here", "The result is written to the pixel below the anchor"))
        edits.use(with_anchor(kernel, row, column), "Kernel anchor to row " + std::to_string(row + 1) +
                                                        ", column " + std::to_string(column + 1));
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    note("Row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1));
}

void KernelWindow::draw(const Kernel& kernel, KernelEdits& edits) {
    if (!open_) return;
    place_window();
    if (begin_floating(kKernelWindow, open_)) {
        const bool cells = kernel.width <= kMostCells && kernel.height <= kMostCells;
        const float footer = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
        const auto room = ImGui::GetContentRegionAvail();
        const float height = std::max(look().px(64), room.y - footer);
        if (cells) {
            draw_cells(kernel, {.least = look().px(kLeastCell), .height = height}, cells_, edits);
        } else {
            map_.draw(kernel, {std::max(look().px(64), room.x), height}, edits);
        }
        if (button("close", icon::kClose, "Close", "Escape")) open_ = false;
        ImGui::SameLine();
        if (cells) note(std::to_string(kernel.width) + " x " + std::to_string(kernel.height));
        else draw_selected(kernel, edits);
    }
    ImGui::End();
}

} // namespace kg::ui
