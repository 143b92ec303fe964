#pragma once
// For folders that pass results of this engine to another API on the same device (display/). Each function
// throws Error for an object of another engine.

#include "core/plan/engine.hpp"

#include <cuda_runtime.h>

namespace kg::gpu {

/// The stream that a queue enqueues into. Work added to it is ordered with the queue's own work.
cudaStream_t stream_of(Queue& queue);

/// The device address of a view's first pixel.
void* device_pointer(const BufferView& view);

/// The CUDA index of an engine's device.
int device_of(const Engine& engine);

} // namespace kg::gpu
