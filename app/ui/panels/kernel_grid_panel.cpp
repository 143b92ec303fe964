// The selected step's weights as an editable grid, with size, divisor and offset.

#include "app/editor/document/document.hpp"
#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/panels/kernel_cells.hpp"
#include "app/ui/panels/kernel_menu.hpp"
#include "app/ui/panels/kernel_window.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/parts.hpp"
#include "filters/kernel_text.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace kg::ui {

namespace {

constexpr const char* kNames[] = {"Gx", "Gy"}; ///< names of the two kernels of a gradient

using Size = std::pair<int, int>;

/// Continues the line where a button with this text fits.
void same_line_if_fits(const std::string& text) {
    const auto& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (ImGui::GetItemRectMax().x + width <= right) ImGui::SameLine();
}

/// A size takes effect when typing ends: while 15 is being typed, a 1 would drop weights. `typed` persists
/// across frames.
void draw_size(const Kernel& kernel, std::optional<Size>& typed, KernelEdits& edits) {
    label("Size");
    double columns = kernel.width, rows = kernel.height;
    const float width = look().px(44);
    const auto across = number_field(
        "columns", columns,
        {.decimals = 0, .width = width, .tooltip = "Columns; new weights are 0, weights outside are lost"});
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("x");
    ImGui::SameLine();
    const auto down = number_field(
        "rows", rows,
        {.decimals = 0, .width = width, .tooltip = "Rows; new weights are 0, weights outside are lost"});
    const auto side = [](double number) {
        return static_cast<int>(std::clamp(number, 1.0, static_cast<double>(kMaxKernelSize)));
    };
    if (across.changed || down.changed) typed = {side(columns), side(rows)};
    if (!across.finished && !down.finished) return;
    if (typed && *typed != Size{kernel.width, kernel.height})
        edits.kernel = resized(kernel, typed->first, typed->second);
    typed.reset();
}

void draw_divisor(const Kernel& kernel, bool no_sum, bool is_single, KernelEdits& edits) {
    label("Divisor");
    auto next = kernel;
    double divisor = static_cast<double>(kernel.divisor);
    auto edit = number_field(
        "divisor", divisor,
        {.width = look().px(72), .tooltip = "The sum of the products is divided by it", .compact = true});
    next.divisor = static_cast<float>(divisor);
    edit.changed = edit.changed && next.divisor != 0; // while "0.5" is being typed
    edits.take(edit.changed, edit.finished, std::move(next));
    ImGui::SameLine();
    ImGui::BeginDisabled(no_sum);
    const auto* why_not = is_single ? "Sum is 0: the result is signed" : "Sum is 0";
    if (button("sum", nullptr, "= |sum|",
               no_sum ? why_not : "Divide by the sum of the weights: the mean brightness stays"))
        edits.kernel = with_sum_divisor(kernel);
    ImGui::EndDisabled();
}

/// `white`: full scale of the image.
void draw_offset(const Kernel& kernel, bool no_sum, double white, KernelEdits& edits) {
    label("Offset");
    auto next = kernel;
    double offset = static_cast<double>(kernel.offset);
    const auto edit = number_field(
        "offset", offset,
        {.width = look().px(72),
         .tooltip = "Added after dividing, in units of full scale: 0.5 puts 0 in the middle",
         .compact = true});
    next.offset = static_cast<float>(offset);
    edits.take(edit.changed, edit.finished, std::move(next));
    ImGui::SameLine();
    if (no_sum && kernel.offset == 0) {
        if (button("half", nullptr, "Offset 0.5",
                   "Sum is 0: the result is signed. This shows 0 as middle grey")) {
            edits.kernel = kernel;
            edits.kernel->offset = 0.5f;
        }
    } else {
        ImGui::AlignTextToFramePadding();
        note(format_number(static_cast<double>(kernel.offset) * white, 1) + " of " + format_number(white, 0));
    }
}

/// A matrix becomes the kernel; a single number the weight of the cell with the focus.
void paste(Document& document, const Kernel& kernel, int cell, OfTwo of_two) {
    const auto* clipboard = ImGui::GetClipboardText();
    const std::string text = clipboard ? clipboard : "";
    if (const auto number = parse_number(text); number && cell >= 0) {
        document.finish_gesture();
        return document.set_kernel(
            with_weight(kernel, cell / kernel.width, cell % kernel.width, static_cast<float>(*number)),
            Gesture::whole, {}, of_two);
    }
    document.paste_kernel(text, of_two);
}

class KernelGridPanel final : public Panel {
public:
    std::string_view id() const override { return "kernel_grid"; }
    std::string_view title() const override { return "Kernel"; }
    std::string_view tooltip() const override { return "The selected step's weights"; }
    Place place() const override { return Place::left; }
    void draw(Document& document) override;

private:
    void draw_head(Document& document, const Kernel& kernel, OfTwo of_two, KernelEdits& edits);
    void draw_weights(const Kernel& kernel, KernelEdits& edits);

