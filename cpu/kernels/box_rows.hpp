#pragma once
// Running sums of integers, where subtraction is exact: the inner loops of `box` for u8 and u16. Compiled
// once per SIMD target.

#include "core/image/pixel.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::cpu {

/// Buffers of sums are read and written this many elements beyond the last sample.
inline constexpr std::size_t kSumSlack = 16;

/// sums[i] += entering[i] - leaving[i] for n samples of u8 or u16, modulo 2^32, so that only the result must
/// fit.
void slide_down(const void* entering, const void* leaving, Depth depth, std::size_t n, std::uint32_t* sums);

/// out[i] = sum over the `size` pixels from pixel i of `columns`, which holds pixels + size - 1 of them.
void slide_along(const std::uint32_t* columns, std::size_t size, int channels, std::size_t pixels,
                 std::uint32_t* out);

/// out[i] = sums[i] * weight / divisor + offsets[i], for sums below 2^31. If `exact`, the product is below
/// 2^24 and the quotient is one f32 division; otherwise it is computed in float64 and rounded.
void divide_sums(const std::uint32_t* sums, bool exact, float weight, float divisor, const float* offsets,
                 std::size_t n, float* out);

} // namespace kg::cpu
