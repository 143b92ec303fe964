// A lesson's figure over the image: the division into tiles or blocks, and what those at the pinned pixel
// read.

#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/parts.hpp"

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

void ViewPanel::draw_figure(const Document& document, ImVec2 corner, float to_framebuffer) const {
    if (!figure_) return;
    auto* draw = ImGui::GetWindowDrawList();
    const auto& theme = look().theme;
    const bool side = document.view.mode == ViewState::Mode::side;
    const ImVec2 end{corner.x + static_cast<float>(view_.width) / to_framebuffer,
                     corner.y + static_cast<float>(view_.height) / to_framebuffer};
    const float middle = corner.x + static_cast<float>(view_.width / 2) / to_framebuffer;
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
        const auto origin = on_screen({0, 0}, half == 1, corner, to_framebuffer),
                   last = on_screen({image_.width, image_.height}, half == 1, corner, to_framebuffer);
        const auto zoom = static_cast<float>(transform_.zoom) / to_framebuffer;
        const ImVec2 step{zoom * static_cast<float>(figure_->width),
                          zoom * static_cast<float>(figure_->height)};
        if (std::min(step.x, step.y) >= look().px(kLeastBlock)) {
            for (float x = origin.x; x < last.x; x += step.x)
                draw->AddLine({x, origin.y}, {x, last.y}, colour_u32(theme.accent, 0.45f), look().px(1));
            for (float y = origin.y; y < last.y; y += step.y)
                draw->AddLine({origin.x, y}, {last.x, y}, colour_u32(theme.accent, 0.45f), look().px(1));
        }
        if (at) {
            if (!at->reads.empty()) frame(at->reads, theme.warn, 1.5f, 0.3f);
            frame(at->block, theme.accent, 2, 0);
            if (!at->warp.empty()) frame(at->warp, theme.warn, 1, 0.6f);
        }
        draw->PopClipRect();
    }
}

} // namespace kg::ui
