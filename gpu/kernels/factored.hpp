#pragma once
// Steps whose kernels are each a column times a row, ready for the ways that sum down the columns and then along the rows.

#include "gpu/kernels/stage.hpp"

namespace kg::gpu {

/// The factors' weights as a launch carries them. All kernels of a step get the same reach, so that their taps begin at one
/// pixel: for kernel k `height` weights of the column from `first`, then `width` weights of the row. Zeros that were added,
/// like any other zero, are no taps (semantics 10). `lead` zeros more stand before each row.
/// Throws Error unless why_not_factored() is empty.
PackedStage pack_factors(const ImageRequest& step, int lead);

/// Why a step's kernels are not such products; empty if they are.
std::string why_not_factored(const ImageRequest& step);

/// Products for one output sample: the sides of all kernels.
double factor_taps(const ImageRequest& step);

} // namespace kg::gpu
