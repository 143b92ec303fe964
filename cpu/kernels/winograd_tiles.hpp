#pragma once
// The transforms of Winograd's F(2 x 2, 3 x 3) for many tiles at a time, compiled once per SIMD target.

#include <cstdint>

namespace kg::cpu {

/// B^T d B of `count` tiles: the number (i, j) of tile t is at points[(4 i + j) * step + t], and is replaced.
/// Up to kBankSlack numbers behind each row are written without meaning.
void transform_winograd_input(float* points, std::int64_t step, std::int64_t count);

/// A^T m A of `count` tiles: the output (i, j) of tile t goes to outputs[(2 i + j) * output_step + t].
void transform_winograd_sums(const float* sums, std::int64_t step, std::int64_t count, float* outputs,
                             std::int64_t output_step);

} // namespace kg::cpu
