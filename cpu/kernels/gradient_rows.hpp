#pragma once
// The inner loop of `gradient`: two kernels with integer factors on the same loaded samples, a few rows at a
// time. Compiled once per SIMD target.

#include "core/image/pixel.hpp"
#include "core/request/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::cpu {

/// The largest number of rows and columns that both kernels together reach over.
inline constexpr int kMostGradientRows = 7;
/// Output rows at a time, so that memory is read along rows.
inline constexpr std::size_t kGradientBlockRows = 8;
inline constexpr std::size_t kGradientSlack = 64;

/// weights[i][j] = column[i] * row[j]. Zero factors are no taps, because NaN must not propagate through them.
struct FactoredKernel {
    struct Tap {
        std::ptrdiff_t offset; ///< in samples, from the output's own column
        float weight;
    };
    std::vector<Tap> row;
    std::array<float, kMostGradientRows> column{}; ///< from the topmost row that either kernel reaches
    float divisor = 1;
};

struct GradientWork {
    std::array<FactoredKernel, 2> kernels;
    int rows, columns; ///< extent that both kernels together reach over
    int left;          ///< columns that they reach to the left
    int channels;
    Combine combine;
    bool in_16_bits; ///< the sums of bytes fit 16 bits
};

/// Computes `count` output rows (at most kGradientBlockRows) of n samples, `pitch` bytes apart, in the format
/// `to`. source[i] points at the column of the first output in source row i, counted from the topmost row
/// needed. Rows beyond the last one needed are read, but not used, until the larger kernel size is 3, 5 or 7.
/// `from` is f32, or u8 or u16 if `to` is the same. With fewer than kGradientSlack samples it is f32, and
/// rows are readable this far beyond the last sample. `offsets` are added to every sample and extend
/// kGradientSlack beyond n; nullptr: none.
void gradient_block(const GradientWork& work, const std::byte* const* source, Depth from, std::size_t count,
                    std::size_t n, const float* offsets, Depth to, std::byte* out, std::size_t pitch);

} // namespace kg::cpu
