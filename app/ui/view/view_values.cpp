// Numbers on magnified pixels, and the kernel's taps around the pinned one.

#include "app/editor/comparison/comparison.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/tap_grid.hpp"
#include "core/reference/reference.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace kg::ui {

namespace {

constexpr float kValuesFrom = 40; ///< width of a pixel on the screen from which its numbers are drawn
constexpr float kValueType = 13, kLargeType = 16, kLargeFrom = 64, kInset = 4;
constexpr float kTapsFrom = 4;               ///< width of a pixel from which taps are drawn
constexpr std::size_t kMostTapsDrawn = 4096; ///< limit for the sum so far

/// True where light ink is easier to read.
bool is_dark(const ConstImageView& image, std::int64_t x, std::int64_t y) {
    constexpr double kLuma[] = {0.299, 0.587, 0.114};
    const auto& format = image.format;
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    double light = 0;
    for (int c = 0; c < std::min(colours, 3); ++c) {
        const double value = sample(image, x, y, c) / full_scale(format);
        light += (colours == 1 ? 1.0 : kLuma[c]) * (value > 0 ? std::min(value, 1.0) : 0.0);
    }
    return light < 0.5;
}

/// Numbers of one pixel, one channel a line: alpha last, and left out where it does not fit.
void draw_pixel_values(ImVec2 low, float size, const ConstImageView& image, std::int64_t x, std::int64_t y) {
    const auto& format = image.format;
    const auto& l = look();
    const float type = l.px(size < l.px(kLargeFrom) ? kValueType : kLargeType);
    const int most = static_cast<int>((size - l.px(kInset)) / type);
    std::vector<std::string> lines;
    float widest = 0;
    for (int c = 0; c < format.channels; ++c) {
        const double value = sample(image, x, y, c);
        if (static_cast<int>(lines.size()) == most) continue;
        lines.push_back(is_integer(format.depth) ? std::to_string(std::lround(value))
                                                 : short_number(value, 3));
        widest = std::max(widest, l.mono->CalcTextSizeA(type, FLT_MAX, 0, lines.back().c_str()).x);
    }
    if (widest > size) return;
    const bool dark = is_dark(image, x, y);
    const auto ink = dark ? IM_COL32(255, 255, 255, 255) : IM_COL32(0, 0, 0, 255),
               rim = dark ? IM_COL32(0, 0, 0, 160) : IM_COL32(255, 255, 255, 160);
    auto* draw = ImGui::GetWindowDrawList();
    float top = std::floor(low.y + (size - type * static_cast<float>(lines.size())) / 2);
    for (const auto& line : lines) {
        const auto width = l.mono->CalcTextSizeA(type, FLT_MAX, 0, line.c_str()).x;
        const float left = std::floor(low.x + (size - width) / 2);
        draw->AddText(l.mono, type, {left + 1, top + 1}, rim, line.c_str());
        draw->AddText(l.mono, type, {left, top}, ink, line.c_str());
        top += type;
    }
}

} // namespace

/// The upper left corner of a pixel, possibly outside the image; `right_half`: of B beside A.
ImVec2 ViewPanel::on_screen(Pixel pixel, bool right_half, ImVec2 corner, float to_framebuffer) const {
    const auto at = transform_.to_screen(
        {static_cast<double>(pixel.first), static_cast<double>(pixel.second)});
    const auto half_columns = right_half ? view_.width / 2 : 0;
    return {corner.x + static_cast<float>(at.x + static_cast<double>(half_columns)) / to_framebuffer,
            corner.y + static_cast<float>(at.y) / to_framebuffer};
}

