#pragma once
// Steps whose kernels are each the product of a column and a row, prepared for algorithms that sum down the
// columns and then along the rows.

#include "gpu/kernels/stage.hpp"

namespace kg::gpu {

/// The factors' weights as a launch carries them. All kernels of a step get the same reach, so that their
/// taps begin at one pixel: for kernel k, `height` weights of the column from `first`, then `width` weights
/// of the row. Zeros added as padding are not taps, like any other zero (semantics 10). `lead` more zeros
/// precede each row. Throws Error unless why_not_factored() is empty.
PackedStage pack_factors(const ImageStep& step, int lead);

/// Why a step's kernels are not such products; empty if they are.
std::string why_not_factored(const ImageStep& step);

/// Multiplications per output sample: the heights and widths of all kernels added up.
double factor_taps(const ImageStep& step);

} // namespace kg::gpu
