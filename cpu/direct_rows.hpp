#pragma once
// The inner loop of `direct`: one stretch of an output row as a sum of shifted f32 rows. Compiled once per SIMD target.

#include "core/stage.hpp"

#include <cstddef>
#include <vector>

namespace kg::cpu {

/// One kernel as the non-zero taps of each of its rows; offsets are floats from the output sample's own place.
struct TapRows {
    struct Tap {
        std::ptrdiff_t offset;
        float weight;
    };
    std::vector<Tap> taps;
    std::vector<std::size_t> row_begin; ///< rows + 1 entries into taps
    float divisor = 1;
};

/// Rows are read and written in whole vectors: buffers need this many floats beyond the last sample.
inline constexpr std::size_t kRowSlack = 64;

/// out[i] = combination over kernels of (sum of weight * centre[i + offset]) / divisor, plus offsets[i], for i in [0, n).
/// Each kernel row is summed by itself, then the rows (semantics 11). `centre` points at the first sample's own place.
void filter_row(const std::vector<TapRows>& kernels, Combine combine, const float* centre,
                const float* offsets, float* out, std::size_t n);

} // namespace kg::cpu
