#pragma once
// Where the numbers of a tensor are in device memory.

#include "core/plan/engine.hpp"

namespace kg::gpu {

/// The first number of a view. Throws Error unless all its numbers begin at multiples of their size: kernels
/// read and write whole numbers.
std::byte* number_address(const BufferView& view);

} // namespace kg::gpu
