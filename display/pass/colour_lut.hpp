#pragma once
// From the colours of an image's profile to those of the screen.

#include "display/pass/light_pyramid.hpp"

#include <vector>

namespace kg::display {

/// A 3D lookup table: the displayed colours at the corners of a grid over the stored ones. Between corners
/// they are interpolated along each channel.
struct ColourLut {
    static constexpr int kSide = 33;
    std::vector<PassColour> colours; ///< kSide^3, red fastest, from 0 to 1 in each channel
};

/// The displayed colour of an encoded colour. What it has below 0 or above 1 is added unchanged; alpha is
/// kept.
Colour from_lut(const ColourLut& lut, Colour c);

} // namespace kg::display
