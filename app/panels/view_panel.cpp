#include "app/panels/view_panel.hpp"

#include "app/panels/parts.hpp"
#include "app/shell/look.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kg::ui {

namespace {

constexpr const char* kModes[] = {"Result", "Split", "Side"};
constexpr float kGrab = 12;     ///< width of the divider's grab zone
constexpr float kClickSlop = 4; ///< a press that moves less is a click
constexpr double kWheelStep = 1.25;
constexpr double kToastShown = 5, kToastFade = 0.12; ///< seconds
constexpr double kComputingShown = 0.3;              ///< seconds; a result that comes sooner needs no sign

display::PassImage pass_image(const display::DisplayImage& image) {
    const auto shown = image.shown();
    return {image.texture(), shown.serial, shown.size, shown.texture_size, shown.reduction, shown.format};
}

display::PassColour pass_colour(Rgb c) {
    return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255};
}

std::string format_text(const PixelFormat& format) {
    const char* depth[] = {"8-bit", "16-bit", "half float", "float"};
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    return std::string(depth[static_cast<int>(format.depth)]) + (colours == 1 ? " grey" : " RGB") +
           (format.alpha >= 0 ? " with alpha" : "");
}

Rgb ink_of(Message::Kind kind) {
    switch (kind) {
    case Message::Kind::info: return look().theme.text;
    case Message::Kind::warning: return look().theme.warn;
    case Message::Kind::error: return look().theme.error;
    }
    return look().theme.text;
}

void tag(ImVec2 at, bool from_right, const std::string& text, Rgb ink) {
    const auto size = ImGui::CalcTextSize(text.c_str());
    const float pad = look().px(8), low = look().px(4);
    if (from_right) at.x -= size.x + 2 * pad;
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, {at.x + size.x + 2 * pad, at.y + size.y + 2 * low},
                        colour_u32(look().theme.panel, 0.85f), look().px(6));
    draw->AddText({at.x + pad, at.y + low}, colour_u32(ink), text.c_str());
}

} // namespace

ViewPanel::ViewPanel(std::shared_ptr<display::DisplayRoute> route, std::function<void()> wake)
    : route_(std::move(route)), original_(route_, {wake, 0}), result_(route_, {std::move(wake), 0}) {}

void ViewPanel::present(const std::shared_ptr<const Result>& result) {
    const auto& job = result->job;
    result_.present({job.engine, result->pixels, result->ready, job.serial});
    if (original_of_ == job.picture) return;
    original_of_ = job.picture;
    original_.present({job.engine, result->source, result->ready, ++original_serial_});
}

void ViewPanel::poll(Document& document) {
    if (!document.filtering()) computing_since_ = ImGui::GetTime();
    original_.poll();
    if (result_.poll()) document.shown(result_.shown().serial);
    if (const auto times = result_.take_times()) document.add_display_time(times->device_us);
    if (const auto& result = document.result(); result && result->job.request.size != picture_) {
        picture_ = result->job.request.size; // another picture: whatever was looked at is gone
        fit_ = true;
        pinned_.reset();
        document.point_nowhere();
    }
}

void ViewPanel::actual_size() {
    if (part_.width <= 0) return;
    const display::Point middle{static_cast<double>(part_.width) / 2, static_cast<double>(part_.height) / 2};
    transform_ = display::ViewTransform::actual(transform_.to_picture(middle), part_).snapped();
    fit_ = false;
}

display::Point ViewPanel::in_part(const Document& document, display::Point cursor) const {
    const auto half_columns = view_.width / 2;
    const auto half = static_cast<double>(half_columns);
    if (document.view.mode == ViewState::Mode::side && cursor.x >= half) cursor.x -= half;
    return cursor;
}

void ViewPanel::place(const Document& document, Extent view) {
    const bool side = document.view.mode == ViewState::Mode::side;
    const Extent part = side ? Extent{view.width / 2, view.height} : view;
    if (fit_) transform_ = display::ViewTransform::fit(picture_, part);
    else if (part != part_) transform_ = transform_.resized(part_, part);
    transform_ = transform_.kept_in_view(picture_, part);
    view_ = view;
    part_ = part;
}

