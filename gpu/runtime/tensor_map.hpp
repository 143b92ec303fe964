#pragma once
// Tensors in the GPU's memory whose boxes a single instruction copies to shared memory, zeros outside
// (cp.async.bulk.tensor, since compute capability 9.0).

#include "core/plan/engine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace kg::gpu {

/// What the instruction reads (CUtensorMap of cuda.h). A kernel has it as a parameter of its own.
struct alignas(128) TensorMap {
    std::uint64_t words[16];
};

/// Floats next to each other in rows, rows in channels, channels in items.
struct BoxedTensor {
    const std::byte* first;
    std::array<std::uint64_t, 4> counts;  ///< columns, rows, channels, items
    std::array<std::uint64_t, 3> strides; ///< bytes from row to row, channel to channel, item to item
    std::uint32_t columns, rows;          ///< of a box, which is of one channel
};

/// Whether this GPU, its driver and the code that the program has for it can copy boxes.
bool can_copy_boxes(const Engine& engine);

/// Whether addresses and strides are as the instruction wants them, multiples of 16 bytes; then `map` is set.
/// Call it only where can_copy_boxes().
bool set_tensor_map(TensorMap& map, const BoxedTensor& tensor);

} // namespace kg::gpu
