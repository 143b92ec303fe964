#pragma once
// What the peers of the CUDA engine share.

#include "core/request/step.hpp"
#include "peers/support/device.hpp"

#include <span>
#include <vector>

namespace kg::peers {

/// Empty for one kernel over all channels of u8, u16 or f32 into the same, its weights listed or not.
std::string why_not_for_gpu_peers(const ImageRequest& step);

/// Sum of |weights| over |divisor|: what the largest sample's error is multiplied by.
double absolute_gain(const ImageRequest& step);

/// Floats (or other words of 4 bytes) as so many rows of a picture on the engine's device, there when this returns.
BufferView on_device(Engine& engine, std::span<const float> values, int rows = 1);

/// Sizes in scratch: places begin at multiples of 256 bytes.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

} // namespace kg::peers
