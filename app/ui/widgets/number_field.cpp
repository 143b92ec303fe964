// A number field; as a cell of a grid it also takes drags, the wheel and direct typing.

#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace kg::ui {

namespace {

constexpr float kPixelsPerStep = 4, kClickSlop = 4;
constexpr float kWheelPause = 0.5f; ///< seconds without the wheel that end its gesture
constexpr std::string_view kNumberCharacters = "0123456789.-+/";

/// State of a field between frames, in its window's storage, under keys beside its own.
float& stored(ImGuiID item, ImGuiID which) { return *ImGui::GetStateStorage()->GetFloatRef(item + which, 0); }
constexpr ImGuiID kDragBegan = 1, kWheelLeft = 2;

/// Claims the characters that begin a number while the field has the keyboard: they do nothing else then.
void claim_keys(ImGuiID item) {
    for (int key = ImGuiKey_0; key <= ImGuiKey_9; ++key)
        ImGui::SetShortcutRouting(key, ImGuiInputFlags_RouteFocused, item);
}

/// The characters of a number typed in this frame at the focused field.
std::string typed_over(ImGuiID item) {
    std::string typed;
    const auto& g = *ImGui::GetCurrentContext();
    if (g.NavId != item || g.NavWindow != g.CurrentWindow || g.ActiveId != 0) return typed;
    claim_keys(item);
    for (const auto c : ImGui::GetIO().InputQueueCharacters)
        if (c < 128 && kNumberCharacters.find(static_cast<char>(c)) != std::string_view::npos)
            typed += static_cast<char>(c);
    return typed;
}

void open_for_typing(ImGuiID item) {
    auto& g = *ImGui::GetCurrentContext();
    g.NavActivateId = item;
    g.NavActivateFlags = ImGuiActivateFlags_PreferInput;
}

/// Handles dragging and the wheel. `opens` = a click without a drag.
Edit dragged(const ImRect& box, ImGuiID item, bool hovered, double step, double& value, bool& opens) {
    Edit edit;
    auto* window = ImGui::GetCurrentWindow();
    const auto& io = ImGui::GetIO();
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left, ImGuiInputFlags_None, item)) {
        ImGui::SetKeyOwner(ImGuiKey_MouseLeft, item);
        ImGui::SetActiveID(item, window);
        ImGui::SetFocusID(item, window);
        ImGui::FocusWindow(window);
        stored(item, kDragBegan) = static_cast<float>(value);
    }
    const auto set = [&](double next) {
        next = std::round(next / step) * step;
        if (next == value) return;
        value = next;
        edit.changed = true;
    };
    if (ImGui::GetActiveID() == item) {
        const bool drags = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] >= kClickSlop * kClickSlop;
        if (drags) {
            const auto steps = std::round(ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x / kPixelsPerStep);
            if (steps != 0 || value != static_cast<double>(stored(item, kDragBegan)))
                set(static_cast<double>(stored(item, kDragBegan)) + static_cast<double>(steps) * step);
        }
        if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
            ImGui::ClearActiveID();
            opens = !drags && box.Contains(io.MousePos);
            edit.finished = drags;
        }
    }
    auto& left = stored(item, kWheelLeft);
    if (left > 0) {
        left -= io.DeltaTime;
        edit.finished = edit.finished || left <= 0;
    }
    if (hovered) {
        ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY); // keeps the column from scrolling
        if (io.MouseWheel != 0) {
            set(value + static_cast<double>(io.MouseWheel) * step);
            left = kWheelPause;
        }
    }
    return edit;
}

void open_field(ImGuiID item) {
    auto* window = ImGui::GetCurrentWindow();
    ImGui::SetKeyOwner(ImGuiKey_MouseLeft, item);
    ImGui::SetActiveID(item, window);
    ImGui::SetFocusID(item, window);
    ImGui::FocusWindow(window);
    open_for_typing(item);
}

/// The open field; `typed` is entered after what it shows.
void type_in(const ImRect& box, const char* id, const std::string& shown, const std::string& typed,
             double& value, Edit& edit) {
    const auto item = ImGui::GetCurrentWindow()->GetID(id);
    char text[48];
    ImStrncpy(text, shown.c_str(), sizeof text);
    if (ImGui::TempInputText(box, item, id, text, sizeof text, ImGuiInputTextFlags_AutoSelectAll)) {
        if (const auto number = parse_number(text); number && *number != value) {
            value = *number;
            edit.changed = true;
        }
    }
    edit.finished = ImGui::IsItemDeactivatedAfterEdit();
    if (auto* state = ImGui::GetInputTextState(item))
        for (const char c : typed) state->OnCharPressed(static_cast<unsigned char>(c));
}

void draw_number(const ImRect& box, ImGuiID item, const std::string& shown, bool hovered) {
    const auto& s = ImGui::GetStyle();
    ImGui::RenderNavCursor(box, item);
    ImGui::RenderFrame(box.Min, box.Max,
                       ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), false,
                       s.FrameRounding);
    const auto size = size_of(shown);
    const ImVec2 corner{std::max(box.Min.x + s.FramePadding.x / 2, box.Max.x - s.FramePadding.x - size.x),
                        std::floor(box.Min.y + (box.GetHeight() - size.y) / 2)};
    draw_text_in(corner, box.Max.x, shown);
}

} // namespace

void focus_item() {
    ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
    ImGui::SetNavCursorVisible(true);
}

Edit number_field(const char* id, double& value, const NumberSpec& spec) {
    auto* window = ImGui::GetCurrentWindow();
    if (window->SkipItems) return {};
    const ScopedText style(TextStyle::number);
    const auto& s = ImGui::GetStyle();
    const auto item = window->GetID(id);
    const auto at = window->DC.CursorPos;
    const ImRect box(at, {at.x + spec.width, at.y + row_height()});
    // The row has the height of body text, whose font is larger.
    ImGui::ItemSize(box, s.FramePadding.y);
    if (!ImGui::ItemAdd(box, item, &box, ImGuiItemFlags_Inputable)) return {};

    Edit edit;
    const bool enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
    const bool hovered = ImGui::ItemHoverable(box, item, ImGui::GetItemFlags());
    const auto& g = *ImGui::GetCurrentContext();
    bool editing = ImGui::TempInputIsActive(item);
    std::string typed; ///< opens the field; ImGui drops the characters of the frame in which a field opens
    if (!editing && enabled) {
        bool opens = false;
        if (spec.step > 0) {
            edit = dragged(box, item, hovered, spec.step, value, opens);
            typed = typed_over(item);
        } else {
            opens = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left, ImGuiInputFlags_None, item);
        }
        if (opens || g.NavActivateId == item || !typed.empty()) {
            open_field(item);
            editing = true;
        }
    }
    const auto shown = format_number(value, spec.decimals);
    if (editing) {
        type_in(box, id, shown, typed, value, edit);
        return edit;
    }
    draw_number(box, item, shown, hovered);
    if (hovered)
        ImGui::SetMouseCursor(spec.step > 0 ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_TextInput);
    help(spec.tooltip);
    return edit;
}

} // namespace kg::ui
