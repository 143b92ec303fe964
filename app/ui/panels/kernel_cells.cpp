#include "app/ui/panels/kernel_cells.hpp"

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"
#include "core/support/text.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kg::ui {

namespace {

constexpr float kNarrowCell = 32; ///< narrower cells have the narrow gap
constexpr float kGap = 2, kNarrowGap = 1;
constexpr float kColumnHeight = 264; ///< most of the column's grid: 11 rows in 24 pixels each

/// Where cells are drawn, and what they do to the grid.
struct Drawing {
    ImVec2 size;
    double step;
    CellsState& state;
    KernelEdits& edits;
    bool anchored;
    bool opens_menu = false;
};

std::string place(int i, int j) {
    return "row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1);
}

void move_anchor(const Kernel& kernel, int i, int j, KernelEdits& edits) {
    edits.use(with_anchor(kernel, i, j), "Kernel anchor to " + place(i, j));
}

/// Keys of a focused cell that is not open.
void cell_keys(const Kernel& kernel, int i, int j, bool anchored, KernelEdits& edits) {
    if (ImGui::GetActiveID() != 0 || ImGui::GetIO().KeyMods != 0) return;
    if (anchored && ImGui::IsKeyPressed(ImGuiKey_A, false)) move_anchor(kernel, i, j, edits);
    if (ImGui::IsKeyPressed(ImGuiKey_Delete, false)) edits.use(with_weight(kernel, i, j, 0), {});
}

void outline_item(Rgb colour, float thickness) {
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), colour_u32(colour),
                                        look().px(4), look().px(thickness));
}

void draw_cell(const Kernel& kernel, int i, int j, Drawing& drawing) {
    auto& edits = drawing.edits;
    const float weight = kernel.weights[static_cast<std::size_t>(i * kernel.width + j)];
    const bool anchor = drawing.anchored && i == kernel.anchor_y && j == kernel.anchor_x;
    const auto words =
        "Weight " + to_text(weight) + " at " + place(i, j) + (anchor ? ", the anchor" : "") +
        ". Type a number or a fraction such as 1/9; dragging changes it, and so does the wheel "
        "after a click" +
        (drawing.anchored ? ". A right click or A moves the anchor" : "");
    double value = static_cast<double>(weight);
    const auto edit = number_field("weight", value,
                                   {.width = drawing.size.x,
                                    .tooltip = words,
                                    .step = drawing.step,
                                    .compact = true,
                                    .height = drawing.size.y});
    const int cell = i * kernel.width + j;
    if (const auto text = open_text()) {
        drawing.state.text = text;
        outline_item(look().theme.accent, 2);
    }
    // As in a spreadsheet, Enter moves to the cell below.
    if (edit.finished && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter)))
        drawing.state.focus = std::min(i + 1, kernel.height - 1) * kernel.width + j;
    edits.take(edit.changed, edit.finished,
               edit.changed ? with_weight(kernel, i, j, static_cast<float>(value)) : Kernel{});
    if (ImGui::IsItemFocused()) {
        drawing.state.named = edits.cell = cell;
        cell_keys(kernel, i, j, drawing.anchored, edits);
    }
    if (ImGui::IsPopupOpenRequestForItem(ImGuiPopupFlags_MouseButtonRight, ImGui::GetItemID())) {
        drawing.state.menu = cell;
        drawing.opens_menu = true;
    }
    if (anchor) outline_item(look().theme.second, 1);
}

/// The menu of the cell whose menu is open.
void draw_cell_menu(const Kernel& kernel, bool anchored, CellsState& state, KernelEdits& edits) {
    if (!ImGui::BeginPopup("cell menu")) return;
    const int i = state.menu / kernel.width, j = state.menu % kernel.width;
    if (state.menu < 0 || i >= kernel.height) { // the kernel has become smaller
        ImGui::CloseCurrentPopup();
        return ImGui::EndPopup();
    }
    note("Weight at " + place(i, j));
    const auto entry = [](const char* icon, const char* label, const char* tooltip) {
        const bool chosen = ImGui::Selectable((std::string(icon) + "  " + label).c_str());
        help(tooltip);
        return chosen;
    };
    if (anchored &&
        entry(icon::kAnchor, "Anchor here", "The result is written to the pixel below the anchor (A)"))
        move_anchor(kernel, i, j, edits);
    if (entry(icon::kClose, "Set to 0", "Delete")) edits.use(with_weight(kernel, i, j, 0), {});
    if (entry(icon::kCopy, "Copy kernel", "As text with aligned columns (Ctrl+C)")) edits.copies = true;
    if (entry(icon::kPaste, "Paste kernel", "From text, CSV or JSON (Ctrl+V)")) edits.pastes = true;
    ImGui::EndPopup();
}

bool edits_text() { return ImGui::GetInputTextState(ImGui::GetActiveID()) != nullptr; }

} // namespace

