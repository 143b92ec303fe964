#include "gpu/kernels/tensor/patch_grid.hpp"

#include "core/image/border.hpp"
#include "gpu/kernels/tensor/pixel_order.hpp"

#include <algorithm>
#include <optional>

namespace kg::gpu {

namespace {

// Output rows of an inner warp, of which it computes the first ones late: as many as leave the device enough
// warps. Measured on an H200.
constexpr int kMostRows = 32, kSomeRows = 16, kFewestRows = 8;

std::int64_t up(std::int64_t number, std::int64_t step) { return (number + step - 1) / step; }

/// Sets where strips and their input begin, such that loads and, if there are such places, stores are
/// aligned. Returns whether loads are.
bool align(const StageCommon& c, unsigned count, int square, PatchGrid& grid) {
    const int unit = c.channels == 4 ? 16 : 4, least = square / 2, most = 2 * kPatchBefore - square / 2;
    for (const int stores : {8, 4, 1}) {
        if (stores == 8 && c.channels != 4) continue; // only pairs of pixels of four bytes
        for (grid.shift = 0; grid.shift < 4; ++grid.shift)
            for (const int further : {0, -1, 1, -2, 2, -3, 3}) {
                grid.before = kPatchBefore + further;
                if (grid.before >= least && grid.before <= most &&
                    sources_aligned(c, count, c.dst_x - c.src_x - grid.shift - grid.before, unit) &&
                    results_aligned(c, count, -grid.shift, stores))
                    return true;
            }
    }
    grid.shift = 0, grid.before = kPatchBefore;
    return false;
}

/// The four pixels beside the image from column `first` on, if the border takes all that a kernel reaches
/// from four pixels of the source that are aligned as these are.
std::optional<PatchBeside> beside(const StageCommon& c, int first, int reach) {
    // Bytes of several channels are exchanged among each other, never with zeros.
    if (c.border == Border::zero && c.channels > 1) return {};
    PatchBeside four{-1, 0, {}};
    for (int i = 0; i < 4; ++i) {
        const int column = first + i, distance = column < 0 ? -column : column - c.width + 1;
        const int pixel = distance > reach ? -1 : border_index(c.border, column, c.width);
        if (pixel < 0) {
            four.order |= 4u << 4 * i; // zero; where no kernel reaches, any pixel serves
            continue;
        }
        const int place = (pixel - first % 4 + 4) % 4;
        if (four.column < 0) four.column = pixel - place;
        if (four.column != pixel - place) return {};
        four.order |= static_cast<unsigned>(place) << 4 * i;
    }
    if (four.column < 0) four.column = first < 0 ? first + 4 : first - 4;
    const auto set_selectors = [&](const auto& as_they_lie) {
        std::ranges::transform(as_they_lie.selectors, four.selectors,
                               [&](unsigned selector) { return reordered(selector, four.order); });
    };
    if (c.channels == 1) set_selectors(PixelOrder<1>{});
    else if (c.channels == 3) set_selectors(PixelOrder<3>{});
    else set_selectors(PixelOrder<4>{});
    const bool in_source = four.column >= c.src_x && four.column + 4 <= c.src_x + c.src_width;
    return in_source ? std::optional(four) : std::nullopt;
}

/// Sets the strips whose input lies in the source, or in four pixels beside the image, and all of whose
/// outputs lie in the rectangle.
void set_inner_strips(const StageCommon& c, int square, PatchGrid& grid) {
    const bool ends_aligned = (c.dst_width + grid.shift) % 4 == 0;
    grid.last = ends_aligned ? c.dst_width - kPatchAcross : c.dst_width;
    const int source_end = c.src_x + c.src_width;
    const auto left = beside(c, -4, square / 2), right = beside(c, c.width, square / 2);
    const bool from_left = left && c.src_x == 0, to_right = right && source_end == c.width;
    grid.left = left.value_or(PatchBeside{}), grid.right = right.value_or(PatchBeside{});
    const auto is_inner = [&](int strip) {
        const int x = patch_inner_x(grid, strip), first = c.dst_x + x - grid.before,
                  end = first + kPatchInput;
        return x >= 0 && x + kPatchAcross <= c.dst_width &&
               (first >= c.src_x || (first == -4 && from_left)) &&
               (end <= source_end || (end == c.width + 4 && to_right));
    };
    grid.inner_end = grid.strips;
    while (grid.inner_begin < grid.inner_end && !is_inner(grid.inner_begin)) ++grid.inner_begin;
    while (grid.inner_begin < grid.inner_end && !is_inner(grid.inner_end - 1)) --grid.inner_end;
}

/// The rows of outputs whose input lies in the source: whole patches.
Span inner_rows(const StageCommon& c, const PatchShape& shape) {
    const int reach = shape.square / 2, before = c.dst_y - c.src_y;
    const auto top = up(std::max(reach - before, 0), 2) * 2;
    const auto bottom = std::int64_t{std::min(c.dst_height, c.src_height - before - reach)};
    return {top, top + std::max<std::int64_t>(bottom - top, 0) / 2 * 2};
}

} // namespace

PatchGrid patch_grid(const StageCommon& c, unsigned count, const PatchShape& shape, std::int64_t warps) {
    PatchGrid grid{};
    const bool aligned = align(c, count, shape.square, grid);
    grid.strips = static_cast<int>(up(std::int64_t{c.dst_width} + grid.shift, kPatchAcross));
    grid.edge_rows = std::int64_t{grid.strips} * up(c.dst_height, kMostEdgeRows) * count >= warps / 2
                         ? kMostEdgeRows
                         : kFewestEdgeRows;
    grid.wide_stores = shape.words && results_aligned(c, count, -grid.shift, 4);
    grid.pairs = grid.wide_stores && c.channels == 4 && results_aligned(c, count, -grid.shift, 8);
    const auto rows = inner_rows(c, shape);
    if (aligned && grid.wide_stores && rows.begin < rows.end) set_inner_strips(c, shape.square, grid);
    if (grid.inner_begin < grid.inner_end)
        grid.inner_top = static_cast<int>(rows.begin), grid.inner_bottom = static_cast<int>(rows.end);
    const auto of_edge = [&](std::int64_t height) { return up(height, grid.edge_rows); };
    const std::int64_t across = grid.inner_end - grid.inner_begin, down = grid.inner_bottom - grid.inner_top,
                       ends = of_edge(grid.inner_top) + of_edge(c.dst_height - grid.inner_bottom),
                       edges = grid.strips * ends + (grid.strips - across) * of_edge(down);
    const auto has = [&](int rows_each, std::int64_t most) {
        return (across * up(down, rows_each) + edges) * count >= most;
    };
    grid.inner_rows = has(kMostRows, warps)           ? kMostRows
                      : has(kSomeRows, warps * 2 / 5) ? kSomeRows
                                                      : kFewestRows;
    grid.inner_blocks = static_cast<int>(up(across * up(down, grid.inner_rows), kPatchWarps));
    grid.edge_blocks = static_cast<int>(up(edges, kPatchWarps));
    return grid;
}

} // namespace kg::gpu
