#include "app/ui/workspaces/bank/bank_maps.hpp"

#include "app/editor/bank/bank_sizes.hpp"
#include "app/ui/widgets/parts.hpp"
#include "core/support/capital.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace kg::ui {

namespace {

constexpr float kMapCell = 116; ///< minimum width of a map

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

/// Of a map in this width, with room for a number in each of `rows` tasks below each other.
ImVec2 size_of(const AxisMap& map, float width, std::int64_t rows) {
    const float least = look().px(static_cast<float>(std::max<std::int64_t>(2, rows)) * 16),
                most = look().px(200);
    const float height = width * static_cast<float>(map.outputs.height) /
                         static_cast<float>(map.outputs.width);
    return {width, std::clamp(std::floor(height), std::min(least, most), most)};
}

/// The whole map where its tasks are large enough to be told apart, else its first corner.
AxisMap visible_part(const AxisMap& map, float width) {
    constexpr std::int64_t kCorner = 6;
    const auto size = size_of(map, width, 1);
    const float across = size.x * static_cast<float>(map.tile.width) / static_cast<float>(map.outputs.width),
                down = size.y * static_cast<float>(map.tile.height) / static_cast<float>(map.outputs.height);
    return std::min(across, down) >= look().px(6) ? map : corner_of(map, kCorner, kCorner);
}

void draw_axis_map(const BankResult& result, std::int64_t map) {
    heading("Tasks");
    if (!result.outcome->tiling) return note("This algorithm does not state how it divides the outputs.");
    const auto all = axis_map(result, map);
    note(all.text);
    const float width = ImGui::GetContentRegionAvail().x;
    const auto axes = visible_part(all, width);
    if (axes.outputs != all.outputs)
        note("All " + std::to_string(all.columns) + " x " + std::to_string(all.rows) +
             " would be too small to be seen. This is the upper left corner, " +
             std::to_string(axes.outputs.width) + " x " + std::to_string(axes.outputs.height) + " outputs:");
    const auto at = ImGui::GetCursorScreenPos();
    const auto size = size_of(axes, width, axes.outputs == all.outputs ? 1 : axes.rows);
    ImGui::InvisibleButton("tasks", size, ImGuiButtonFlags_EnableNav);
    help("Which task computes which output of this map: rows run downward, columns to the right. " +
         (ImGui::IsItemHovered() ? output_text(axes, at, size) : std::string()));
    draw_tiles(axes, at, size);
    draw_outputs(axes, at, size);
}

/// A ring around the strongest output, which is seen on bright and on dark maps.
void mark_peak(const ImRect& image, const MapPeak& peak, Extent outputs) {
    const auto centre = [](float from, float length, std::int64_t i, std::int64_t count) {
        return from + length * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
    };
    const ImVec2 at{centre(image.Min.x, image.GetWidth(), peak.column, outputs.width),
                    centre(image.Min.y, image.GetHeight(), peak.row, outputs.height)};
    auto* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(image.Min, image.Max, true);
    draw->AddCircle(at, look().px(6), IM_COL32_BLACK, 0, look().px(4));
    draw->AddCircle(at, look().px(6), IM_COL32_WHITE, 0, look().px(2));
    draw->PopClipRect();
}

/// A frame around the numbers of the input that the strongest output reads.
void mark_source(const ImRect& image, const BankRequest& request, const MapPeak& peak) {
    const auto read = source_rect(request, {peak.column, peak.row, 1, 1});
    const float x = image.GetWidth() / static_cast<float>(request.size.width),
                y = image.GetHeight() / static_cast<float>(request.size.height);
    const ImVec2 low{image.Min.x + x * static_cast<float>(read.x),
                     image.Min.y + y * static_cast<float>(read.y)},
        high{low.x + std::max(look().px(6), x * static_cast<float>(read.width)),
             low.y + std::max(look().px(6), y * static_cast<float>(read.height))};
    auto* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(image.Min, image.Max, true);
    draw->AddRect(low, high, IM_COL32_BLACK, 0, look().px(4));
    draw->AddRect(low, high, IM_COL32_WHITE, 0, look().px(2));
    draw->PopClipRect();
}

std::string range_text(const BankResult& result, std::int64_t map) {
    const auto& range = result.ranges[static_cast<std::size_t>(map)];
    return "colours from " + short_number(range.least, 3) + " to " + short_number(range.largest, 3);
}

} // namespace

