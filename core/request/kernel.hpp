#pragma once
// A convolution kernel as a person gives it, and the taps that an algorithm sums.

#include "core/image/pixel.hpp"

#include <cstdint>
#include <vector>

namespace kg {

inline constexpr int kMaxKernelSide = 1025;

/// result[y, x] = sum of weights[i, j] * in[y + i - anchor_y, x + j - anchor_x] / divisor + offset   (semantics 1, 4)
struct Kernel {
    int width = 1, height = 1;
    int anchor_x = 0, anchor_y = 0; ///< in the kernel as given, chosen before flipping
    std::vector<float> weights = {
        1}; ///< height rows of width, as the grid on the screen shows them; see Stage for none
    float divisor = 1;
    float offset = 0;  ///< in units of full scale; a kernel inside a combining stage has none
    bool flip = false; ///< true convolution: the kernel turns by 180 degrees, its anchor with it

    bool operator==(const Kernel&) const = default;
};

/// A kernel with the default anchor floor(n / 2). Throws Error unless weights.size() == width * height and both
/// sides are 1 to 1025.
Kernel make_kernel(int width, int height, std::vector<float> weights, float divisor = 1);

/// Throws Error with a sentence if a size, anchor, weight or divisor cannot be used.
void validate(const Kernel& kernel);

/// The same sum with the flip carried out: correlation, nothing left to decide.
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

/// Sum of the weights over the divisor: what a constant picture is multiplied by.
double dc_gain(const Kernel& kernel);

/// True if weights and divisor are whole multiples of a power of two, the unit, and sum |w| * largest < 2^24 units, so that
/// every order of summation of whole samples gives the same f32 (semantics 11).
bool sums_exactly(const Kernel& kernel, double largest_sample);

/// True if ways that sum the taps in float32 must sum them row by row, then over the rows (semantics 11). One chain over
/// everything is exact enough only for small kernels (semantics 12 allows 4 (width + height) roundings), and not for
/// samples of 16 bits, which take all that float32 has.
bool sums_by_rows(const Kernel& kernel, Depth samples);

} // namespace kg
