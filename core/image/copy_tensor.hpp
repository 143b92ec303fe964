#pragma once
// Copies the numbers of a tensor, whatever the strides on both sides.

#include "core/image/tensor.hpp"

namespace kg {

/// Both have the same size, element and channels.
void copy_tensor(const ConstTensorView& from, const TensorView& to);

} // namespace kg
