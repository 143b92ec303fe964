#include "app/ui/workspaces/bank/bank_maps.hpp"

#include "app/editor/bank/bank_sizes.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace kg::ui {

namespace {

constexpr float kMapCell = 116; ///< minimum width of a map

std::string map_title(const BankResult& result, std::int64_t map) {
    const auto filters = result.request.filters;
    return result.before->shape.items == 1
               ? "Map " + std::to_string(map)
               : "Map " + std::to_string(map % filters) + " of item " + std::to_string(map / filters);
}

/// Columns of the largest cells that all fit without scrolling, else of the smallest ones.
int columns_of(std::size_t maps, ImVec2 room, float gap, float shape, float caption) {
    const auto most = std::max(1, static_cast<int>((room.x + gap) / (look().px(kMapCell) + gap)));
    for (int columns = 1; columns < most; ++columns) {
        const float width = (room.x + gap) / static_cast<float>(columns) - gap;
        const auto rows = static_cast<float>((static_cast<int>(maps) + columns - 1) / columns);
        if (rows * (width * shape + caption + gap) <= room.y) return columns;
    }
    return most;
}

/// Tiles of a map as rectangles of two shades, with their numbers where there is room.
void draw_tiles(const AxisMap& map, ImVec2 at, ImVec2 size) {
    auto* draw = ImGui::GetWindowDrawList();
    const auto& theme = look().theme;
    const ScopedText style(TextStyle::secondary);
    const auto place = [&](std::int64_t column, std::int64_t row) {
        const auto x = static_cast<double>(std::min(column * map.tile.width, map.outputs.width)) /
                       static_cast<double>(map.outputs.width),
                   y = static_cast<double>(std::min(row * map.tile.height, map.outputs.height)) /
                       static_cast<double>(map.outputs.height);
        return ImVec2{std::floor(at.x + size.x * static_cast<float>(x)),
                      std::floor(at.y + size.y * static_cast<float>(y))};
    };
    for (std::int64_t row = 0; row < map.rows; ++row)
        for (std::int64_t column = 0; column < map.columns; ++column) {
            const auto low = place(column, row), high = place(column + 1, row + 1);
            draw->AddRectFilled(low, high, colour_u32((row + column) % 2 == 0 ? theme.press : theme.hover));
            const auto number = std::to_string(map.task_at(column * map.tile.width, row * map.tile.height));
            const auto text = ImGui::CalcTextSize(number.c_str());
            if (text.x + look().px(4) > high.x - low.x || text.y > high.y - low.y) continue;
            draw->AddText(
                {std::floor((low.x + high.x - text.x) / 2), std::floor((low.y + high.y - text.y) / 2)},
                colour_u32(theme.text), number.c_str());
        }
}

/// A line for every output of a small shape.
void draw_outputs(const AxisMap& map, ImVec2 at, ImVec2 size) {
    constexpr std::int64_t kMost = 32;
    if (map.outputs.width > kMost || map.outputs.height > kMost) return;
    auto* draw = ImGui::GetWindowDrawList();
    const auto ink = colour_u32(look().theme.second, 0.6f);
    for (std::int64_t x = 1; x < map.outputs.width; ++x) {
        const float to = at.x + size.x * static_cast<float>(x) / static_cast<float>(map.outputs.width);
        draw->AddLine({to, at.y}, {to, at.y + size.y}, ink);
    }
    for (std::int64_t y = 1; y < map.outputs.height; ++y) {
        const float to = at.y + size.y * static_cast<float>(y) / static_cast<float>(map.outputs.height);
        draw->AddLine({at.x, to}, {at.x + size.x, to}, ink);
    }
}

/// The output under the mouse, as a line of the tooltip.
std::string output_text(const AxisMap& map, ImVec2 at, ImVec2 size) {
    const auto mouse = ImGui::GetMousePos();
    const auto index = [](float from, float length, std::int64_t count) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(from / length * static_cast<float>(count)),
                                        0, count - 1);
    };
    const auto column = index(mouse.x - at.x, size.x, map.outputs.width),
               row = index(mouse.y - at.y, size.y, map.outputs.height);
    return "Column " + std::to_string(column) + " of row " + std::to_string(row) + ": " +
           std::to_string(map.task_at(column, row));
}

void draw_axis_map(const BankResult& result, std::int64_t map) {
    constexpr std::int64_t kMostTiles = 4096;
    heading("Tasks");
    if (!result.outcome->tiling) return note("This algorithm does not state how it divides the outputs.");
    const auto axes = axis_map(result, map);
    note(axes.text);
    if (axes.columns * axes.rows > kMostTiles) return note("These are too many to be drawn.");
    const float width = ImGui::GetContentRegionAvail().x,
                height = std::clamp(std::floor(width * static_cast<float>(axes.outputs.height) /
                                               static_cast<float>(axes.outputs.width)),
                                    look().px(32), look().px(200));
    const auto at = ImGui::GetCursorScreenPos();
    const ImVec2 size{width, height};
    ImGui::InvisibleButton("tasks", size, ImGuiButtonFlags_EnableNav);
    help("Which task computes which output of this map: rows run downward, columns to the right. " +
         (ImGui::IsItemHovered() ? output_text(axes, at, size) : std::string()));
    draw_tiles(axes, at, size);
    draw_outputs(axes, at, size);
}

} // namespace

