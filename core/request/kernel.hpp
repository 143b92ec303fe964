#pragma once
// A convolution kernel as specified, and the taps that an algorithm sums.

#include "core/image/pixel.hpp"

#include <cstdint>
#include <vector>

namespace kg {

inline constexpr int kMaxKernelSize = 1025;

/// result[y, x] = sum of weights[i, j] * in[y + i - anchor_y, x + j - anchor_x] / divisor + offset
/// (semantics 1 and 4).
struct Kernel {
    int width = 1, height = 1;
    int anchor_x = 0, anchor_y = 0; ///< in the kernel as specified, before flipping
    /// `height` rows of `width`, row by row; empty if only the generator of the Stage defines them.
    std::vector<float> weights = {1};
    float divisor = 1;
    float offset = 0;  ///< in units of full scale; 0 for a kernel of a combining stage
    bool flip = false; ///< true convolution: kernel and anchor are rotated by 180 degrees

    bool operator==(const Kernel&) const = default;
};

/// A kernel with the default anchor floor(n / 2). Throws Error unless weights.size() == width * height and
/// both extents are 1 to 1025.
Kernel make_kernel(int width, int height, std::vector<float> weights, float divisor = 1);

/// Throws Error if a size, anchor, weight or divisor is invalid.
void validate(const Kernel& kernel);

/// The same sum with the flip applied: a correlation.
struct Taps {
    int width = 1, height = 1, anchor_x = 0, anchor_y = 0;
    std::vector<float> weights;
    float divisor = 1;

    /// Columns and rows that the taps reach from the output pixel: [-left, right] x [-up, down].
    int left() const { return anchor_x; }
    int right() const { return width - 1 - anchor_x; }
    int up() const { return anchor_y; }
    int down() const { return height - 1 - anchor_y; }
    float at(int row, int column) const { return weights[static_cast<std::size_t>(row) * width + column]; }
};

Taps taps(const Kernel& kernel);

/// Sum of the weights over the divisor: the factor for a constant image.
double dc_gain(const Kernel& kernel);

/// True if weights and divisor are integer multiples of a power of two, the unit, and sum |w| * largest <
/// 2^24 units. Every order of summation of integer samples then gives the same f32 (semantics 11).
bool sums_exactly(const Kernel& kernel, double largest_sample);

/// True if algorithms that sum in float32 must sum along each row first, then over the rows (semantics 11).
/// One chain over all taps is accurate enough for small kernels only (semantics 12 allows 4 (width + height)
/// roundings), and not for 16-bit samples, which need the full precision of float32.
bool sums_by_rows(const Kernel& kernel, Depth samples);

} // namespace kg
