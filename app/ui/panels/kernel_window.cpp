#include "app/ui/panels/kernel_window.hpp"

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

constexpr int kMostCells = 31; ///< largest width and height of the grid
constexpr float kLeastCell = 52;
constexpr ImVec2 kUsual{720, 600};    ///< its size where cells need no more
constexpr float kMostOfWindow = 0.9f; ///< share of the program's window
constexpr const char* kKernelWindow = "Kernel##large";

bool has_cells(const Kernel& kernel) { return kernel.width <= kMostCells && kernel.height <= kMostCells; }

/// The line below the cells.
float footer_height() { return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y; }

void place_window(const Kernel& kernel) {
    const auto* viewport = ImGui::GetMainViewport();
    ImVec2 size{look().px(kUsual.x), look().px(kUsual.y)};
    if (has_cells(kernel)) {
        const auto cells = least_size(kernel, look().px(kLeastCell));
        const float around = 2 * look().px(kFloatingPadding), title = ImGui::GetFrameHeight();
        size.x = std::max(size.x, cells.x + around);
        size.y = std::max(size.y, cells.y + around + title + footer_height());
    }
    ImGui::SetNextWindowPos(viewport->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({std::min(size.x, viewport->Size.x * kMostOfWindow),
                              std::min(size.y, viewport->Size.y * kMostOfWindow)},
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
    if (opening_ > 0) {
        --opening_;
        cells_.focus = kernel.anchor_y * kernel.width + kernel.anchor_x;
        map_.select(kernel.anchor_y, kernel.anchor_x);
    }
    place_window(kernel);
    if (begin_floating(kKernelWindow, open_)) {
        const bool cells = has_cells(kernel);
        const auto room = ImGui::GetContentRegionAvail();
        const float height = std::max(look().px(64), room.y - footer_height());
        if (cells) {
            draw_cells(kernel, {.least = look().px(kLeastCell), .height = height}, cells_, edits);
        } else {
            map_.draw(kernel, {std::max(look().px(64), room.x), height}, edits);
        }
        if (button("close", icon::kClose, "Close", "Escape")) open_ = false;
        ImGui::SameLine();
        if (cells) note(cell_text(kernel, cells_));
        else draw_selected(kernel, edits);
    }
    ImGui::End();
}

} // namespace kg::ui
