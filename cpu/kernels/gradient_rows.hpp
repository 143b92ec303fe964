#pragma once
// The inner loop of `gradient`: two kernels of integer factors from the same loaded samples, a few rows at a time.
// Compiled once per SIMD target.

#include "core/image/pixel.hpp"
#include "core/request/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::cpu {

inline constexpr int kMostGradientRows = 7; ///< that both kernels together reach over
inline constexpr std::size_t kGradientBlockRows =
    8; ///< output rows at a time, so that memory is read along rows
inline constexpr std::size_t kGradientSlack = 64;

/// weights[i][j] = column[i] * row[j]. Zero factors are no taps: NaN must not leak through them.
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
    int rows, columns; ///< that both together reach over
    int left;          ///< columns that they reach to the left
    int channels;
    Combine combine;
    bool in_16_bits; ///< the sums of bytes fit
};

/// `count` output rows (at most kGradientBlockRows) of n samples, `pitch` bytes apart, as `to`. source[i] is the place of
/// the first output's column in source row i, counted from the topmost one needed; as many rows beyond the last one needed
/// are read, but not used, as make the kernels' longer side 3, 5 or 7. `from` is f32, or u8 or u16 as `to` is; with fewer
/// than kGradientSlack samples it is f32, and rows are readable so far beyond the last. `offsets` are added to every
/// sample, kGradientSlack more of them than n; nullptr: none.
void gradient_block(const GradientWork& work, const std::byte* const* source, Depth from, std::size_t count,
                    std::size_t n, const float* offsets, Depth to, std::byte* out, std::size_t pitch);

} // namespace kg::cpu
