#pragma once
// The transforms of Winograd's F(m x m, 3 x 3) for many tiles at a time, compiled once per SIMD target. m is
// 2 or 4, and a tile has (m + 2) x (m + 2) points. The matrices are those of core/request/winograd.hpp.

#include <cstdint>

namespace kg::cpu {

/// B^T d B of `count` tiles for m = `side`: the point (i, j) of tile t is at
/// points[((side + 2) i + j) * step + t], and is replaced. Up to kBankSlack numbers behind each row are
/// written without meaning.
void transform_winograd_input(std::int64_t side, float* points, std::int64_t step, std::int64_t count);

/// A^T s A of `count` tiles for m = `side`, for 4 divided by 9, plus `bias`: the output (i, j) of tile t goes
/// to outputs[i * output_step + side t + j]. Up to side * kBankSlack numbers behind each row are written
/// without meaning. False if any of them is not finite, perhaps one without meaning.
bool transform_winograd_sums(std::int64_t side, const float* sums, std::int64_t step, std::int64_t count,
                             float bias, float* outputs, std::int64_t output_step);

} // namespace kg::cpu
