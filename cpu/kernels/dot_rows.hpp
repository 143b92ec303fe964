#pragma once
// The inner loops of `dot`: sums of 8-bit samples times 16-bit integers, two products per 32-bit lane. For
// processors with AVX-512 VNNI, and for those with AVX2 but without AVX-512.

#include "cpu/kernels/dot_taps.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::cpu {

/// 32-bit samples computed together along a row: buffers extend this far beyond the last sample.
inline constexpr std::size_t kDotSlack = 64;

/// 32-bit lanes of a vector: 16 or 8; 0 if the processor lacks the instructions.
int dot_lanes();
inline bool has_dot_products() { return dot_lanes() > 0; }

/// to[i] = from[i] + 2^16 * from[i + channels] for i < n. Reads and writes up to kDotSlack elements more.
void pair_samples(const std::uint8_t* from, std::size_t n, int channels, std::uint32_t* to);

/// The conversion of sums to samples: division, then the optional addition of offsets.
struct DotFinish {
    float divisor = 1;
    const float* offsets = nullptr; ///< for every sample of a row and kDotSlack more, or nullptr
};

/// Computes `count` output rows (at most kDotRows) of n samples, `pitch` bytes apart. rows[s] holds the pairs
/// of source row s, from the leftmost that the first output reaches to the last that the last output reaches,
/// plus kDotSlack. The pairs of all rows that a whole block reaches are read.
void dot_block(const DotTaps& taps, const std::uint32_t* const* rows, std::size_t count, std::size_t n,
               const DotFinish& finish, std::uint8_t* to, std::size_t pitch);

} // namespace kg::cpu
