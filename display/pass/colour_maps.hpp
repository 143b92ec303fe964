#pragma once
// Colour maps: from a number to a colour, for false colour and differences.

#include "display/pass/pass_settings.hpp"

#include <array>

namespace kg::display {

/// Colours at equal distances from 0 to 1; between them a map is linear.
inline constexpr int kMapColours = 33;
using MapColours = std::array<PassColour, kMapColours>;

/// The colours of a map; black for `none`.
const MapColours& map_colours(PassMap map);
/// The colour at `place`, limited to 0 to 1.
PassColour mapped(const MapColours& colours, float place);

} // namespace kg::display
