// Mouse and keys in the image.

#include "app/ui/view/view_panel.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace kg::ui {

namespace {

constexpr float kGrab = 12;                            ///< width of the divider's grab zone
constexpr float kClickSlop = 4;                        ///< a press that moves less is a click
constexpr double kPanShare = 0.1, kDividerStep = 0.02; ///< fraction of the view per key press
constexpr std::int64_t kShiftPixels = 10;

/// A key, a mouse button or the wheel, in this frame.
bool any_input() {
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
        if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) return true;
    return false;
}

/// The farthest distance from the press, squared, with the frame of the release, which Dear ImGui leaves out.
float dragged_sqr() {
    const auto& io = ImGui::GetIO();
    const auto from = io.MouseClickedPos[ImGuiMouseButton_Left];
    return std::max(io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left],
                    ImLengthSqr({io.MousePos.x - from.x, io.MousePos.y - from.y}));
}

} // namespace

std::optional<ViewPanel::Pixel> ViewPanel::inside(Pixel pixel) const {
    return whole(image_).contains({pixel.first, pixel.second, 1, 1}) ? std::optional(pixel) : std::nullopt;
}

void ViewPanel::react_to_mouse(Document& document, ImVec2 corner, float to_framebuffer) {
    const auto& io = ImGui::GetIO();
    const display::Point cursor{static_cast<double>((io.MousePos.x - corner.x) * to_framebuffer),
                                static_cast<double>((io.MousePos.y - corner.y) * to_framebuffer)};
    const bool split = document.view.mode == ViewState::Mode::split;
    const double divider = document.view.divider * static_cast<double>(view_.width);
    const bool on_divider = split && std::abs(cursor.x - divider) <=
                                         static_cast<double>(look().px(kGrab) * to_framebuffer / 2);
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemActivated()) dragging_divider_ = on_divider;
    if ((hovered && on_divider) || (ImGui::IsItemActive() && dragging_divider_))
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);

    const float dragged = dragged_sqr(), slop = kClickSlop * kClickSlop;
    // In a slow frame the last movement arrives together with the release.
    const bool held = io.MouseDown[ImGuiMouseButton_Left] || io.MouseReleased[ImGuiMouseButton_Left];
    if (held && (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) &&
        dragged > (dragging_divider_ ? 0.0f : slop)) {
        if (dragging_divider_) {
            document.view.divider = std::clamp(cursor.x / static_cast<double>(view_.width), 0.0, 1.0);
        } else {
            transform_ = transform_.panned(static_cast<double>(io.MouseDelta.x * to_framebuffer),
                                           static_cast<double>(io.MouseDelta.y * to_framebuffer));
            fit_ = false;
        }
    }
    if (hovered && io.MouseWheel != 0) {
        transform_ = transform_.zoomed_to(in_part(document, cursor),
                                          transform_.zoom_after(static_cast<double>(io.MouseWheel)));
        fit_ = false;
    }
    const auto at = transform_.to_image(in_part(document, cursor));
    const Pixel pixel{static_cast<std::int64_t>(std::floor(at.x)),
                      static_cast<std::int64_t>(std::floor(at.y))};
    hovered_ = hovered ? inside(pixel) : std::nullopt;
    // The mouse takes over from the arrow keys.
    if (hovered && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) cursor_.reset();
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        if (fit_) {
            transform_ = transform_.zoomed_to(in_part(document, cursor), 1).snapped();
            fit_ = false;
        } else {
            fit_ = true;
        }
        pinned_.reset();
    } else if (ImGui::IsItemDeactivated() && hovered && !dragging_divider_ &&
               io.MouseReleased[ImGuiMouseButton_Left] && dragged < slop &&
               io.MouseClickedLastCount[ImGuiMouseButton_Left] == 1) {
        pinned_ = pinned_ != hovered_ ? hovered_ : std::nullopt;
    }
}

