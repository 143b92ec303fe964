#include "gpu/kernels/tensor/patch_grid.hpp"

#include "core/image/border.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {

constexpr int kMostRows = 16, kFewestRows = 8; // output rows of an inner warp

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

/// The strips whose input lies in the source and all of whose outputs lie in the rectangle.
Span inner_strips(const StageCommon& c, int shift, int before) {
    const auto first = std::int64_t{c.dst_x} - c.src_x - shift - before; // column of strip 0's input
    const auto room = std::min(c.src_width - first - kPatchInput,
                               std::int64_t{c.dst_width} + shift - kPatchAcross);
    return {std::max(up(shift, kPatchAcross), first < 0 ? up(-first, kPatchAcross) : 0),
            room < 0 ? 0 : room / kPatchAcross + 1};
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
    grid.pairs = grid.wide_stores && results_aligned(c, count, -grid.shift, 8);
    const auto strips = inner_strips(c, grid.shift, grid.before), rows = inner_rows(c, shape);
    if (aligned && grid.wide_stores && strips.begin < strips.end && rows.begin < rows.end) {
        grid.inner_begin = static_cast<int>(strips.begin), grid.inner_end = static_cast<int>(strips.end);
        grid.inner_top = static_cast<int>(rows.begin), grid.inner_bottom = static_cast<int>(rows.end);
    }
    const auto of_edge = [&](std::int64_t height) { return up(height, grid.edge_rows); };
    const std::int64_t across = grid.inner_end - grid.inner_begin, down = grid.inner_bottom - grid.inner_top,
                       ends = of_edge(grid.inner_top) + of_edge(c.dst_height - grid.inner_bottom),
                       edges = grid.strips * ends + (grid.strips - across) * of_edge(down);
    grid.inner_rows = (across * up(down, kMostRows) + edges) * count >= warps ? kMostRows : kFewestRows;
    grid.inner_blocks = static_cast<int>(up(across * up(down, grid.inner_rows), kPatchWarps));
    grid.edge_blocks = static_cast<int>(up(edges, kPatchWarps));
    return grid;
}

} // namespace kg::gpu