    int shown_ = 0; ///< index of the shown kernel
    CellsState cells_;
    KernelMenu menu_;
    KernelWindow window_;
    std::optional<Size> typed_size_;
};

/// What concerns the whole kernel stands above the weights: it stays where it is at any size.
void KernelGridPanel::draw_head(Document& document, const Kernel& kernel, OfTwo of_two, KernelEdits& edits) {
    if (!has_title_bar()) {
        heading_beside("Kernel");
        ImGui::SameLine();
    }
    menu_.draw(document, kernel, of_two, edits);
    ImGui::SameLine();
    if (button("copy", icon::kCopy, {}, "Copy the kernel as text with aligned columns (Ctrl+C on the grid)"))
        edits.copies = true;
    same_line_if_fits(icon::kPaste + std::string("  Paste"));
    if (button("paste", icon::kPaste, "Paste", "A matrix from text, CSV or JSON becomes the kernel (Ctrl+V)"))
        edits.pastes = true;
    if (of_two)
        choice("of", kNames, shown_, "Which of the step's two kernels to show and edit; the other one stays");
    draw_size(kernel, typed_size_, edits);
    same_line_if_fits("Enlarge");
    if (button("large", nullptr, "Enlarge", "Cells up to 31 x 31 in a window, a heat map with zoom above"))
        edits.enlarges = true;
}

void KernelGridPanel::draw_weights(const Kernel& kernel, KernelEdits& edits) {
    const bool cells = std::max(kernel.width, kernel.height) <= kMostColumnCells;
    note(shortened(cells ? cell_text(kernel, cells_) : "Minus is blue, plus is orange",
                   ImGui::GetContentRegionAvail().x));
    if (cells) draw_cells(kernel, {}, cells_, edits);
    else draw_weights_image(kernel, edits);
}

void KernelGridPanel::draw(Document& document) {
    const auto* stage = document.selected_stage();
    if (!stage) return;
    const auto& origin = document.origins()[static_cast<std::size_t>(document.selected())];
    const int count = static_cast<int>(stage->kernels.size());
    shown_ = std::min(shown_, count - 1);
    if (!has_weights(*stage)) {
        heading(has_title_bar() ? "" : "Kernel");
        note("Too many weights to list; they follow from the filter's values.");
        return;
    }
    const auto& kernel = stage->kernels[static_cast<std::size_t>(shown_)];
    const auto of_two = count > 1 ? OfTwo(shown_) : std::nullopt;
    const auto& image = document.image();
    const bool no_sum = std::fabs(weight_sum(kernel)) < 1e-6;
    KernelEdits edits;
    draw_head(document, kernel, of_two, edits);
    draw_weights(kernel, edits);
    draw_divisor(kernel, no_sum, count == 1, edits);
    if (count == 1) // two kernels share an offset, which is one of the step's parameters
        draw_offset(kernel, no_sum, image ? full_scale(image->pixels.format()) : 1, edits);
    const bool back = origin &&
                      button("back", icon::kUndo, "Back to " + std::string(find_filter(origin->filter).title),
                             "Forget the edited weights");
    if (document.take_wanted_kernel_window() || edits.enlarges) window_.open();
    window_.draw(kernel, edits);
    if (edits.copies) ImGui::SetClipboardText(to_format(kernel, KernelFormat::text).c_str());
    if (edits.pastes) paste(document, Kernel(kernel), edits.cell, of_two);
    else if (back) document.back_to_origin();
    else if (edits.kernel) document.set_kernel(*edits.kernel, edits.gesture, edits.name, of_two);
    if (edits.finished) document.finish_gesture();
}

} // namespace

std::unique_ptr<Panel> make_kernel_grid_panel() { return std::make_unique<KernelGridPanel>(); }

} // namespace kg::ui
