#pragma once
// The view-only settings applied to a colour by the processor, as shaders/show.frag does.

#include "display/pass/light_pyramid.hpp"

#include <optional>

namespace kg::display {

/// Stored numbers that count as black and as white: only 0 and 255 of 8 bits.
inline constexpr float kBlackUpTo = 0.001f, kWhiteFrom = 0.999f;
inline constexpr int kZebraStep = 8, kZebraLine = 4; ///< framebuffer pixels along a row
inline constexpr float kPaddingDim = 0.5f;           ///< share of the surround in the padding

/// The displayed colour, clamped, of a colour with straight alpha that is encoded but not clamped.
Colour viewed(Colour c, const ViewOnly& settings);
/// The zebra's colour here, if there is a stripe and the colour is black or white enough.
std::optional<PassColour> zebra_at(Colour c, std::int64_t x, std::int64_t y, const PassSettings& settings);
/// The colour of a difference of displayed values, alpha's in the fourth element.
Colour difference_colour(Colour d, const PassSettings& settings);

} // namespace kg::display