/// Stored numbers of what A and B show, each on its own pixels.
void ViewPanel::draw_values(Document& document, ImVec2 corner, float to_framebuffer) const {
    const auto& result = document.result();
    const auto zoom = static_cast<float>(transform_.zoom) / to_framebuffer;
    const auto mode = document.view.mode;
    if (!result || image_ != result->job.request.size || zoom < look().px(kValuesFrom)) return;
    const bool original = document.view.show_original;
    if (mode == ViewState::Mode::difference && !original) return; // not the numbers of either
    const auto seen = visible(0, 0);
    if (!original) document.read_region(seen);
    const auto draw_value = [&](std::size_t i, ImVec2 low, std::int64_t x, std::int64_t y) {
        const auto kind = original ? ViewSource::Kind::original : document.view.sources[i].kind;
        if (kind == ViewSource::Kind::original)
            return draw_pixel_values(low, zoom, result->job.image->pixels.view(), x, y);
        const auto* read = kind == ViewSource::Kind::result ? document.region()
                                                            : document.comparison().region(i, seen);
        if (read && read->region.contains({x, y, 1, 1}))
            draw_pixel_values(low, zoom, read->pixels->view(), x - read->region.x, y - read->region.y);
    };
    const bool side = mode == ViewState::Mode::side;
    const auto divider = corner.x + static_cast<float>(document.view.divider) *
                                        static_cast<float>(view_.width) / to_framebuffer;
    const auto half_columns = view_.width / 2;
    const auto middle = corner.x + static_cast<float>(half_columns) / to_framebuffer;
    auto* draw = ImGui::GetWindowDrawList();
    for (int half = 0; half < (side ? 2 : 1); ++half) {
        const float left = half == 1 ? middle : corner.x,
                    right = side && half == 0 ? middle
                                              : corner.x + static_cast<float>(view_.width) / to_framebuffer;
        draw->PushClipRect({left, corner.y},
                           {right, corner.y + static_cast<float>(view_.height) / to_framebuffer}, true);
        for (auto y = seen.y; y < seen.bottom(); ++y)
            for (auto x = seen.x; x < seen.right(); ++x) {
                const auto low = on_screen({x, y}, half == 1, corner, to_framebuffer);
                const bool split = mode == ViewState::Mode::split && low.x + zoom / 2 < divider;
                draw_value(split || (side && half == 0) ? 0 : 1, low, x, y);
            }
        draw->PopClipRect();
    }
}

/// The rectangle that the kernel reads around the pin; the taps of the visible sum are filled, at the
/// coordinate that they read, and hatched where they lie outside the image.
void ViewPanel::draw_taps(const Document& document, ImVec2 corner, float to_framebuffer) const {
    const auto zoom = static_cast<float>(transform_.zoom) / to_framebuffer;
    if (!pinned_ || zoom < kTapsFrom) return;
    const auto& terms = document.pixel_explanation().terms;
    if (!terms || terms->kernels.empty()) return;
    const auto& kernel = terms->kernels[std::min(document.pixel.kernel, terms->kernels.size() - 1)];
    const bool side = document.view.mode == ViewState::Mode::side;
    const ImVec2 end{corner.x + static_cast<float>(view_.width) / to_framebuffer,
                     corner.y + static_cast<float>(view_.height) / to_framebuffer};
    const auto half_columns = view_.width / 2;
    const float middle = corner.x + static_cast<float>(half_columns) / to_framebuffer;
    const auto accent = look().theme.accent;
    auto* draw = ImGui::GetWindowDrawList();
    const auto cell = [&](std::int64_t x, std::int64_t y, int columns, int rows, const auto& paint) {
        for (int half = 0; half < (side ? 2 : 1); ++half) {
            const auto low = on_screen({x, y}, half == 1, corner, to_framebuffer);
            const float left = half == 1 ? middle : corner.x, right = side && half == 0 ? middle : end.x;
            draw->PushClipRect({left, corner.y}, {right, end.y}, true);
            paint(low, ImVec2{low.x + zoom * static_cast<float>(columns),
                              low.y + zoom * static_cast<float>(rows)});
            draw->PopClipRect();
        }
    };
    cell(terms->x - kernel.anchor_x, terms->y - kernel.anchor_y, kernel.width, kernel.height,
         [&](ImVec2 low, ImVec2 high) {
             draw->AddRect(low, high, colour_u32(accent, 0.8f), 0, look().px(1.5f));
         });
    const auto count = std::min(
        {document.pixel.crawl.taps().value_or(0), kernel.taps.size(), kMostTapsDrawn});
    for (std::size_t i = 0; i < count; ++i) {
        const auto& tap = kernel.taps[i];
        if (!tap.is_tap()) continue;
        if (tap.outside())
            cell(tap.x, tap.y, 1, 1,
                 [&](ImVec2 low, ImVec2 high) { draw_hatching(low, high, colour_u32(accent, 0.8f)); });
        if (tap.has_source())
            cell(tap.source_x, tap.source_y, 1, 1, [&](ImVec2 low, ImVec2 high) {
                draw->AddRect({low.x + 1, low.y + 1}, {high.x - 1, high.y - 1}, colour_u32(accent), 0,
                              look().px(2));
            });
    }
}

} // namespace kg::ui
