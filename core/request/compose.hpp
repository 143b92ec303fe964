#pragma once
// Several linear filters as one: its kernel is the convolution of theirs.

#include "core/request/request.hpp"

#include <optional>

namespace kg {

/// The request with all its filters composed to one stage, in the same formats; without a tolerance, as no
/// algorithm needs one for it. Empty unless each filter is a single kernel of listed weights on stored 8-bit
/// samples, only the last one has an offset, and the rounding of the products to float32 weights stays
/// within what kShareOfMargin (core/request/rounding.hpp) leaves. Large kernels are left alone: composing
/// them would take longer than planning may.
std::optional<ImageRequest> composed(const ImageRequest& request);

/// The outputs for which the composed filter is what semantics 2 asks for, where each filter sees the result
/// of the one before it extended anew. That is the whole image where extension and filter commute: under
/// wrap, and under reflection if all filters but the last are symmetric. Otherwise it is the outputs whose
/// later filters reach no border. May be empty.
Rect composed_outputs(const ImageRequest& request);

} // namespace kg
