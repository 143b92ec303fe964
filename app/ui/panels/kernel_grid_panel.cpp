// The selected step's weights as an editable grid, with size, divisor and offset.

#include "app/editor/document/document.hpp"
#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/widgets/parts.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

namespace kg::ui {

namespace {

constexpr const char* kNames[] = {"Gx", "Gy"}; ///< names of the two kernels of a gradient
constexpr int kMostCells = 15;                 ///< largest width; larger kernels are shown as an image
constexpr int kRowsShown = 9;                  ///< taller grids scroll
constexpr float kCellWidth = 44;               ///< minimum; wider grids scroll
constexpr int kDecimals = 3;

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

/// Edits made by the panel's widgets in this frame; applied at its end, when nothing refers to the old kernel
/// any more.
struct Edits {
    std::optional<Kernel> kernel;
    Gesture gesture = Gesture::whole;
    bool finished = false;
    int focus = -1; ///< the cell that gets the keyboard focus

    void take(const Edit& edit, Kernel next) {
        if (edit.changed) kernel = std::move(next), gesture = Gesture::ongoing;
        finished = finished || edit.finished;
    }
};

/// Step of the wheel: 1 where all weights are integers, else about a tenth of the largest.
double step_of(const Kernel& kernel) {
    bool integers = true;
    for (const float weight : kernel.weights) integers = integers && weight == std::round(weight);
    if (integers) return 1; // also where all are 0
    return std::pow(10.0, std::floor(std::log10(static_cast<double>(largest_weight(kernel)))) - 1);
}

void draw_cell(const Kernel& kernel, int i, int j, float width, double step, Edits& edits) {
    const float weight = kernel.weights[static_cast<std::size_t>(i * kernel.width + j)];
    const bool anchor = i == kernel.anchor_y && j == kernel.anchor_x;
    char words[200];
    std::snprintf(
        words, sizeof words,
        "Weight %.9g at row %d, column %d%s. Type a number or a fraction such as 1/9; dragging and the "
        "wheel change it, too",
        static_cast<double>(weight), i + 1, j + 1, anchor ? ", the anchor" : "");
    double value = static_cast<double>(weight);
    const auto edit = number_field(
        "weight", value,
        {.decimals = std::fabs(value) < 10 ? kDecimals : 1, .width = width, .tooltip = words, .step = step});
    // As in a spreadsheet, Enter moves to the cell below.
    if (edit.finished && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter)))
        edits.focus = std::min(i + 1, kernel.height - 1) * kernel.width + j;
    edits.take(edit, edit.changed ? with_weight(kernel, i, j, static_cast<float>(value)) : Kernel{});
    if (anchor)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            colour_u32(look().theme.second), look().px(4));
}

void draw_cells(const Kernel& kernel, bool editable, int focus, Edits& edits) {
    const float gap = look().px(2), largest = largest_weight(kernel), least = look().px(kCellWidth);
    const float fitting = (ImGui::GetContentRegionAvail().x - gap * static_cast<float>(kernel.width - 1)) /
                          static_cast<float>(kernel.width);
    const bool scrolls = fitting < least;
    const float width = scrolls ? least : std::floor(fitting);
    const float height = static_cast<float>(std::min(kernel.height, kRowsShown)) *
                             (ImGui::GetFrameHeight() + gap) +
                         (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::BeginChild("cells", {0, height}, ImGuiChildFlags_NavFlattened,
                      scrolls ? ImGuiWindowFlags_HorizontalScrollbar : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look().px(4), ImGui::GetStyle().FramePadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1); // read-only cells stay legible
    ImGui::BeginDisabled(!editable);
    const double step = step_of(kernel);
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j) {
            if (j > 0) ImGui::SameLine();
            ImGui::PushID(i * kernel.width + j);
            ImGui::PushStyleColor(
                ImGuiCol_FrameBg,
                tint(kernel.weights[static_cast<std::size_t>(i * kernel.width + j)], largest, 0.45f));
            draw_cell(kernel, i, j, width, step, edits);
            if (focus == i * kernel.width + j) focus_item();
            ImGui::PopStyleColor();
            ImGui::PopID();
        }
    ImGui::EndDisabled();
    ImGui::PopStyleVar(3);
    ImGui::EndChild();
}

/// Too many weights for numbers: one rectangle per weight, or a sample of the weights where those are smaller
/// than a point.
void draw_image(const Kernel& kernel) {
    const float side = ImGui::GetContentRegionAvail().x;
    const int points = std::min(96, std::max(kernel.width, kernel.height));
    const float cell = side / static_cast<float>(points), largest = largest_weight(kernel);
    const int columns = kernel.width <= points ? kernel.width : points,
              rows = kernel.height <= points ? kernel.height : points;
    const auto at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("weights", {side, cell * static_cast<float>(rows)}, ImGuiButtonFlags_EnableNav);
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

using Size = std::pair<int, int>;

/// A size takes effect when typing ends: while 15 is being typed, a 1 would drop weights. `typed` persists
/// across frames.
void draw_size(const Kernel& kernel, std::optional<Size>& typed, Edits& edits) {
    label("Size");
    double columns = kernel.width, rows = kernel.height;
    const float width = look().px(72);
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
        return static_cast<int>(std::clamp(number, 1.0, static_cast<double>(kMaxKernelSide)));
    };
    if (across.changed || down.changed) typed = {side(columns), side(rows)};
    if (!across.finished && !down.finished) return;
    if (typed && *typed != Size{kernel.width, kernel.height})
        edits.kernel = resized(kernel, typed->first, typed->second);
    typed.reset();
}

