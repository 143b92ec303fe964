#pragma once
// A contact sheet: the channels of a batch as small images beside each other.

#include "core/image/batch.hpp"
#include "core/image/image.hpp"

#include <cstdint>
#include <string_view>

namespace kg {

enum class SheetColours : std::uint8_t {
    sign, ///< false colour: 0 is black, positive numbers are orange, negative ones blue
    grey, ///< from the least number of a map, black, to the largest, white
};
constexpr std::string_view name(SheetColours colours) {
    constexpr std::string_view names[] = {"signed", "grey"};
    return names[static_cast<int>(colours)];
}

/// An RGB8 image of all maps, channel by channel and item by item, in rows that make the sheet about
/// square, with gaps of two grey pixels. Each map has a scale of its own: its largest absolute number is
/// the brightest colour. Numbers that are not finite are magenta. Throws Error if the sheet would have more
/// than 2^31 pixels.
Image contact_sheet(const Batch& batch, SheetColours colours);

} // namespace kg
