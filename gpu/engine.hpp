#pragma once
// The CUDA engine, as the rest of the program sees it: an engine like any other. No CUDA header reaches further.

#include "core/plan/engine.hpp"

namespace kg::gpu {

/// One NVIDIA GPU. Never throws: without driver or device the engine says so in usable(). `memory_limit` is for its buffers
/// and its queues' scratch together, in bytes; 0 = all the memory there is.
std::shared_ptr<Engine> make_engine(int device = 0, std::size_t memory_limit = 0);

/// What the first result of a program takes beside its work: the driver's start and a context. On a host with an H200 `filter` of a
/// JPEG of 1920 x 1080 took 0.42 s with CUDA and 0.12 s without.
inline constexpr double kStartUs = 300e3;
/// Pictures and results between memory that is not locked in place and the GPU, an estimate of its order.
inline constexpr double kTransferBytesPerUs = 5e3;

/// Whether an NVIDIA driver is installed, which takes next to no time to find out; whether it has a device does. Never throws.
bool has_driver();

/// Whether a GPU has been used by this program, which the driver takes a while to clear up after. Never throws.
bool is_started();

/// How many GPUs the driver shows; 0 without a driver, and when built without CUDA. Never throws.
int device_count();

/// All ways of computing on a GPU, in the order of preference; empty when built without CUDA.
std::span<const Algorithm* const> algorithms();

} // namespace kg::gpu