void ViewPanel::draw_bar(Document& document) {
    int mode = static_cast<int>(document.view.mode);
    if (choice("mode", kModes, mode,
               "The result alone, original and result with a divider, or one beside the other",
               look().px(204)))
        document.view.mode = static_cast<ViewState::Mode>(mode),
        fit_ = fit_ || document.view.mode == ViewState::Mode::side;
    ImGui::SameLine();
    if (button("fit", nullptr, "Fit", "Show the whole picture (Ctrl+0)")) fit();
    ImGui::SameLine();
    if (button("actual", nullptr, "100 %", "One picture pixel per screen pixel (Ctrl+1)")) actual_size();
    ImGui::SameLine();
    button("original", icon::kEye, {}, "Hold to see the original (O)");
    if (ImGui::IsItemActive()) document.view.show_original = true;
}

void ViewPanel::react(Document& document, ImVec2 corner, float to_framebuffer) {
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

    if (ImGui::IsItemActive() &&
        ImGui::IsMouseDragging(ImGuiMouseButton_Left, dragging_divider_ ? 0.0f : kClickSlop)) {
        if (dragging_divider_) {
            document.view.divider = std::clamp(cursor.x / static_cast<double>(view_.width), 0.0, 1.0);
        } else {
            transform_ = transform_.panned(static_cast<double>(io.MouseDelta.x * to_framebuffer),
                                           static_cast<double>(io.MouseDelta.y * to_framebuffer));
            fit_ = false;
        }
    }
    if (hovered && io.MouseWheel != 0) {
        transform_ = transform_.zoomed_at(in_part(document, cursor),
                                          std::pow(kWheelStep, static_cast<double>(io.MouseWheel)));
        fit_ = false;
    }
    const auto at = transform_.to_picture(in_part(document, cursor));
    const Pixel pixel{static_cast<std::int64_t>(std::floor(at.x)),
                      static_cast<std::int64_t>(std::floor(at.y))};
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        if (fit_) {
            transform_ = transform_.zoomed_at(in_part(document, cursor), 1 / transform_.zoom).snapped();
            fit_ = false;
        } else {
            fit_ = true;
        }
        pinned_.reset();
    } else if (ImGui::IsItemDeactivated() && hovered && !dragging_divider_ &&
               ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).x == 0) {
        const bool inside = whole(picture_).contains({pixel.first, pixel.second, 1, 1});
        pinned_ = inside && pinned_ != pixel ? std::optional(pixel) : std::nullopt;
    }
    if (pinned_) document.point_at(pinned_->first, pinned_->second);
    else if (hovered) document.point_at(pixel.first, pixel.second);
    else document.point_nowhere();
}

void ViewPanel::draw_overlay(const Document& document, ImVec2 corner, ImVec2 size,
                             float to_framebuffer) const {
    const auto& result = document.result();
    if (!result) return;
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    const float inset = look().px(8);
    ScopedText small(TextStyle::secondary);
    const bool original = document.view.show_original;
    if (original || document.view.mode != ViewState::Mode::result)
        tag({corner.x + inset, corner.y + inset}, false, "Original", theme.text);
    if (!original && document.view.mode != ViewState::Mode::result)
        tag({corner.x + size.x - inset, corner.y + inset}, true, "Result", theme.text);
    const auto& in = result->job.request;
    const auto below = corner.y + size.y - inset - ImGui::GetTextLineHeight() - look().px(8);
    tag({corner.x + inset, below}, false,
        std::to_string(in.size.width) + " x " + std::to_string(in.size.height) + ", " + format_text(in.in),
        theme.second);
    if (ImGui::GetTime() - computing_since_ > kComputingShown)
        tag({corner.x + size.x - inset, below}, true, "Computing...", theme.text);
    if (!document.failure().empty())
        tag({corner.x + inset, below - look().px(32)}, false, document.failure(), theme.error);
    if (document.view.mode == ViewState::Mode::split &&
        !original) { // a handle, so that one sees it can be dragged
        const float x = corner.x + static_cast<float>(document.view.divider) * size.x,
                    y = corner.y + size.y / 2;
        draw->AddCircleFilled({x, y}, look().px(9), colour_u32(theme.panel, 0.9f));
        draw->AddCircle({x, y}, look().px(9), colour_u32(theme.text), 0, look().px(1.5f));
        for (const float side : {-1.0f, 1.0f})
            draw->AddLine({x + side * look().px(2.5f), y - look().px(4)},
                          {x + side * look().px(2.5f), y + look().px(4)}, colour_u32(theme.text),
                          look().px(1.5f));
    }
    if (pinned_) {
        const auto a = transform_.to_screen(
            {static_cast<double>(pinned_->first), static_cast<double>(pinned_->second)});
        const float grow = std::max(0.0f,
                                    look().px(4) - static_cast<float>(transform_.zoom) / to_framebuffer / 2);
        const ImVec2 low{corner.x + static_cast<float>(a.x) / to_framebuffer - grow,
                         corner.y + static_cast<float>(a.y) / to_framebuffer - grow};
        const float side = static_cast<float>(transform_.zoom) / to_framebuffer + 2 * grow;
        draw->AddRect({low.x - 1, low.y - 1}, {low.x + side + 1, low.y + side + 1}, colour_u32(theme.ink));
        draw->AddRect(low, {low.x + side, low.y + side}, colour_u32(theme.accent));
    }
}

