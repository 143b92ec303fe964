#pragma once
// Division of a launch into strips that warps march down (gpu/kernels/march/march.cuh).

#include "gpu/kernels/stage.hpp"

#include <string>

namespace kg::gpu {

inline constexpr int kStripWarps = 4; ///< per block; they share nothing
/// Higher strips end too far apart. The ring has a table of so many rows.
inline constexpr int kMostStripRows = 160;

/// A strip is some neighbouring samples of some neighbouring rows of the rectangle of outputs. The first
/// begins `shift` samples before the rectangle. Those that read beside the image take longer for a row, so
/// they have fewer, and the first numbers. Strips are numbered row by row.
struct MarchGrid {
    int shift;
    int across;          ///< strips side by side
    int edges;           ///< of these, those at the edges: the first one and the last ones
    int rows, edge_rows; ///< per strip, and per strip at the edges
    int edge_strips;     ///< per item
    int strips;          ///< per item, altogether
    bool wide_loads;     ///< from the shifted grid on, 4 samples of a row may be read at once
    bool wide_stores;    ///< or written
    bool plain;          ///< the sums over their divisor are the result
};

/// The column of strips and the first row of strip `number`, and its rows; the last one may have fewer.
struct MarchPlace {
    int column, row, rows;
};
KG_HOST_DEVICE constexpr MarchPlace march_place(const MarchGrid& grid, int number) {
    const int inner = grid.across - grid.edges;
    if (number < grid.edge_strips) {
        const int edge = number % grid.edges;
        return {edge == 0 ? 0 : inner + edge, number / grid.edges * grid.edge_rows, grid.edge_rows};
    }
    number -= grid.edge_strips;
    return {1 + number % inner, number / inner * grid.rows, grid.rows};
}

/// Why sums cannot be divided by the step's divisor through its reciprocal; empty if they can. Extreme sums
/// of u16 are excluded, in which a zero around the taps would not be harmless, nor the quotient exact.
std::string why_not_divided(const ImageStep& step);

/// The strips of images whose samples have `sample_bytes`, for warps that own `samples` samples of a row.
/// `warps` is how many of them the device works on together at best: one such wave, or a whole number of
/// them, works on all strips, unless these would have fewer rows than pay. `edge`: how many times longer a
/// row takes at the edges.
MarchGrid march_grid(const StageCommon& c, unsigned count, int sample_bytes, int samples, std::int64_t warps,
                     double edge);

} // namespace kg::gpu
