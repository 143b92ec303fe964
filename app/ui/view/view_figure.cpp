// A lesson's figure over the image: the division into tiles or blocks, and what those at the pinned pixel
// read.

#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/parts.hpp"

#include <algorithm>

namespace kg::ui {

namespace {

constexpr float kLeastBlock = 6; ///< pixels of the screen; smaller ones would hide the image

} // namespace

std::optional<FigureAtPixel> ViewPanel::figure(const Document& document) const {
    const auto& result = document.result();
    if (!figure_ || !pinned_ || !result) return std::nullopt;
    const auto& request = result->job.request;
    if (!inside(*pinned_) || image_ != request.size) return std::nullopt;
    const auto reach_of_first = request.stages.empty() ? Reach{} : reach(request.stages.front());
    return figure_at(*figure_, request.size, reach_of_first, *pinned_);
}

/// The edges of all tiles or blocks that are on the screen, up to its corner `end`.
void ViewPanel::draw_division(bool right_half, ImVec2 corner, float to_framebuffer, ImVec2 end) const {
    const auto zoom = static_cast<float>(transform_.zoom) / to_framebuffer;
    const auto least = static_cast<float>(std::min(figure_->width, figure_->height));
    if (zoom * least < look().px(kLeastBlock)) return;
    auto* draw = ImGui::GetWindowDrawList();
    const auto ink = colour_u32(look().theme.accent, 0.45f);
    const auto low = on_screen({0, 0}, right_half, corner, to_framebuffer),
               high = on_screen({image_.width, image_.height}, right_half, corner, to_framebuffer);
    for (std::int64_t x = 0; x <= image_.width; x += figure_->width) {
        const float at = on_screen({x, 0}, right_half, corner, to_framebuffer).x;
        if (at > end.x) break;
        if (at >= corner.x) draw->AddLine({at, low.y}, {at, high.y}, ink, look().px(1));
    }
    for (std::int64_t y = 0; y <= image_.height; y += figure_->height) {
        const float at = on_screen({0, y}, right_half, corner, to_framebuffer).y;
        if (at > end.y) break;
        if (at >= corner.y) draw->AddLine({low.x, at}, {high.x, at}, ink, look().px(1));
    }
}

void ViewPanel::draw_figure(const Document& document, ImVec2 corner, float to_framebuffer) const {
    if (!figure_) return;
    auto* draw = ImGui::GetWindowDrawList();
    const auto& theme = look().theme;
    const bool side = document.view.mode == ViewState::Mode::side;
    const ImVec2 end{corner.x + static_cast<float>(view_.width) / to_framebuffer,
                     corner.y + static_cast<float>(view_.height) / to_framebuffer};
    const int left_pixels = view_.width / 2;
    const float middle = corner.x + static_cast<float>(left_pixels) / to_framebuffer;
    const auto at = figure(document);
    for (int half = 0; half < (side ? 2 : 1); ++half) {
        draw->PushClipRect({half == 1 ? middle : corner.x, corner.y},
                           {side && half == 0 ? middle : end.x, end.y}, true);
        const auto frame = [&](const Rect& rect, Rgb ink, float thick, float filled) {
            const auto low = on_screen({rect.x, rect.y}, half == 1, corner, to_framebuffer),
                       high = on_screen({rect.right(), rect.bottom()}, half == 1, corner, to_framebuffer);
            draw->AddRectFilled(low, high, colour_u32(ink, filled));
            draw->AddRect(low, high, colour_u32(theme.ink), 0, look().px(thick + 2));
            draw->AddRect(low, high, colour_u32(ink), 0, look().px(thick));
        };
        draw_division(half == 1, corner, to_framebuffer, end);
        if (at) {
            if (!at->reads.empty()) frame(at->reads, theme.warn, 1.5f, 0.3f);
            frame(at->block, theme.accent, 2, 0);
            if (!at->warp.empty()) frame(at->warp, theme.warn, 1, 0.6f);
        }
        draw->PopClipRect();
    }
}

} // namespace kg::ui
