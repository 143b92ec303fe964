#pragma once
// Division of a launch of `patches` into warps (gpu/algorithms/patches.cu).

#include "gpu/kernels/stage.hpp"
#include "gpu/kernels/tensor/integer_sums.hpp"

namespace kg::gpu {

inline constexpr int kPatchAcross = 64;                       // outputs of a row that a warp computes
inline constexpr int kPatchBefore = 4;                        // usual number of pixels loaded before them
inline constexpr int kPatchInput = 72;                        // ... and altogether
inline constexpr int kPatchWarps = 4;                         // warps of a block; they share nothing
inline constexpr int kMostEdgeRows = 16, kFewestEdgeRows = 4; // output rows of an edge warp

/// What the division depends on besides the launch.
struct PatchShape {
    int square; ///< side of the square of taps around an output
    bool words; ///< results may be stored by words where they are aligned
};

/// Four neighbouring pixels beside the image, each of which the border takes from one of four neighbouring
/// pixels of a row, or from none.
struct PatchBeside {
    int column;            ///< column in the image of the first of the four
    unsigned order;        ///< pixel i is the one of number `order >> 4 i & 7`, or zero if that is 4
    unsigned selectors[3]; ///< arguments of to_planar() (gpu/kernels/tensor/pixel_order.hpp)
};

/// Strips are 64 outputs wide; the first begins `shift` pixels before the rectangle of outputs, and its input
/// `before` pixels before it, such that loads and stores are aligned, if there are such numbers. Inner warps
/// march down strips [inner_begin, inner_end) within rows [inner_top, inner_bottom), `inner_rows` each: all
/// their input lies in the source or consists of the four pixels to the left or to the right of the image,
/// all their results are stored by words. The last of them may begin earlier and compute outputs of its
/// neighbour again. Edge warps compute all other outputs, `edge_rows` each, wherever their input comes from.
/// Blocks of edge warps are the first ones, because theirs take longest.
struct PatchGrid {
    SumFinish finish;
    unsigned kept;    ///< bytes of a pixel of four that are copied
    bool floats;      ///< the result is f32
    bool wide_stores; ///< results may be stored by words ...
    bool pairs;       ///< ... and those of four channels by pairs of them
    int shift, before;
    int strips;
    int last; ///< where the last strip begins for inner warps
    PatchBeside left, right;
    int inner_begin, inner_end, inner_top, inner_bottom, inner_rows;
    int edge_rows, edge_blocks, inner_blocks;
};

/// The first output of an inner warp's strip, in pixels of the rectangle.
KG_HOST_DEVICE constexpr int patch_inner_x(const PatchGrid& grid, int strip) {
    const int x = strip * kPatchAcross - grid.shift;
    return x < grid.last ? x : grid.last;
}

/// Outputs of a warp: of one strip, rows [top, bottom).
struct PatchRange {
    int strip, top, bottom;
};

/// The outputs of inner warp `number`; none if there are fewer.
KG_HOST_DEVICE constexpr PatchRange patch_inner(const PatchGrid& grid, int number) {
    const int across = grid.inner_end - grid.inner_begin,
              top = grid.inner_top + number / across * grid.inner_rows, end = top + grid.inner_rows;
    return {grid.inner_begin + number % across, top, end < grid.inner_bottom ? end : grid.inner_bottom};
}

/// Whether some of an inner warp's input lies beside the image.
KG_HOST_DEVICE constexpr bool patch_is_beside(const StageCommon& c, const PatchGrid& grid,
                                              const PatchRange& range) {
    const int first = c.dst_x + patch_inner_x(grid, range.strip) - grid.before;
    return first < 0 || first + kPatchInput > c.width;
}

/// The outputs of edge warp `number`; none if there are fewer.
KG_HOST_DEVICE constexpr PatchRange patch_edge(const PatchGrid& grid, int height, int number) {
    const auto up = [&](int rows) { return (rows + grid.edge_rows - 1) / grid.edge_rows; };
    const int above = up(grid.inner_top), ends = above + up(height - grid.inner_bottom);
    if (number < ends * grid.strips) {
        const int down = number / grid.strips, strip = number % grid.strips;
        const int top = down < above ? down * grid.edge_rows
                                     : grid.inner_bottom + (down - above) * grid.edge_rows;
        const int end = down < above ? grid.inner_top : height;
        return {strip, top, top + grid.edge_rows < end ? top + grid.edge_rows : end};
    }
    number -= ends * grid.strips;
    const int beside = grid.strips - (grid.inner_end - grid.inner_begin);
    if (number >= beside * up(grid.inner_bottom - grid.inner_top)) return {};
    const int strip = number % beside, top = grid.inner_top + number / beside * grid.edge_rows;
    return {strip < grid.inner_begin ? strip : strip + grid.inner_end - grid.inner_begin, top,
            top + grid.edge_rows < grid.inner_bottom ? top + grid.edge_rows : grid.inner_bottom};
}

/// Divides a launch of `count` items; `finish`, `kept` and `floats` are left to the caller. `warps`: how many
/// warps the device should get at least, where the image is large enough.
PatchGrid patch_grid(const StageCommon& c, unsigned count, const PatchShape& shape, std::int64_t warps);

} // namespace kg::gpu
