#pragma once
// The CUDA engine as the rest of the program sees it: an engine like any other. No CUDA header is included
// beyond this point.

#include "core/plan/engine.hpp"

namespace kg::gpu {

/// One NVIDIA GPU. Never throws: without a driver or device, usable() reports the reason. `memory_limit`
/// covers the engine's buffers and its queues' scratch together, in bytes; 0 = all device memory.
std::shared_ptr<Engine> make_engine(int device = 0, std::size_t memory_limit = 0);

/// Startup cost of the first result in a process: driver initialisation, context creation and the loading of
/// kernels. An estimate: an H200 takes 0.13 s for the first two alone (docs/performance.md).
inline constexpr double kStartUs = 300e3;
/// Transfer rate between pageable host memory and the GPU; an order-of-magnitude estimate.
inline constexpr double kTransferBytesPerUs = 5e3;

/// Whether an NVIDIA driver is installed. The check takes next to no time; it does not show whether there is
/// a device. Never throws.
bool has_driver();

/// Whether this process has used a GPU. If so, the driver's clean-up at exit takes a while. Never throws.
bool is_started();

/// Whether the engine is one of make_engine(). Never throws.
bool is_cuda(const Engine& engine);

/// How many GPUs the driver shows; 0 without a driver, and when built without CUDA. Never throws.
int device_count();

/// All GPU algorithms, in order of preference; empty when built without CUDA.
std::span<const Algorithm* const> algorithms();
/// Those for signals.
std::span<const Algorithm* const> signal_algorithms();
/// Those for filter banks.
std::span<const Algorithm* const> bank_algorithms();
/// Those for volumes.
std::span<const Algorithm* const> volume_algorithms();

} // namespace kg::gpu
