// A number field; as a cell of a grid it also takes drags, the wheel and direct typing.

#include "app/ui/widgets/drawing.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/support/text.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace kg::ui {

namespace {

constexpr float kPixelsPerStep = 4, kDragSlop = 4;
constexpr float kWheelPause = 0.5f;            ///< seconds without the wheel that end its gesture
constexpr float kNarrow = 40, kNarrowest = 30; ///< narrower compact fields have a smaller type
constexpr float kNarrowType = 12, kNarrowestType = 11;
constexpr std::string_view kNumberCharacters = "0123456789.-+/";

/// The field that is being typed into. One at a time has the keyboard.
struct Typing {
    ImGuiID item = 0;
    double before = 0; ///< its value when it was opened
    std::string text;  ///< what it shows
};
Typing typing;
/// It lost the keyboard to a field that is drawn before it: its typing ends when it is drawn itself.
Typing left_open;
std::optional<std::string> refused_text;

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

bool has_focus(ImGuiID item) {
    const auto& g = *ImGui::GetCurrentContext();
    return g.NavId == item && g.NavWindow == g.CurrentWindow;
}

/// Steps turned on the wheel in this frame over the field, which needs the focus: the column scrolls
/// otherwise. A scroll that has begun elsewhere goes on over a focused field. Not by ItemHoverable(), which
/// is false after a click until the pointer moves.
float wheel_over(const ImRect& box, ImGuiID item) {
    const auto& g = *ImGui::GetCurrentContext();
    if (!has_focus(item) || g.WheelingWindow || g.HoveredWindow != g.CurrentWindow ||
        !ImGui::IsMouseHoveringRect(box.Min, box.Max))
        return 0;
    ImGui::SetKeyOwner(ImGuiKey_MouseWheelY, item);
    return g.IO.MouseWheel;
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
        const bool drags = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] >= kDragSlop * kDragSlop;
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
    if (const float wheel = wheel_over(box, item); wheel != 0) {
        set(value + static_cast<double>(wheel) * step);
        left = kWheelPause;
    }
    return edit;
}

void open_field(ImGuiID item, double value) {
    left_open = std::exchange(typing, {item, value, {}});
    auto* window = ImGui::GetCurrentWindow();
    ImGui::SetKeyOwner(ImGuiKey_MouseLeft, item);
    ImGui::SetActiveID(item, window);
    ImGui::SetFocusID(item, window);
    ImGui::FocusWindow(window);
    open_for_typing(item);
}

/// What typing has ended with: a text that is no number restores the value.
void end_typing(const Typing& ended, double& value, Edit& edit) {
    if (parse_number(ended.text) || ended.text.find_first_not_of(" \t") == std::string::npos) return;
    edit.changed = edit.changed || value != ended.before;
    edit.finished = true;
    value = ended.before;
    refused_text = ended.text;
}

/// The open field; `typed` is entered after what it shows.
void type_in(const ImRect& box, const char* name, const std::string& shown, const std::string& typed,
             double& value, Edit& edit) {
    const auto item = ImGui::GetCurrentWindow()->GetID(name);
    char text[48];
    ImStrncpy(text, shown.c_str(), sizeof text);
    if (ImGui::TempInputText(box, item, name, text, sizeof text, ImGuiInputTextFlags_AutoSelectAll)) {
        if (const auto number = parse_number(text); number && *number != value) {
            value = *number;
            edit.changed = true;
        }
    }
    edit.finished = ImGui::IsItemDeactivatedAfterEdit();
    typing.text = text;
    if (!ImGui::TempInputIsActive(item)) end_typing(std::exchange(typing, {}), value, edit);
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

/// The type of a compact number: smaller where the field is narrow. Its text stays in the middle of a field
/// of any height.
class CompactType {
public:
    explicit CompactType(const ImRect& box) : box_(box) {
        if (is_narrow()) {
            const bool narrowest = box.GetWidth() < look().px(kNarrowest);
            ImGui::PushFont(look().mono, narrowest ? kNarrowestType : kNarrowType);
        }
        const float above = std::max(0.0f, std::floor((box.GetHeight() - ImGui::GetFontSize()) / 2));
        const float beside = is_narrow() ? look().px(1) : ImGui::GetStyle().FramePadding.x;
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {beside, above});
    }
    CompactType(const CompactType&) = delete;
    CompactType& operator=(const CompactType&) = delete;
    ~CompactType() {
        ImGui::PopStyleVar();
        if (is_narrow()) ImGui::PopFont();
    }

private:
    bool is_narrow() const { return box_.GetWidth() < look().px(kNarrow); }
    const ImRect box_;
};

