#pragma once
// The CUDA engine, as the rest of the program sees it: an engine like any other. No CUDA header reaches further.

#include "core/engine.hpp"

namespace kg::gpu {

/// One NVIDIA GPU. Never throws: without driver or device the engine says so in usable().
std::shared_ptr<Engine> make_engine(int device = 0);

/// All ways of computing on a GPU, in the order of preference; empty when built without CUDA.
std::span<const Algorithm* const> algorithms();

} // namespace kg::gpu
