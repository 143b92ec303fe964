#pragma once
// The inner loop of `gradient`: two kernels of integer factors down a strip of a tile, from the same loaded samples.
// Compiled once per SIMD target.

#include "core/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::cpu {

inline constexpr int kMostGradientRows = 7; ///< that both kernels together reach over

/// weights[i][j] = column[i] * row[j]. Zero factors are no taps: NaN must not leak through them.
struct FactoredKernel {
    struct Tap {
        std::ptrdiff_t offset; ///< in floats, from the output's own column
        float weight;
    };
    std::vector<Tap> row;
    std::array<float, kMostGradientRows> column{}; ///< from the topmost row that either kernel reaches
    float divisor = 1;
};

/// True if the sums of bytes fit 16 bits, so that gradient_bytes() will do.
bool fits_bytes(const std::array<FactoredKernel, 2>& kernels);

/// gradient_rows() for u8 in and out: 16-bit sums of the stored bytes, then f32. Rows are `stride` bytes apart.
void gradient_bytes(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine,
                    const std::uint8_t* top, std::ptrdiff_t stride, std::size_t count, std::size_t n,
                    const float* offsets, std::uint8_t* out, std::ptrdiff_t out_stride);

/// `rows` kernel rows, `count` output rows of n samples. `top` is the place of the first output's column in the topmost
/// row it needs; rows are `stride` floats apart there and `out_stride` in `out`. Reads and writes up to kGradientSlack
/// samples beyond a row's last sample.
void gradient_rows(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine, const float* top,
                   std::ptrdiff_t stride, std::size_t count, std::size_t n, const float* offsets, float* out,
                   std::ptrdiff_t out_stride);

inline constexpr std::size_t kGradientSlack = 64;

} // namespace kg::cpu
