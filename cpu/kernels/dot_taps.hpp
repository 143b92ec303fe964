#pragma once
// The weights of a kernel in the order in which the inner loops of `dot` use them.

#include "core/request/integer_weights.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::cpu {

/// Output rows summed together, so that a loaded sample serves all of them.
inline constexpr int kDotRows = 4;

/// The digits of a number to the base 2^16: number = 2^16 * high + low, each of 16 bits, signed.
constexpr std::int16_t low_digit(std::int32_t number) { return static_cast<std::int16_t>(number & 0xffff); }
constexpr std::int16_t high_digit(std::int32_t number) {
    return static_cast<std::int16_t>((std::int64_t{number} - low_digit(number)) >> 16);
}

/// A kernel prepared for dot_block().
struct DotTaps {
    /// One digit of the weights of two neighbours in the kernel, the left one in the low half, for each row
    /// of the block.
    struct Tap {
        std::int32_t source_row; ///< relative to the topmost row that the block reaches
        std::int32_t offset;     ///< in samples, from the first that the kernel reaches
        std::int32_t weights[kDotRows];
    };
    /// Taps [begin, end) for the rows first to last of the block.
    struct Run {
        int first, last;
        std::size_t begin, end;
    };
    std::vector<Tap> taps;
    std::vector<Run> high, low; ///< by the digit of the numbers
};

/// For a kernel of width x height and images whose neighbouring pixels are `channels` samples apart.
DotTaps dot_taps(const IntegerWeights& weights, int width, int height, int channels);

/// The number of product pairs per output sample. Faster than creating the taps.
double dot_products(const IntegerWeights& weights, int width, int height);

} // namespace kg::cpu
