#pragma once
// The inner loops of filters that run along lines, kLanes of them size by size (cpu/kernels/lines.hpp).
// Compiled once per SIMD target; every target executes the same float64 operations in the same order.

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace kg::cpu {

/// out[j] = sum of in[j + i] for i in [0, size), for j in [0, count). No sum contains anything from outside
/// its window, so NaN and large numbers do not propagate. The line is cut into blocks of `size` samples,
/// counted from position 0 of the image; a window is the end of one block and the beginning of the next, both
/// accumulated step by step. `first` is the position of in[0] in the image. Throws Cancelled on `stop`, as
/// cosine_sums() does.
/// Source: van Herk 1992, Gil and Werman 1993 (their minimum, with sums).
void window_sums(const float* in, std::int64_t first, std::int64_t count, std::int64_t size, float* out,
                 const std::stop_token& stop);

/// A window of `size` weights as a constant and cosines of whole periods over the window.
struct CosineWindow {
    std::int64_t size = 1;
    double constant = 1;
    struct Term {
        double twice_cosine; ///< 2 cos(phi), phi = 2 pi k / size
        double edge;         ///< the weight times cos(phi (size - 1) / 2)
    };
    std::vector<Term> terms; ///< at most kMostCosines
};
inline constexpr int kMostCosines = 8;

/// out[j - begin] = sum of window[i] * in[j + i] for j in [begin, end), by recursion over all j in [0,
/// count). `sums` receives for each lane a number that is finite if and only if all of in[0, count + size -
/// 1) is.
/// Source: Sugimoto and Kamata, "Fast Gaussian filter with second-order shift property of DCT-5", ICIP 2013,
/// for windows of any size.
void cosine_sums(const CosineWindow& window, const float* in, std::int64_t count, std::int64_t begin,
                 std::int64_t end, float* out, double* sums, const std::stop_token& stop);

/// out[i] = a[i] + b[i]. out may equal a, and b may overlap any memory after a.
void add_rows(const float* a, const float* b, std::size_t n, float* out);

/// sums[i] += in[i], then out[i] = ends[i] + sums[i].
void add_to_both(const float* in, const float* ends, std::size_t n, float* sums, float* out);

/// row[i] = row[i] * weight / divisor + offsets[i]
void divide_row(float* row, float weight, float divisor, const float* offsets, std::size_t n);

} // namespace kg::cpu
