#pragma once
// The sRGB curve for integer formats by tables instead of pow(), identical to PixelConversion to the bit.

#include "core/image/pixel.hpp"
#include "core/request/conversion.hpp"

#include <cstdint>

namespace kg::cpu {

/// True if decode_pixels() supports this conversion from samples of `depth`.
bool decodes_by_table(const PixelConversion& conversion, Depth depth);

/// Converts in place pixels that hold the integers of `depth` as floats.
void decode_pixels(const PixelConversion& conversion, Depth depth, float* pixels, std::int64_t count);

/// True if encode_pixels() supports this conversion to samples of `depth`.
bool encodes_by_table(const PixelConversion& conversion, Depth depth);

/// Converts in place; colour is rounded and clamped to the resulting integers.
void encode_pixels(const PixelConversion& conversion, float* pixels, std::int64_t count);

/// The byte for a value of linear light: linear_to_srgb(light) * 255, clamped and rounded (semantics 5 and
/// 6).
std::uint8_t encoded_byte(float light);

} // namespace kg::cpu
