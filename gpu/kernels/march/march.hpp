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

/// Why sums cannot be divided by the step's divisor through its reciprocal; empty if they can. Extreme sums
/// of u16 are excluded, in which a zero around the taps would not be harmless, nor the quotient exact.
std::string why_not_divided(const ImageStep& step);

/// The strips of images whose samples have `sample_bytes`, for warps that own `samples` samples of a row.
/// `warps` is how many of them the device works on together at best: one such wave, or a whole number of
/// them, works on all strips, unless these would have fewer rows than pay.
MarchGrid march_grid(const StageCommon& c, unsigned count, int sample_bytes, int samples, std::int64_t warps);

} // namespace kg::gpu
