#include "app/ui/panels/kernel_cells.hpp"

#include "app/editor/document/kernel_edits.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kg::ui {

namespace {

constexpr float kNarrowCell = 32; ///< narrower cells have the narrow gap
constexpr float kGap = 2, kNarrowGap = 1;
constexpr int kCellChannel = 0, kOpenChannel = 1;

/// Where cells are drawn, and what they do to the grid.
struct Drawing {
    float width;
    double step;
    CellsState& state;
    KernelEdits& edits;
    bool opens_menu = false;
};

std::string place(int i, int j) {
    return "row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1);
}

void move_anchor(const Kernel& kernel, int i, int j, KernelEdits& edits) {
    edits.use(with_anchor(kernel, i, j), "Kernel anchor to " + place(i, j));
}

/// Keys of a focused cell that is not open.
void cell_keys(const Kernel& kernel, int i, int j, KernelEdits& edits) {
    if (!ImGui::IsItemFocused()) return;
    edits.cell = i * kernel.width + j;
    if (ImGui::GetActiveID() != 0 || ImGui::GetIO().KeyMods != 0) return;
    if (ImGui::IsKeyPressed(ImGuiKey_A, false)) move_anchor(kernel, i, j, edits);
    if (ImGui::IsKeyPressed(ImGuiKey_Delete, false)) edits.use(with_weight(kernel, i, j, 0), {});
}

void draw_cell(const Kernel& kernel, int i, int j, Drawing& drawing) {
    auto& edits = drawing.edits;
    const float weight = kernel.weights[static_cast<std::size_t>(i * kernel.width + j)];
    const bool anchor = i == kernel.anchor_y && j == kernel.anchor_x;
    const auto words =
        "Weight " + to_text(weight) + " at " + place(i, j) + (anchor ? ", the anchor" : "") +
        ". Type a number or a fraction such as 1/9; dragging changes it, and so does the wheel "
        "after a click. A right click or A moves the anchor";
    double value = static_cast<double>(weight);
    const auto edit = number_field("weight", value,
                                   {.width = drawing.width,
                                    .tooltip = words,
                                    .step = drawing.step,
                                    .compact = true,
                                    .open_channel = kOpenChannel});
    // As in a spreadsheet, Enter moves to the cell below.
    if (edit.finished && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter)))
        drawing.state.focus = std::min(i + 1, kernel.height - 1) * kernel.width + j;
    edits.take(edit.changed, edit.finished,
               edit.changed ? with_weight(kernel, i, j, static_cast<float>(value)) : Kernel{});
    cell_keys(kernel, i, j, edits);
    if (ImGui::IsPopupOpenRequestForItem(ImGuiPopupFlags_MouseButtonRight, ImGui::GetItemID())) {
        drawing.state.menu = i * kernel.width + j;
        drawing.opens_menu = true;
    }
    if (anchor)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            colour_u32(look().theme.second), look().px(4));
}

/// The menu of the cell whose menu is open.
void draw_cell_menu(const Kernel& kernel, CellsState& state, KernelEdits& edits) {
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
    if (entry(icon::kAnchor, "Anchor here", "The result is written to the pixel below the anchor (A)"))
        move_anchor(kernel, i, j, edits);
    if (entry(icon::kClose, "Set to 0", "Delete")) edits.use(with_weight(kernel, i, j, 0), {});
    if (entry(icon::kCopy, "Copy kernel", "As text with aligned columns (Ctrl+C)")) edits.copies = true;
    if (entry(icon::kPaste, "Paste kernel", "From text, CSV or JSON (Ctrl+V)")) edits.pastes = true;
    ImGui::EndPopup();
}

bool is_typing() { return ImGui::GetInputTextState(ImGui::GetActiveID()) != nullptr; }

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
    if (!is_typing() && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C)) {
        ImGui::SetKeyOwner(ImGuiKey_C, ImGui::GetID("clipboard"), ImGuiInputFlags_LockThisFrame);
        edits.copies = true;
    }
    if (!ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_V)) return;
    if (is_typing()) {
        const auto* text = ImGui::GetClipboardText();
        if (text && parse_number(text)) return;
        ImGui::ClearActiveID();
    }
    ImGui::SetKeyOwner(ImGuiKey_V, ImGui::GetID("clipboard"), ImGuiInputFlags_LockThisFrame);
    edits.pastes = true;
}

float width_beside_scrollbar() {
    const float width = ImGui::GetContentRegionAvail().x;
    return ImGui::GetCurrentWindow()->ScrollbarY ? width : width - ImGui::GetStyle().ScrollbarSize;
}

ImVec2 least_size(const Kernel& kernel, float cell) {
    const float gap = look().px(kGap);
    return {static_cast<float>(kernel.width) * (cell + gap) + ImGui::GetStyle().ScrollbarSize,
            static_cast<float>(kernel.height) * (ImGui::GetFrameHeight() + gap)};
}

void draw_cells(const Kernel& kernel, const CellsLayout& layout, CellsState& state, KernelEdits& edits) {
    const float room = width_beside_scrollbar(), columns = static_cast<float>(kernel.width);
    const float gap = look().px(room / columns < look().px(kNarrowCell) ? kNarrowGap : kGap);
    const float fitting = (room - gap * (columns - 1)) / columns;
    const bool scrolls = fitting < layout.least;
    const float width = scrolls ? layout.least : std::floor(fitting), largest = largest_weight(kernel);
    const float rows = static_cast<float>(kernel.height) * (ImGui::GetFrameHeight() + gap) +
                       (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::BeginChild("cells", {0, layout.height > 0 ? layout.height : rows}, ImGuiChildFlags_NavFlattened,
                      scrolls ? ImGuiWindowFlags_HorizontalScrollbar : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look().px(4), ImGui::GetStyle().FramePadding.y});
    auto* draw = ImGui::GetWindowDrawList();
    draw->ChannelsSplit(2);
    draw->ChannelsSetCurrent(kCellChannel);
    if (ImGui::IsWindowFocused()) take_clipboard_keys(edits);
    const int focus = std::exchange(state.focus, -1);
    Drawing drawing{width, step_of(kernel), state, edits};
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
    draw->ChannelsMerge();
    ImGui::PopStyleVar(2);
    ImGui::EndChild();
    if (drawing.opens_menu) ImGui::OpenPopup("cell menu");
    draw_cell_menu(kernel, state, edits);
}

void draw_weights_image(const Kernel& kernel, KernelEdits& edits) {
    const float side = width_beside_scrollbar();
    const int points = std::min(96, std::max(kernel.width, kernel.height));
    const float cell = side / static_cast<float>(points), largest = largest_weight(kernel);
    const int columns = std::min(kernel.width, points), rows = std::min(kernel.height, points);
    const auto at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("weights", {side, std::max(look().px(24), cell * static_cast<float>(rows))},
                           ImGuiButtonFlags_EnableNav);
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
