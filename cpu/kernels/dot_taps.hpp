#pragma once
// A kernel's numbers in the order in which the inner loops of `dot` take them.

#include "cpu/kernels/dot_weights.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kg::cpu {

/// Output rows summed together, so that samples once loaded serve all of them.
inline constexpr int kDotRows = 4;

/// A kernel prepared for dot_block().
struct DotTaps {
    /// A digit of the weights of two neighbours in the kernel, the left one in the low half, for each of the block's rows.
    struct Tap {
        std::int32_t source_row; ///< counted from the topmost that the block reaches
        std::int32_t offset;     ///< in samples, from the first that the kernel reaches
        std::int32_t weights[kDotRows];
    };
    /// Taps [begin, end) for the block's rows first to last.
    struct Run {
        int first, last;
        std::size_t begin, end;
    };
    std::vector<Tap> taps;
    std::vector<Run> high, low; ///< by the digit of the numbers
};

/// For weights of a kernel of width x height, and pictures whose neighbours are `channels` samples apart.
DotTaps dot_taps(const DotWeights& weights, int width, int height, int channels);

/// How many pairs of products its taps take for an output sample, which is sooner said than the taps are made.
double dot_products(const DotWeights& weights, int width, int height);

} // namespace kg::cpu
