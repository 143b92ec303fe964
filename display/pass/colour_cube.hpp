#pragma once
// From the colours of an image's profile to those of the screen, as a grid over all colours.

#include "display/pass/light_pyramid.hpp"

#include <vector>

namespace kg::display {

/// The displayed colours at the corners of a grid over the cube of stored colours. Between corners they are
/// interpolated along each channel.
struct ColourCube {
    static constexpr int kSide = 33;
    std::vector<PassColour> colours; ///< kSide^3, red fastest, from 0 to 1 in each channel
};

/// The displayed colour of an encoded colour, which is clamped; alpha is kept.
Colour from_cube(const ColourCube& cube, Colour c);

} // namespace kg::display
