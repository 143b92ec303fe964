#pragma once
// Kernels of any size and anchor in the odd squares and lengths that device code is compiled for.

#include "gpu/kernels/stage.hpp"

#include <span>

namespace kg::gpu {

/// The smallest odd extent around an output that contains all taps of the step.
int odd_extent(const ImageStep& step);

/// The smallest of ascending `sizes` that is at least `extent`; 0 = none.
int embedding_size(std::span<const int> sizes, int extent);

/// Each of the step's kernels in a square of `size`, the output in its centre; the weights around it are
/// zeros, which are not taps. `size` is odd and at least odd_extent().
PackedStage pack_square(const ImageStep& step, int size);

/// The same for a kernel of one column times one row: `size` weights of the column, then of the row. The
/// row's magnitudes add up to at most 1, or the column's weights are at least 1: sums along rows, which come
/// first, overflow only where the whole sum does (semantics 12). Throws Error unless why_not_factored() is
/// empty.
PackedStage pack_cross(const ImageStep& step, int size);

} // namespace kg::gpu
