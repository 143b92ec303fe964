#pragma once
// The inner loop of algorithms for volumes, compiled once per SIMD target.

#include <cstdint>
#include <span>

namespace kg::cpu {

/// A tap along a row: its weight for the sample `place` columns behind the output's.
struct RowTap {
    std::int64_t place = 0;
    float weight = 0;
};

/// The taps that read one row of samples: at[i] is in the column of output i.
struct TapRow {
    const float* at = nullptr;
    std::span<const RowTap> taps;
    bool ends_slice = true; ///< the next row is of another slice
};

/// out[i] = the sum of all taps for i in [0, count), minus before[i] unless that is nullptr. Sums the taps of
/// each row, the rows of each slice, then the slices, so that the error grows with the sum of the kernel's
/// extents (semantics 17). `out` overlaps nothing that is read.
void volume_sums(std::span<const TapRow> rows, const float* before, std::int64_t count, float* out);

} // namespace kg::cpu
