#pragma once
// For rooms that hand results of this engine on to another API on the same device (display/). Each throws Error when
// given something of another engine.

#include "core/plan/engine.hpp"

#include <cuda_runtime.h>

namespace kg::gpu {

/// The stream that a queue enqueues into. What is added to it there is in order with the queue's own work.
cudaStream_t stream_of(Queue& queue);

/// The first byte of a view's first pixel, for the device.
void* device_pointer(const BufferView& view);

/// The event of a fence; it lives as long as the completion.
cudaEvent_t event_of(const Completion& completion);

/// The CUDA index of an engine's device.
int device_of(const Engine& engine);

} // namespace kg::gpu
