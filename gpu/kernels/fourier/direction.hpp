#pragma once
// The direction of a Fourier transform.

#include <cstdint>

namespace kg::gpu {

enum class Direction : std::uint8_t {
    forward, ///< from samples to the spectrum
    inverse, ///< from the spectrum to samples
};

} // namespace kg::gpu
