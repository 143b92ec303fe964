#include "app/ui/widgets/tap_grid.hpp"

#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

namespace kg::ui {

namespace {

constexpr float kWidestCell = 64, kCellHeight = 32, kLineHeight = 26, kGap = 2;
constexpr float kTint = 0.45f; ///< opacity of the strongest weight's colour

std::string place_text(std::int64_t x, std::int64_t y) {
    return std::to_string(x) + ", " + std::to_string(y);
}

/// What a tap reads and contributes.
std::string tap_text(const PixelTap& tap, bool weighted) {
    std::string text = "Pixel " + place_text(tap.x, tap.y);
    if (tap.counts_as_zero()) text += " lies outside the image; border zero counts it as 0";
    else if (tap.constant) text += " lies outside the image, where border constant has one colour";
    else if (tap.outside())
        text += " lies outside the image; the border reads pixel " + place_text(tap.source_x, tap.source_y);
    if (!tap.is_tap()) return text + ". A weight of 0 is no tap";
    return text + ".\n" + short_number(tap.weight, 7) + " \xC3\x97 " + short_number(tap.sample, 7) + " = " +
           short_number(tap.product, 7) + (weighted ? ": the sample is colour times alpha" : "") +
           ". Click to add the taps up to this one";
}

double value_of(const PixelTap& tap, TapValue value) {
    switch (value) {
    case TapValue::weight: return tap.weight;
    case TapValue::sample: return tap.sample;
    case TapValue::product: return tap.product;
    }
    return 0;
}

/// Centred in the cell: fewer digits, then smaller type, until it fits.
void draw_number(ImVec2 low, ImVec2 high, double value, ImU32 ink) {
    auto* draw = ImGui::GetWindowDrawList();
    const float width = high.x - low.x - look().px(3);
    for (const float type : {15.0f, 13.0f, 11.0f})
        for (int digits = 5; digits > 0; --digits) {
            const auto text = short_number(value, digits);
            if (std::fabs(value) >= std::pow(10.0, digits)) break; // no powers of ten
            const float size = look().px(type);
            const auto words = look().mono->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
            if (words.x > width) continue;
            draw->AddText(
                look().mono, size,
                {std::floor((low.x + high.x - words.x) / 2), std::floor((low.y + high.y - words.y) / 2)}, ink,
                text.c_str());
            return;
        }
    const auto text = short_number(value, 1);
    draw->AddText(look().mono, look().px(11), {low.x + look().px(1), low.y + look().px(8)}, ink,
                  text.c_str());
}

/// Background of a tap: its weight's sign and size, and hatching outside the image.
void draw_cell(ImVec2 low, ImVec2 high, const PixelTap& tap, double largest) {
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    const bool lively = ImGui::IsItemHovered() || ImGui::IsItemActive();
    draw->AddRectFilled(low, high, colour_u32(lively ? theme.hover : theme.field), look().px(3));
    const auto share = largest == 0 ? 0.0f : static_cast<float>(std::fabs(tap.weight) / largest);
    if (tap.is_tap())
        draw->AddRectFilled(
            low, high, colour_u32(tap.weight < 0 ? theme.data_a : theme.data_b, kTint * share), look().px(3));
    if (tap.outside()) draw_hatching(low, high, colour_u32(theme.second, 0.45f));
}

/// The pixel that a tap outside the image reads, at the foot of its cell: both coordinates, or the one that
/// the border changes, or nothing where there is no room. Returns the height that is left above it.
float draw_source(ImVec2 low, ImVec2 high, const PixelTap& tap) {
    const float size = look().px(12), strip = look().px(13), room = high.x - low.x - look().px(2);
    const auto width = [size](const std::string& text) {
        return look().body->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
    };
    auto text = source_text(tap);
    if (width(text) > room) text = source_text(tap, SourceText::changed);
    if (text.empty() || width(text) > room) return high.y - low.y;
    auto* draw = ImGui::GetWindowDrawList();
    // Without hatching behind it.
    draw->AddRectFilled({low.x, high.y - strip}, high, colour_u32(look().theme.field), look().px(3));
    draw->AddText(look().body, size,
                  {std::floor((low.x + high.x - width(text)) / 2), high.y - strip - look().px(1)},
                  colour_u32(look().theme.text), text.c_str());
    return high.y - low.y - strip;
}

double largest_weight(const KernelTerms& kernel) {
    double largest = 0;
    for (const auto& tap : kernel.taps) largest = std::max(largest, std::fabs(tap.weight));
    return largest;
}

void frame(ImVec2 low, ImVec2 high, Rgb ink, float width) {
    ImGui::GetWindowDrawList()->AddRect(low, high, colour_u32(ink), look().px(3), look().px(width));
}

void explain(const PixelTap& tap, bool weighted) {
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) help(tap_text(tap, weighted));
}

} // namespace

