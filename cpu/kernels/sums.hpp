#pragma once
// The inner loops of `direct`, `separable` and `float64`, compiled once per SIMD target. Every output is one chain of fused
// multiply-adds over its own taps in the order of the kernel, so it has the same bytes wherever it lies in a block.

#include "core/image/pixel.hpp"
#include "core/request/stage.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace kg::cpu {

/// Whole vectors are read and written: buffers need this many floats beyond the last sample.
inline constexpr std::size_t kRowSlack = 64;

/// Output rows summed together, so that a sample once loaded serves the taps of all of them.
inline constexpr int kBlockRows = 4;

/// A kernel prepared for block_sums().
struct BlockTaps {
    /// A source sample's weights in each of the block's rows; only those of the run's rows are used.
    struct Tap {
        std::ptrdiff_t offset; ///< in samples, from the output's own column
        float weights[kBlockRows];
    };
    /// Taps [begin, end) that one source row gives to the block's rows first to last.
    struct Run {
        int source_row; ///< counted from the topmost row that the stage reaches from the block
        int first, last;
        std::size_t begin, end;
    };
    std::vector<Tap> taps;
    std::vector<Run> runs;
    bool by_rows = false; ///< each kernel row is summed by itself, then the rows (semantics 11)
};

/// `kernel` within a stage that reaches `up` rows above an output. A zero weight becomes no tap (semantics 10).
BlockTaps block_taps(const Taps& kernel, int up, int channels, bool by_rows = false);

/// For a block of outputs that lie `apart` rows from each other, with the sample of the kernel's column j at place(j).
BlockTaps spaced_taps(const Taps& kernel, int up, std::int64_t apart,
                      const std::function<std::int64_t(int)>& place, bool by_rows);

/// out[r * stride + i] = sum of weight * rows[source_row][i + offset] for the block's rows r and i in [begin, end).
/// rows[s] points at the column of i = 0, in samples of `depth`. Where end < kRowSlack, rows (which must be f32 then) and
/// out are read and written up to kRowSlack beyond the last; otherwise samples before begin may be written once more.
void block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                std::size_t end, float* out, std::size_t stride);
/// The same in float64: the product of two floats is exact there, so only its sums round.
void block_sums(const BlockTaps& kernel, const std::byte* const* rows, Depth depth, std::size_t begin,
                std::size_t end, double* out, std::size_t stride);

/// What is left of a kernel when its columns are summed: taps along a row.
struct LineTaps {
    struct Tap {
        std::ptrdiff_t offset; ///< in floats
        float weight;
    };
    std::vector<Tap> taps;
    float divisor = 1;
};

/// How sums become an output row.
struct Finish {
    std::vector<LineTaps> kernels;
    Combine combine = Combine::single;
    std::vector<float> offsets; ///< for every sample of a row and kRowSlack more, or empty if all are 0
};

/// to[i] = combination over kernels k of (sum of weight * lines[k][i + offset]) / divisor, plus offset, clamped and
/// rounded to `depth`, for i in [begin, end). The lines are read up to kRowSlack beyond the last sample.
void finish_row(const Finish& finish, const float* const* lines, std::size_t begin, std::size_t end,
                Depth depth, void* to);

} // namespace kg::cpu
