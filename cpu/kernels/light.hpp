#pragma once
// The sRGB curve of integer formats without a power for every sample, to the bit the same as PixelConversion's.

#include "core/image/conversion.hpp"
#include "core/image/pixel.hpp"

#include <cstdint>

namespace kg::cpu {

/// True if decode_pixels() does this conversion from samples of `depth`.
bool decodes_by_table(const PixelConversion& conversion, Depth depth);

/// The conversion in place, for pixels that hold the integers of `depth` as floats.
void decode_pixels(const PixelConversion& conversion, Depth depth, float* pixels, std::int64_t count);

/// True if encode_pixels() does this conversion to samples of `depth`.
bool encodes_by_table(const PixelConversion& conversion, Depth depth);

/// The conversion in place, colour rounded and clamped to the integers that it becomes.
void encode_pixels(const PixelConversion& conversion, float* pixels, std::int64_t count);

/// The byte that a number of linear light becomes: linear_to_srgb(light) * 255, clamped and rounded (semantics 5 and 6).
std::uint8_t encoded_byte(float light);

} // namespace kg::cpu
