#pragma once
// Shared by the peers of the CUDA engine.

#include "core/request/step.hpp"
#include "peers/support/device.hpp"

#include <span>
#include <vector>

namespace kg::peers {

/// Empty for one kernel over all channels of u8, u16 or f32 into the same, its weights listed or not.
std::string why_not_for_gpu_peers(const ImageStep& step);

/// Sum of |weights| over |divisor|: what the largest sample's error is multiplied by.
double absolute_gain(const ImageStep& step);

/// Floats (or other words of 4 bytes) as `rows` rows of an image on the engine's device, complete on return.
BufferView on_device(Engine& engine, std::span<const float> values, int rows = 1);

/// Rounds up a size in scratch: allocations begin at multiples of 256 bytes.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

} // namespace kg::peers
