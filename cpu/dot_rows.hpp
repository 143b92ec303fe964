#pragma once
// The inner loops of `dot`: sums of 8-bit samples times 16-bit numbers, two products at once in each lane of 32 bits. For
// processors with AVX-512 VNNI or AVX-VNNI.

#include "cpu/dot_weights.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::cpu {

/// Samples of 32 bits that are computed together along a row: buffers reach so far beyond the last one.
inline constexpr std::size_t kDotSlack = 64;

/// Output rows summed together, so that samples once loaded serve all of them.
inline constexpr int kDotRows = 4;

/// False where the processor lacks the instruction.
bool has_dot_products();

/// A kernel prepared for dot_block().
struct DotTaps {
    /// A digit of the weights of two neighbours in the kernel, the left one in the low half, for each of the block's rows.
    struct Tap {
        std::int32_t source_row; ///< counted from the topmost that the block reaches
        std::int32_t offset;     ///< in samples, from the first that the kernel reaches
        std::int32_t weights[kDotRows];
    };
    /// Taps [begin, end) for the block's rows first to last.
    struct Run {
        int first, last;
        std::size_t begin, end;
    };
    std::vector<Tap> taps;
    std::vector<Run> high, low; ///< by the digit of the numbers
};

DotTaps dot_taps(const DotWeights& weights, int width, int height, int channels);

/// How many pairs of products that takes for an output sample, which is sooner said than the taps are made.
double dot_products(const DotWeights& weights, int width, int height);

/// to[i] = from[i] + 2^16 * from[i + channels] for i < n; reads and writes up to kDotSlack more.
void pair_samples(const std::uint8_t* from, std::size_t n, int channels, std::uint32_t* to);

/// How sums become samples: divided, and moved by the offsets, if there are any.
struct DotFinish {
    float divisor = 1;
    const float* offsets = nullptr; ///< for every sample of a row and kDotSlack more, or nullptr
};

/// `count` output rows (at most kDotRows) of n samples, `pitch` bytes apart. rows[s] has the pairs of source row s, from the
/// leftmost that the first output reaches on, as far as the last one reaches and kDotSlack beyond; those of all rows that a
/// whole block reaches are read.
void dot_block(const DotTaps& taps, const std::uint32_t* const* rows, std::size_t count, std::size_t n,
               const DotFinish& finish, std::uint8_t* to, std::size_t pitch);

} // namespace kg::cpu
