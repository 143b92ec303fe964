#pragma once
// Division of a launch into strips that warps march down (gpu/kernels/march/march.cuh).

#include "gpu/kernels/stage.hpp"

#include <string>

namespace kg::gpu {

inline constexpr int kStripWarps = 4; ///< per block; they share nothing
/// Higher strips end too far apart. The ring has a table of so many rows.
inline constexpr int kMostStripRows = 160;

/// A strip is some neighbouring samples of some neighbouring rows of the rectangle of outputs. Strips are
/// numbered row by row; the first begins `shift` samples before the rectangle.
struct MarchGrid {
    int shift;
    int across;              ///< strips side by side
    int rows;                ///< per strip
    int strips;              ///< per item
    unsigned rows_with_taps; ///< bit i: row i of a square kernel
    bool wide_loads;         ///< from the shifted grid on, 4 samples of a row may be read at once
    bool wide_stores;        ///< or written
    bool plain;              ///< the sums over their divisor are the result
};

/// Why the strips' loop cannot divide by a step's divisor; empty if it can.
std::string why_not_divided(const ImageStep& step);

/// The strips of images whose samples have `sample_bytes`, for warps that own `samples` samples of a row.
/// `warps` is how many of them the device works on together at best; strips are as high as gives each the
/// same number, and at least `fewest_rows`.
MarchGrid march_grid(const StageCommon& c, unsigned count, int sample_bytes, int samples, std::int64_t warps,
                     int fewest_rows);

} // namespace kg::gpu