/// A tile: a button with an image and a caption. Returns whether it was clicked, and where its image is,
/// which is nowhere while it is scrolled away.
std::pair<bool, ImRect> BankMaps::tile(const char* id, const std::shared_ptr<const Image>& image,
                                       const Tile& tile, const Caption& caption, bool chosen) {
    const auto at = ImGui::GetCursorScreenPos();
    const ImVec2 end{at.x + tile.size.x, at.y + tile.size.y};
    const bool clicked = ImGui::InvisibleButton(id, tile.size, ImGuiButtonFlags_EnableNav);
    const auto& theme = look().theme;
    auto* draw = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered() || chosen) draw->AddRectFilled(at, end, colour_u32(theme.hover), look().px(4));
    const float pad = look().px(3);
    ImRect shown;
    if (ImGui::IsItemVisible()) // textures of what is scrolled away are not made
        shown = thumbnails_.draw(image, {at.x + pad, at.y + pad},
                                 {tile.size.x - 2 * pad, tile.size.y - tile.caption - 2 * pad});
    if (chosen) draw->AddRect(at, end, colour_u32(theme.accent), look().px(4), look().px(2));
    const ScopedText secondary(TextStyle::secondary);
    const auto text = shortened_begin(caption.begin, caption.end, tile.size.x - 2 * pad);
    draw->AddText(
        {at.x + std::floor((tile.size.x - ImGui::CalcTextSize(text.c_str()).x) / 2), end.y - tile.caption},
        colour_u32(chosen ? theme.text : theme.second), text.c_str());
    return {clicked, shown};
}

void BankMaps::draw_map(BankDocument& document, std::int64_t map, const Tile& tile_size) {
    const auto& result = *document.result();
    const bool chosen = map == document.map();
    ImGui::PushID(static_cast<int>(map));
    const auto [clicked, image] = tile("map", result.maps[static_cast<std::size_t>(map)], tile_size,
                                       {result.kernel_title(map), result.channel_title(map)}, chosen);
    if (clicked) document.select_map(map);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) enlarged_ = !enlarged_;
    help(result.title_of(map) + ", map " + std::to_string(map) + ": " + range_text(result, map) +
         (enlarged_ ? ". A double click shows all maps"
                    : ". Click to see its kernels and why it lights up, double-click to enlarge it"));
    if (chosen && image.GetWidth() > 0)
        mark_peak(image, document.explanation()->peak, result.outcome->result.shape.size);
    ImGui::PopID();
}

void BankMaps::draw_input(const BankDocument& document, const Tile& tile_size) {
    const auto& result = *document.result();
    const auto item = result.item_of(document.map());
    const auto [ignored, image] = tile(
        "input", (*result.inputs)[static_cast<std::size_t>(item)], tile_size,
        {"Input", result.before->shape.items == 1 ? "" : ", item " + std::to_string(item)}, false);
    help("The input. The frame shows the numbers that the strongest output of the selected map reads");
    if (image.GetWidth() > 0) mark_source(image, result.request, document.explanation()->peak);
}

void BankMaps::draw_sheet(BankDocument& document) {
    thumbnails_.sweep();
    if (!document.why_not().empty()) notice(Tone::warning, capitalised(document.why_not()));
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
    if (enlarged_) return draw_map(document, document.map(), {ImGui::GetContentRegionAvail(), caption});
    const auto& first = *result->maps.front();
    const float shape = std::clamp(
        static_cast<float>(first.size().height) / static_cast<float>(first.size().width), 0.25f, 4.0f);
    const auto room = ImGui::GetContentRegionAvail();
    const int columns = columns_of(result->maps.size() + 1, room, gap, shape, caption);
    const float width = std::floor((room.x + gap) / static_cast<float>(columns) - gap);
    const Tile tile_size{{width, std::floor(width * shape) + caption}, caption};
    draw_input(document, tile_size);
    for (std::int64_t map = 0; map < std::ssize(result->maps); ++map) {
        if ((map + 1) % columns != 0) ImGui::SameLine(0, gap);
        draw_map(document, map, tile_size);
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
    heading(result->title_of(document.map()), "map " + std::to_string(document.map()));
    if (enlarged_ ? button("all maps", icon::kGrid, "All maps", "Show all maps beside each other")
                  : button("enlarge map", icon::kExpand, "Enlarge", "Show this map alone (double click)"))
        enlarged_ = !enlarged_;
    paragraph(explanation->text);
    heading("Kernels", std::to_string(result->request.kernel.width) + " x " +
                           std::to_string(result->request.kernel.height));
    draw_kernels(*explanation);
    draw_axis_map(*result, document.map());
}

} // namespace kg::ui