void draw_divisor(const Kernel& kernel, bool no_sum, Edits& edits) {
    label("Divisor");
    auto next = kernel;
    double divisor = static_cast<double>(kernel.divisor);
    auto edit = number_field(
        "divisor", divisor,
        {.decimals = 4, .width = look().px(72), .tooltip = "The sum of the products is divided by it"});
    next.divisor = static_cast<float>(divisor);
    edit.changed = edit.changed && next.divisor != 0; // while "0.5" is being typed
    edits.take(edit, std::move(next));
    ImGui::SameLine();
    ImGui::BeginDisabled(no_sum);
    if (button("sum", nullptr, "= |sum|",
               no_sum ? "Sum is 0: the result is signed"
                      : "Divide by the sum of the weights: the mean brightness stays"))
        edits.kernel = with_sum_divisor(kernel);
    ImGui::EndDisabled();
}

void draw_offset(const Kernel& kernel, bool no_sum, Edits& edits) {
    label("Offset");
    auto next = kernel;
    double offset = static_cast<double>(kernel.offset);
    const auto edit = number_field(
        "offset", offset,
        {.decimals = 4,
         .width = look().px(72),
         .tooltip = "Added after dividing, in units of full scale: 0.5 puts 0 in the middle"});
    next.offset = static_cast<float>(offset);
    edits.take(edit, std::move(next));
    ImGui::SameLine();
    if (no_sum && kernel.offset == 0) {
        if (button("half", nullptr, "Offset 0.5",
                   "Sum is 0: the result is signed. This shows 0 as middle grey")) {
            edits.kernel = kernel;
            edits.kernel->offset = 0.5f;
        }
    } else {
        ImGui::AlignTextToFramePadding();
        note(format_number(static_cast<double>(kernel.offset) * 255, 1) + " of 255");
    }
}

class KernelGridPanel final : public Panel {
public:
    std::string_view id() const override { return "kernel_grid"; }
    std::string_view title() const override { return "Kernel"; }
    std::string_view tooltip() const override { return "The selected step's weights"; }
    Place place() const override { return Place::left; }
    void draw(Document& document) override;

private:
    int shown_ = 0;  ///< index of the shown kernel
    int focus_ = -1; ///< the cell that gets the keyboard focus in the next frame
    std::optional<Size> typed_size_;
};

void KernelGridPanel::draw(Document& document) {
    const auto* stage = document.selected_stage();
    if (!stage) return;
    const auto& origin = document.origins()[static_cast<std::size_t>(document.selected())];
    heading("Kernel", origin ? "Custom, from " + std::string(find_filter(origin->filter).title)
                             : std::to_string(stage->kernels.front().width) + " x " +
                                   std::to_string(stage->kernels.front().height));
    if (!has_weights(*stage)) {
        note("Too many weights to list; they follow from the filter's values.");
        return;
    }

    const int count = static_cast<int>(stage->kernels.size());
    shown_ = std::min(shown_, count - 1);
    if (count > 1) choice("of", kNames, shown_, "Which of the step's two kernels to show");
    const auto& kernel = stage->kernels[static_cast<std::size_t>(shown_)];
    const bool editable = count == 1; // a custom step has one kernel
    Edits edits;
    if (kernel.width <= kMostCells && kernel.height <= kMostCells)
        draw_cells(kernel, editable, std::exchange(focus_, -1), edits);
    else draw_image(kernel);
    bool back = false;
    if (editable) {
        const bool no_sum = std::fabs(weight_sum(kernel)) < 1e-6;
        draw_size(kernel, typed_size_, edits);
        if (kernel.weights.size() <= kMostCells * kMostCells) {
            draw_divisor(kernel, no_sum, edits);
            draw_offset(kernel, no_sum, edits);
        }
        if (origin)
            back = button("back", icon::kUndo, "Back to " + std::string(find_filter(origin->filter).title),
                          "Forget the edited weights");
    } else {
        note("Two kernels, combined. Choose direction X or Y to edit one.");
    }
    focus_ = edits.focus;
    if (back) document.back_to_origin();
    else if (edits.kernel) document.set_kernel(*edits.kernel, edits.gesture);
    if (edits.finished) document.finish_gesture();
}

} // namespace

std::unique_ptr<Panel> make_kernel_grid_panel() { return std::make_unique<KernelGridPanel>(); }

} // namespace kg::ui
