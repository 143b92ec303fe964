#pragma once
// Memory and streams of another library in the same process, such as a tensor of PyTorch. No CUDA header is
// included beyond this point. Streams are handles of CUDA's runtime or driver; null = the default stream.

#include "core/plan/engine.hpp"

#include <cstddef>
#include <memory>

namespace kg::gpu {

/// The number of the GPU that owns this memory. Throws Error for memory of the host.
int device_of_memory(const void* memory);

/// Memory of the engine's GPU as a buffer. The caller keeps it until the work that uses it is done. Throws
/// Error for an engine of another kind.
std::shared_ptr<Buffer> borrow(Engine& engine, void* memory, std::size_t bytes);

/// All work so far on a stream of the engine's GPU, for Queue::after().
Completion work_on(Engine& engine, void* stream);

/// Later work on the stream waits for the completion, which is one of the engine's queues. Does not wait.
void let_wait(Engine& engine, void* stream, const Completion& completion);

} // namespace kg::gpu
