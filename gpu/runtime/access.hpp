#pragma once
// For code that passes images between this engine and another API on the same device (display/, programs
// that use the library). Each function throws Error for an object of another engine.

#include "core/plan/engine.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

namespace kg::gpu {

/// The stream that a queue enqueues into. Work added to it is ordered with the queue's own work.
cudaStream_t stream_of(Queue& queue);

/// The device address of a view's first pixel.
void* device_pointer(const BufferView& view);

/// Memory of the caller on the device of an engine as a buffer for its queues: an image that another CUDA
/// program has computed is filtered where it lies. `owner` keeps the memory alive; queues hold it until their
/// work is done. What has been enqueued to other streams must be over, or ordered before stream_of(). A guard
/// build has no red zones around it.
std::shared_ptr<Buffer> wrap_memory(void* address, std::size_t bytes, std::shared_ptr<void> owner);

/// The CUDA index of an engine's device.
int device_of(const Engine& engine);

} // namespace kg::gpu
