#pragma once
// Channels of a batch as images: one by one, or small ones beside each other on a contact sheet.

#include "core/image/batch.hpp"
#include "core/image/image.hpp"
#include "core/request/bank_request.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kg {

enum class SheetColours : std::uint8_t {
    sign, ///< false colour: 0 is black, positive numbers are orange, negative ones blue
    grey, ///< from the least number of the range, black, to the largest, white
};
constexpr std::string_view name(SheetColours colours) {
    constexpr std::string_view names[] = {"signed", "grey"};
    return names[static_cast<int>(colours)];
}

/// The numbers that have the brightest colours.
enum class SheetScale : std::uint8_t {
    percentile, ///< of a map, without the lowest and the highest 0.5 %: some outliers leave the others bright
    largest,    ///< the least and the largest of a map
    shared,     ///< as percentile, of all maps together: maps can be compared
};
constexpr std::string_view name(SheetScale scale) {
    constexpr std::string_view names[] = {"percentile", "largest", "shared"};
    return names[static_cast<int>(scale)];
}

struct SheetLook {
    SheetColours colours = SheetColours::sign;
    SheetScale scale = SheetScale::percentile;

    bool operator==(const SheetLook&) const = default;
};

/// What black and white, or the brightest blue and orange, mean. Numbers beyond it have the colour of its
/// end.
struct MapRange {
    double least = 0, largest = 0;

    bool operator==(const MapRange&) const = default;
};

/// For each map, channel by channel and item by item, what rounding alone may leave of sums in f32: 2^-20 of
/// the largest sum that weights and inputs of these magnitudes can have.
std::vector<double> map_roundings(const BankRequest& request, const Batch& in);

/// Of all maps, channel by channel and item by item. Numbers of a map that differ by no more than its
/// rounding are one number, and 0 where they are no larger either. Without `roundings` these are 0.
std::vector<MapRange> map_ranges(const Batch& batch, SheetScale scale,
                                 std::span<const double> roundings = {});

/// Draws a channel of an item into an image of its size, of u8 with 3 channels or 4, whose alpha is full.
/// Numbers that are not finite are magenta.
void draw_map(const ConstTensorView& item, std::int64_t channel, const MapRange& range, SheetColours colours,
              const ImageView& to);

/// An RGB8 image of all maps, channel by channel and item by item, in rows that make the sheet about
/// square, with gaps of two grey pixels. Throws Error if the sheet would have more than 2^31 pixels.
Image contact_sheet(const Batch& batch, const SheetLook& look, std::span<const double> roundings = {});

} // namespace kg
