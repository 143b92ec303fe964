#pragma once
// The inner loops of `dot`: sums of 8-bit samples times 16-bit numbers, two products at once in each lane of 32 bits. For
// processors with AVX-512 VNNI or AVX-VNNI.

#include "cpu/kernels/dot_taps.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::cpu {

/// Samples of 32 bits that are computed together along a row: buffers reach so far beyond the last one.
inline constexpr std::size_t kDotSlack = 64;

/// False where the processor lacks the instruction.
bool has_dot_products();

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
