#pragma once
// Which GPUs multiply by mma.sync as this program does.

#include "core/plan/engine.hpp"

#include <string>
#include <string_view>

namespace kg::gpu {

/// Why the GPU cannot multiply `what` ("bytes") on tensor cores; empty if it can.
std::string why_not_tensor_cores(const Engine& engine, std::string_view what);

} // namespace kg::gpu