/// While the image has the focus, these keys belong to it and do not move between items; Tab and F6 leave it.
void ViewPanel::react_to_keys(Document& document) {
    const auto item = ImGui::GetItemID();
    const auto pressed = [item](ImGuiKey key) {
        ImGui::SetKeyOwner(key, item);
        return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, item);
    };
    const auto& io = ImGui::GetIO();
    const int right = pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow);
    const int down = pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
    const int apart = pressed(ImGuiKey_PageDown) - pressed(ImGuiKey_PageUp);
    const int zooms = (pressed(ImGuiKey_Equal) + pressed(ImGuiKey_KeypadAdd)) -
                      (pressed(ImGuiKey_Minus) + pressed(ImGuiKey_KeypadSubtract));
    const int closer = io.KeyCtrl ? 0 : zooms; // with Ctrl they scale the window
    pressed(ImGuiKey_Escape);                  // unpins (Playground::keys) and keeps the focus
    const bool pins = pressed(ImGuiKey_Enter) + pressed(ImGuiKey_KeypadEnter) > 0; // claims both keys
    if ((right != 0 || down != 0) && io.KeyCtrl) {
        transform_ = transform_.panned(-right * kPanShare * static_cast<double>(part_.width),
                                       -down * kPanShare * static_cast<double>(part_.height));
        fit_ = false;
    } else if ((right != 0 || down != 0) && image_.width > 0) {
        const auto middle = transform_.to_image(
            {static_cast<double>(part_.width) / 2, static_cast<double>(part_.height) / 2});
        const Pixel from = pinned_    ? *pinned_
                           : cursor_  ? *cursor_
                           : hovered_ ? *hovered_
                                      : Pixel{std::lround(middle.x), std::lround(middle.y)};
        const auto step = io.KeyShift ? kShiftPixels : 1;
        const Pixel to{std::clamp<std::int64_t>(from.first + right * step, 0, image_.width - 1),
                       std::clamp<std::int64_t>(from.second + down * step, 0, image_.height - 1)};
        (pinned_ ? pinned_ : cursor_) = to;
        bring_into_view(to);
    }
    if (closer != 0 && image_.width > 0) {
        const auto& at = pinned_ ? pinned_ : cursor_;
        const auto centre = at ? transform_.to_screen({static_cast<double>(at->first) + 0.5,
                                                       static_cast<double>(at->second) + 0.5})
                               : display::Point{static_cast<double>(part_.width) / 2,
                                                static_cast<double>(part_.height) / 2};
        transform_ = transform_.zoomed_to(centre, transform_.zoom_after(closer));
        fit_ = false;
    }
    if (pins && cursor_ && !pinned_) pinned_ = cursor_;
    else if (pins) pinned_ = pinned_ ? std::nullopt : hovered_;
    if (apart != 0 && document.view.mode == ViewState::Mode::split)
        document.view.divider = std::clamp(document.view.divider + apart * kDividerStep, 0.0, 1.0);
}

void ViewPanel::bring_into_view(Pixel pixel) {
    const auto low = transform_.to_screen(
        {static_cast<double>(pixel.first), static_cast<double>(pixel.second)});
    const auto missing = [this](double begin, double extent) {
        const double end = begin + transform_.zoom;
        return begin < 0 ? -begin : end > extent ? std::min(extent - end, 0.0) : 0.0;
    };
    const double dx = missing(low.x, static_cast<double>(part_.width)),
                 dy = missing(low.y, static_cast<double>(part_.height));
    if (dx == 0 && dy == 0) return;
    transform_ = transform_.panned(dx, dy);
    fit_ = false;
}

/// Moves the pin while Play runs; any key, button or wheel pauses it.
void ViewPanel::crawl(Document& document) {
    auto& crawl = document.pixel.crawl;
    if (!crawl.playing()) return;
    if (!pinned_) pinned_ = cursor_;
    const double now = ImGui::GetTime();
    if (!pinned_ || (crawl.started_before(now) && any_input())) return crawl.pause();
    if (const auto pixels = crawl.advance(now); pixels > 0) {
        pinned_ = pixel_after(*pinned_, pixels, image_);
        bring_into_view(*pinned_);
    }
}

void ViewPanel::follow_pixel(Document& document) {
    const auto& pixel = pinned_ ? pinned_ : cursor_ ? cursor_ : hovered_;
    if (pixel) document.point_at(pixel->first, pixel->second);
    else document.point_nowhere();
}

} // namespace kg::ui