const char* sample_title(bool weighted) { return weighted ? "Sample \xC3\x97 alpha" : "Sample"; }

void draw_hatching(ImVec2 low, ImVec2 high, ImU32 ink) {
    auto* draw = ImGui::GetWindowDrawList();
    const float step = look().px(6), height = high.y - low.y;
    draw->PushClipRect(low, high, true);
    for (float x = low.x - height + step / 2; x < high.x; x += step)
        draw->AddLine({x, high.y}, {x + height, low.y}, ink, look().px(1));
    draw->PopClipRect();
}

std::optional<std::size_t> tap_grid(const KernelTerms& kernel, TapValue value,
                                    std::optional<std::size_t> added, bool weighted) {
    std::optional<std::size_t> clicked;
    const auto& theme = look().theme;
    const float gap = look().px(kGap), height = look().px(kCellHeight);
    const auto columns = static_cast<float>(kernel.width);
    const float width = std::min(look().px(kWidestCell),
                                 std::floor((ImGui::GetContentRegionAvail().x + gap) / columns) - gap);
    const double largest = largest_weight(kernel);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    for (std::size_t i = 0; i < kernel.taps.size(); ++i) {
        const auto& tap = kernel.taps[i];
        if (tap.column > 0) ImGui::SameLine();
        const auto low = ImGui::GetCursorScreenPos();
        const ImVec2 high{low.x + width, low.y + height};
        const auto id = "tap " + std::to_string(tap.row) + "," + std::to_string(tap.column);
        if (ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) clicked = i;
        draw_cell(low, high, tap, largest);
        const bool counts = tap.is_tap() && !(tap.counts_as_zero() && value != TapValue::weight);
        draw_number(low, {high.x, low.y + draw_source(low, high, tap)}, value_of(tap, value),
                    colour_u32(counts ? theme.text : theme.disabled));
        if (tap.row == kernel.anchor_y && tap.column == kernel.anchor_x) frame(low, high, theme.second, 1);
        if (added && i < *added && tap.is_tap()) frame(low, high, theme.accent, 2);
        explain(tap, weighted);
    }
    ImGui::PopStyleVar();
    return clicked;
}

std::optional<std::size_t> tap_list(const KernelTerms& kernel, std::optional<std::size_t> added,
                                    bool weighted) {
    std::optional<std::size_t> clicked;
    const auto& theme = look().theme;
    const double largest = largest_weight(kernel);
    const float gap = look().px(kGap), height = look().px(kLineHeight);
    const float width = ImGui::GetContentRegionAvail().x;
    // The longer title takes its room from its neighbours.
    const std::array shares = weighted ? std::array{0.24f, 0.18f, 0.37f} : std::array{0.25f, 0.25f, 0.25f};
    std::array<float, 5> begins{};
    for (std::size_t i = 0; i < shares.size(); ++i) begins[i + 1] = begins[i] + std::floor(width * shares[i]);
    begins.back() = width;
    {
        ScopedText style(TextStyle::secondary);
        const auto left = ImGui::GetCursorPosX();
        std::size_t column = 0;
        for (const auto* title : {"Pixel", "Weight", sample_title(weighted), "Product"}) {
            if (column > 0) ImGui::SameLine(left + begins[column]);
            ImGui::TextUnformatted(title);
            ++column;
        }
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    std::size_t rank = 0;
    for (const auto i : strongest_taps(kernel, kListedTaps)) {
        const auto& tap = kernel.taps[i];
        const auto low = ImGui::GetCursorScreenPos();
        const ImVec2 high{low.x + width, low.y + height};
        const auto id = "strongest " + std::to_string(++rank);
        if (ImGui::InvisibleButton(id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) clicked = i;
        draw_cell(low, high, tap, largest);
        const auto ink = colour_u32(theme.text);
        const auto place = place_text(tap.x, tap.y);
        ScopedText style(TextStyle::secondary);
        ImGui::GetWindowDrawList()->AddText({low.x + look().px(4), low.y + look().px(5)}, ink,
                                            shortened(place, begins[1]).c_str());
        const std::array values{tap.weight, tap.sample, tap.product};
        for (std::size_t v = 0; v < values.size(); ++v)
            draw_number({low.x + begins[v + 1], low.y}, {low.x + begins[v + 2], high.y}, values[v], ink);
        if (added && i < *added) frame(low, high, theme.accent, 2);
        explain(tap, weighted);
    }
    ImGui::PopStyleVar();
    return clicked;
}

} // namespace kg::ui