ImVec4 weight_colour(float weight, float largest, float strength) {
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

double step_of(const Kernel& kernel) {
    bool integers = true;
    for (const float weight : kernel.weights) integers = integers && weight == std::round(weight);
    if (integers) return 1; // also where all are 0
    return std::pow(10.0, std::floor(std::log10(static_cast<double>(largest_weight(kernel)))) - 1);
}

void take_clipboard_keys(KernelEdits& edits) {
    if (!edits_text() && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C)) {
        ImGui::SetKeyOwner(ImGuiKey_C, ImGui::GetID("clipboard"), ImGuiInputFlags_LockThisFrame);
        edits.copies = true;
    }
    if (!ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_V)) return;
    if (edits_text()) {
        const auto* text = ImGui::GetClipboardText();
        if (text && parse_number(text)) return;
        ImGui::ClearActiveID();
    }
    ImGui::SetKeyOwner(ImGuiKey_V, ImGui::GetID("clipboard"), ImGuiInputFlags_LockThisFrame);
    edits.pastes = true;
}

float column_height(int rows) {
    const float most = look().px(kColumnHeight);
    return std::min(most, static_cast<float>(rows) * (ImGui::GetFrameHeight() + look().px(kGap)));
}

std::string cell_text(const Kernel& kernel, const CellsState& state) {
    const int anchor = kernel.anchor_y * kernel.width + kernel.anchor_x;
    const int cell = state.named >= 0 && state.named < kernel.width * kernel.height ? state.named : anchor;
    return capitalised(place(cell / kernel.width, cell % kernel.width)) + ": " +
           state.text.value_or(to_text(kernel.weights[static_cast<std::size_t>(cell)]));
}

ImVec2 least_size(const Kernel& kernel, float cell) {
    const float gap = look().px(kGap);
    return {static_cast<float>(kernel.width) * (cell + gap) + ImGui::GetStyle().ScrollbarSize,
            static_cast<float>(kernel.height) * (ImGui::GetFrameHeight() + gap)};
}

void draw_cells(const Kernel& kernel, const CellsLayout& layout, CellsState& state, KernelEdits& edits) {
    const bool in_window = layout.height > 0;
    const float columns = static_cast<float>(kernel.width), bar = ImGui::GetStyle().ScrollbarSize;
    const float room = ImGui::GetContentRegionAvail().x - (in_window ? bar : 0);
    const float gap = look().px(
        room / static_cast<float>(std::max(kernel.width, kernel.height)) < look().px(kNarrowCell) ? kNarrowGap
                                                                                                  : kGap);
    const float fitting = (room - gap * (columns - 1)) / columns;
    const bool scrolls = fitting < layout.least;
    const float height = in_window ? layout.height : column_height(kernel.height);
    const float row = in_window ? ImGui::GetFrameHeight()
                                : std::floor(height / static_cast<float>(kernel.height)) - gap;
    ImGui::BeginChild("cells", {0, height}, ImGuiChildFlags_NavFlattened,
                      scrolls ? ImGuiWindowFlags_HorizontalScrollbar : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look().px(4), ImGui::GetStyle().FramePadding.y});
    if (ImGui::IsWindowFocused()) take_clipboard_keys(edits);
    const int focus = std::exchange(state.focus, -1);
    state.text.reset();
    const float largest = largest_weight(kernel);
    Drawing drawing{{scrolls ? layout.least : std::floor(fitting), std::min(row, ImGui::GetFrameHeight())},
                    step_of(kernel),
                    state,
                    edits,
                    layout.anchored};
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j) {
            const int cell = i * kernel.width + j;
            if (j > 0) ImGui::SameLine();
            ImGui::PushID(cell);
            ImGui::PushStyleColor(
                ImGuiCol_FrameBg,
                weight_colour(kernel.weights[static_cast<std::size_t>(cell)], largest, 0.45f));
            draw_cell(kernel, i, j, drawing);
            if (focus == cell) {
                focus_item();
                ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleCenterX |
                                    ImGuiScrollFlags_KeepVisibleCenterY);
            }
            ImGui::PopStyleColor();
            ImGui::PopID();
        }
    ImGui::PopStyleVar(2);
    ImGui::EndChild();
    if (drawing.opens_menu) ImGui::OpenPopup("cell menu");
    draw_cell_menu(kernel, layout.anchored, state, edits);
}

void draw_weights_image(const Kernel& kernel, KernelEdits& edits) {
    const ImVec2 size{ImGui::GetContentRegionAvail().x, column_height(kernel.height)};
    const int points = std::min(96, std::max(kernel.width, kernel.height));
    const int columns = std::min(kernel.width, points), rows = std::min(kernel.height, points);
    const float cell = std::min(size.x / static_cast<float>(columns), size.y / static_cast<float>(rows));
    const float largest = largest_weight(kernel);
    const auto at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("weights", size, ImGuiButtonFlags_EnableNav);
    if (ImGui::IsItemFocused()) take_clipboard_keys(edits);
    help("The weights: blue is minus, orange is plus, stronger is larger");
    auto* draw = ImGui::GetWindowDrawList();
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const int i = y * kernel.height / rows, j = x * kernel.width / columns;
            const float weight =
                kernel.weights[static_cast<std::size_t>(i) * static_cast<std::size_t>(kernel.width) +
                               static_cast<std::size_t>(j)];
            // Whole pixels: without antialiased edges a weight takes two triangles instead of ten.
            const ImVec2 low{std::round(at.x + static_cast<float>(x) * cell),
                             std::round(at.y + static_cast<float>(y) * cell)},
                high{std::round(at.x + static_cast<float>(x + 1) * cell),
                     std::round(at.y + static_cast<float>(y + 1) * cell)};
            draw->AddRectFilled(low, high, ImGui::GetColorU32(weight_colour(weight, largest, 1)));
        }
}

} // namespace kg::ui