void ViewPanel::draw_toast(const Document& document, ImVec2 corner, ImVec2 size) {
    const auto& messages = document.messages();
    if (!messages_seen_) messages_seen_ = messages.size();
    const double now = ImGui::GetTime();
    if (messages.size() > *messages_seen_) toast_until_ = now + kToastShown;
    messages_seen_ = messages.size();
    const double left = toast_until_ - now;
    if (left <= 0) return;
    const auto& theme = look().theme;
    const auto& last = messages.back();
    const float inset = look().px(12), pad = look().px(12);
    const auto text = shortened(last.text, size.x - 2 * inset - 2 * pad);
    const ImVec2 words = ImGui::CalcTextSize(text.c_str());
    const ImVec2 low{std::floor(corner.x + (size.x - words.x) / 2 - pad), corner.y + look().px(44)};
    const auto alpha = static_cast<float>(std::min(1.0, left / kToastFade));
    auto* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(low, {low.x + words.x + 2 * pad, low.y + words.y + pad},
                        colour_u32(theme.field, alpha), look().px(6));
    draw->AddText({low.x + pad, low.y + pad / 2}, colour_u32(ink_of(last.kind), alpha), text.c_str());
}

void ViewPanel::draw_picture(Document& document) {
    const auto corner = ImGui::GetCursorScreenPos();
    const auto size = ImGui::GetContentRegionAvail();
    if (size.x < 1 || size.y < 1) return;
    const float to_framebuffer = ImGui::GetIO().DisplayFramebufferScale.x;
    place(document, {std::lround(size.x * to_framebuffer), std::lround(size.y * to_framebuffer)});

    const auto& theme = look().theme;
    display::PassSettings settings;
    settings.view = transform_;
    settings.divider = document.view.show_original ? 1 : document.view.divider;
    settings.surround = pass_colour(theme.surround);
    settings.line = pass_colour(theme.text);
    const auto result = document.result() ? pass_image(result_) : display::PassImage{};
    const bool same_picture = document.result() && original_of_ == document.result()->job.picture &&
                              original_.shown().serial == original_serial_;
    const auto original = same_picture ? pass_image(original_) : display::PassImage{};
    const bool alone = document.view.show_original || document.view.mode == ViewState::Mode::result;
    settings.mode = alone                                          ? display::PassMode::result
                    : document.view.mode == ViewState::Mode::split ? display::PassMode::split
                                                                   : display::PassMode::side;
    const auto texture = pass_.draw(view_, original, document.view.show_original ? original : result,
                                    settings);
    ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(texture), corner,
                                         {corner.x + size.x, corner.y + size.y});

    ImGui::InvisibleButton("picture", size, ImGuiButtonFlags_EnableNav);
    react(document, corner, to_framebuffer);
    draw_overlay(document, corner, size, to_framebuffer);
    draw_toast(document, corner, size);
}

} // namespace kg::ui