void BankMaps::draw_sheet(BankDocument& document) {
    thumbnails_.sweep();
    const auto& result = document.result();
    if (!result) return note(document.busy() ? "Computing..." : "Open an image or a NumPy array.");
    if (result->map_count() > std::ssize(result->maps))
        note("The first " + std::to_string(result->maps.size()) + " of " +
             std::to_string(result->map_count()) + " maps. A saved array has all of them.");
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    float caption = 0;
    {
        const ScopedText secondary(TextStyle::secondary);
        caption = ImGui::GetTextLineHeight() + look().px(4);
    }
    const auto& first = *result->maps.front();
    const float shape = std::clamp(
        static_cast<float>(first.size().height) / static_cast<float>(first.size().width), 0.25f, 4.0f);
    const auto room = ImGui::GetContentRegionAvail();
    const int columns = columns_of(result->maps.size(), room, gap, shape, caption);
    const float width = std::floor((room.x + gap) / static_cast<float>(columns) - gap);
    const ImVec2 size{width, std::floor(width * shape) + caption};
    const auto& theme = look().theme;
    for (std::int64_t map = 0; map < std::ssize(result->maps); ++map) {
        if (map % columns != 0) ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(map));
        const auto at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton("map", size, ImGuiButtonFlags_EnableNav)) document.select_map(map);
        const auto& range = result->ranges[static_cast<std::size_t>(map)];
        help(map_title(*result, map) + ": colours from " + short_number(range.least, 3) + " to " +
             short_number(range.largest, 3) + ". Click to see its kernels and why it lights up");
        const bool chosen = map == document.map();
        auto* draw = ImGui::GetWindowDrawList();
        if (ImGui::IsItemHovered() || chosen)
            draw->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour_u32(theme.hover), look().px(4));
        const float pad = look().px(3);
        if (ImGui::IsItemVisible()) // textures of what is scrolled away are not made
            thumbnails_.draw(result->maps[static_cast<std::size_t>(map)], {at.x + pad, at.y + pad},
                             {size.x - 2 * pad, size.y - caption - 2 * pad});
        if (chosen)
            draw->AddRect(at, {at.x + size.x, at.y + size.y}, colour_u32(theme.accent), look().px(4),
                          look().px(2));
        {
            const ScopedText secondary(TextStyle::secondary);
            const auto text = shortened(map_title(*result, map), size.x - 2 * pad);
            draw->AddText({at.x + std::floor((size.x - ImGui::CalcTextSize(text.c_str()).x) / 2),
                           at.y + size.y - caption},
                          colour_u32(chosen ? theme.text : theme.second), text.c_str());
        }
        ImGui::PopID();
    }
}

void BankMaps::draw_kernels(const BankExplanation& explanation) {
    constexpr std::size_t kFew = 4;
    const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const int columns = explanation.kernels.size() > kFew ? 4 : 2;
    const float side = std::min(std::floor((room + gap) / static_cast<float>(columns) - gap), look().px(128));
    const ScopedText secondary(TextStyle::secondary);
    const float line = ImGui::GetTextLineHeight();
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) {
        const auto& kernel = explanation.kernels[i];
        if (static_cast<int>(i) % columns != 0) ImGui::SameLine(0, gap);
        ImGui::PushID(static_cast<int>(i));
        const auto at = ImGui::GetCursorScreenPos();
        ImGui::InvisibleButton("kernel", {side, side + line}, ImGuiButtonFlags_EnableNav);
        help("Weights for channel " + std::to_string(kernel.channel) +
             ": orange is positive, blue negative. Its products add up to " + short_number(kernel.sum, 4) +
             " where the map is strongest");
        thumbnails_.draw(kernel.image, at, {side, side});
        const auto text = shortened(std::to_string(kernel.channel) + ": " + short_number(kernel.sum, 3),
                                    side);
        ImGui::GetWindowDrawList()->AddText({at.x, at.y + side}, colour_u32(look().theme.second),
                                            text.c_str());
        ImGui::PopID();
    }
}

void BankMaps::draw_details(const BankDocument& document) {
    const auto& result = document.result();
    const auto* explanation = document.explanation();
    if (!result || !explanation) return;
    heading(map_title(*result, document.map()));
    paragraph(explanation->text);
    heading("Kernels", std::to_string(result->request.kernel.width) + " x " +
                           std::to_string(result->request.kernel.height));
    draw_kernels(*explanation);
    draw_axis_map(*result, document.map());
}

} // namespace kg::ui