/// The open field in the type of the closed one, whose height of a line may be another than the row's: what
/// follows stays where it is.
void type_in_compact(const ImRect& box, const char* name, const std::string& typed, double& value,
                     Edit& edit) {
    auto& layout = ImGui::GetCurrentWindow()->DC;
    const auto next = layout.CursorPos, previous = layout.CursorPosPrevLine, line = layout.PrevLineSize;
    const float baseline = layout.PrevLineTextBaseOffset;
    {
        const CompactType type(box);
        type_in(box, name, to_text(static_cast<float>(value)), typed, value, edit);
    }
    layout.CursorPos = next, layout.CursorPosPrevLine = previous;
    layout.PrevLineSize = line, layout.PrevLineTextBaseOffset = baseline;
}

/// A compact number, in a type that suits the width.
void draw_compact(const ImRect& box, ImGuiID item, double value, bool hovered) {
    const CompactType type(box);
    const float room = box.GetWidth() - 2 * ImGui::GetStyle().FramePadding.x;
    const auto fitting = static_cast<int>(room / ImGui::CalcTextSize("0").x + 0.01f);
    draw_number(box, item, compact_number(value, fitting), hovered);
}

} // namespace

void focus_item() {
    ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
    ImGui::SetNavCursorVisible(true);
}

std::optional<std::string> open_text() {
    const auto item = ImGui::GetItemID();
    if (item == 0 || item != typing.item) return {};
    return typing.text;
}

std::optional<std::string> take_refused_text() { return std::exchange(refused_text, std::nullopt); }

Edit number_field(const char* id, double& value, const NumberSpec& spec) {
    auto* window = ImGui::GetCurrentWindow();
    if (window->SkipItems) return {};
    const ScopedText style(TextStyle::number);
    const auto& s = ImGui::GetStyle();
    const auto name = std::string_view(id).starts_with("##") ? std::string(id) : "##" + std::string(id);
    const auto item = window->GetID(name.c_str());
    const auto at = window->DC.CursorPos;
    const ImRect box(at, {at.x + spec.width, at.y + (spec.height > 0 ? spec.height : row_height())});
    // The row has the height of body text, whose font is larger.
    ImGui::ItemSize(box, s.FramePadding.y);
    if (!ImGui::ItemAdd(box, item, &box, ImGuiItemFlags_Inputable)) return {};

    Edit edit;
    const bool enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
    const bool hovered = ImGui::ItemHoverable(box, item, ImGui::GetItemFlags());
    const auto& g = *ImGui::GetCurrentContext();
    bool editing = ImGui::TempInputIsActive(item);
    if (!editing && typing.item == item) end_typing(std::exchange(typing, {}), value, edit);
    if (!editing && left_open.item == item) {
        end_typing(std::exchange(left_open, {}), value, edit);
        edit.finished = true;
    }
    if (editing && spec.step > 0 && wheel_over(box, item) != 0) { // the wheel replaces typing
        ImGui::ClearActiveID();
        typing = {};
        editing = false;
    }
    std::string typed; ///< opens the field; ImGui drops the characters of the frame in which a field opens
    if (!editing && enabled) {
        bool opens = false;
        if (spec.step > 0) {
            const auto drag = dragged(box, item, hovered, spec.step, value, opens);
            edit.changed = edit.changed || drag.changed, edit.finished = edit.finished || drag.finished;
            typed = typed_over(item);
        } else {
            opens = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left, ImGuiInputFlags_None, item);
        }
        if (opens || g.NavActivateId == item || !typed.empty()) {
            open_field(item, value);
            editing = true;
        }
    }
    if (editing) {
        if (spec.compact) type_in_compact(box, name.c_str(), typed, value, edit);
        else type_in(box, name.c_str(), format_number(value, spec.decimals), typed, value, edit);
        return edit;
    }
    if (spec.compact) draw_compact(box, item, value, hovered);
    else draw_number(box, item, format_number(value, spec.decimals), hovered);
    if (hovered)
        ImGui::SetMouseCursor(spec.step > 0 ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_TextInput);
    help(spec.tooltip);
    return edit;
}

} // namespace kg::ui
