#pragma once
// The inner loops of `direct`, `separable` and `float64`, compiled once per SIMD target. Every output is one
// chain of fused multiply-adds over its taps in kernel order, so it has the same bytes at any position in a
// block.

#include "core/image/pixel.hpp"
#include "core/request/stage.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace kg::cpu {

/// Whole vectors are read and written: buffers need this many numbers beyond the last sample.
inline constexpr std::size_t kRowSlack = 64;

/// Output rows summed together, so that a loaded sample serves the taps of all of them.
inline constexpr int kBlockRows = 4;

/// A kernel prepared for block_sums().
struct BlockTaps {
    /// The weights of a source sample in each row of the block; only those of the run's rows are used.
    struct Tap {
        std::ptrdiff_t offset; ///< in samples, from the output's own column
        float weights[kBlockRows];
    };
    /// Taps [begin, end) that one source row contributes to the rows first to last of the block.
    struct Run {
        int source_row; ///< relative to the topmost row that the stage reaches from the block
        int first, last;
        std::size_t begin, end;
    };
    std::vector<Tap> taps;
    std::vector<Run> runs;
    bool by_rows = false; ///< each kernel row is summed by itself, then the rows (semantics 11)
};

/// `kernel` within a stage that reaches `up` rows above an output. A zero weight is no tap (semantics 10).
BlockTaps block_taps(const Taps& kernel, int up, int channels, bool by_rows = false);

/// For a block of outputs that are `apart` rows from each other, where the sample of kernel column j is at
/// place(j).
BlockTaps spaced_taps(const Taps& kernel, int up, std::int64_t apart,
                      const std::function<std::int64_t(int)>& place, bool by_rows);

/// out[r * stride + i] = sum of weight * rows[source_row][i + offset] for the rows r of the block and i in
/// [begin, end). rows[s] points at the column of i = 0, in samples of `depth`. If end < kRowSlack, rows
/// (which must then be f32 or f64) and out are read and written up to kRowSlack beyond the last sample;
/// otherwise samples before begin may be written again.
void block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                std::size_t end, float* out, std::size_t stride);
/// The same in float64, also of samples in f64: the product of two floats is exact, so only the sums round.
void block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                std::size_t end, double* out, std::size_t stride);

/// The row taps of a kernel whose columns are already summed.
struct LineTaps {
    struct Tap {
        std::ptrdiff_t offset; ///< in samples
        float weight;
    };
    std::vector<Tap> taps;
    float divisor = 1;
};

/// The conversion of sums to an output row.
struct Finish {
    std::vector<LineTaps> kernels;
    Combine combine = Combine::single;
    std::vector<float> offsets; ///< for every sample of a row and kRowSlack more, or empty if all are 0
    /// Sums in float64 only: each operation after them is rounded to f32, so that the bytes are those of f32.
    bool rounds_to_float32 = false;
};

/// to[i] = combination over kernels k of (sum of weight * lines[k][i + offset]) / divisor, plus offset,
/// clamped and rounded to `depth`, for i in [begin, end). The lines are read up to kRowSlack beyond the last
/// sample.
void finish_row(const Finish& finish, const float* const* lines, std::size_t begin, std::size_t end,
                Depth depth, void* to);
/// The same in float64, also to f64.
void finish_row(const Finish& finish, const double* const* lines, std::size_t begin, std::size_t end,
                Depth depth, void* to);

} // namespace kg::cpu
