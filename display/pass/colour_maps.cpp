#include "display/pass/colour_maps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kg::display {

namespace {

using Table = std::array<std::uint32_t, kMapColours>;

// Every eighth colour of viridis (van der Walt and Smith, 2015; CC0) and of cividis (Nunez, Anderton and
// Renslow, "Optimizing colormaps with consideration for color vision deficiency", PLOS ONE 13(7), 2018).
// Linear between them, viridis is off by at most 2 levels of 8 bits, cividis by at most 6.
constexpr Table kViridis{0x440154, 0x470D60, 0x48186A, 0x482374, 0x472D7B, 0x453681, 0x424086,
                         0x3F4989, 0x3B528B, 0x375A8D, 0x33638D, 0x2F6A8E, 0x2C728E, 0x297A8E,
                         0x26818E, 0x23898E, 0x21908C, 0x1F988B, 0x1F9F88, 0x21A685, 0x28AE80,
                         0x31B57B, 0x3EBC74, 0x4CC26C, 0x5DC963, 0x6ECE58, 0x82D34C, 0x96D83F,
                         0xABDC32, 0xC0DF24, 0xD5E21A, 0xEAE51A, 0xFDE725};

constexpr Table kCividis{0x00224E, 0x00285B, 0x002E6A, 0x043371, 0x1A386F, 0x273E6E, 0x32436D,
                         0x3B496C, 0x434E6C, 0x4B546C, 0x52596D, 0x5A5F6E, 0x61656F, 0x686A71,
                         0x6F7073, 0x757676, 0x7C7B78, 0x848179, 0x8B8778, 0x938D78, 0x9B9376,
                         0xA39A75, 0xABA072, 0xB3A670, 0xBBAD6C, 0xC3B469, 0xCCBA64, 0xD4C15F,
                         0xDDC958, 0xE6D051, 0xEFD748, 0xF8DF3C, 0xFEE838};

// Blue and white of RdBu, orange of PuOr (ColorBrewer 2.0, Brewer and Harrower): distinct under every
// deficiency of colour vision.
constexpr Table kDiverging{0x2166AC, 0x2A71B2, 0x327CB8, 0x3B88BD, 0x4393C3, 0x57A0CA, 0x6AACD0,
                           0x7EB8D7, 0x92C5DE, 0xA2CDE2, 0xB2D5E7, 0xC1DDEC, 0xD1E5F0, 0xDAEAF2,
                           0xE4EEF3, 0xEEF2F5, 0xF7F7F7, 0xF9F1E7, 0xFBECD6, 0xFCE6C6, 0xFEE0B6,
                           0xFED6A1, 0xFECC8C, 0xFDC278, 0xFDB863, 0xF6AA4F, 0xEE9D3C, 0xE79028,
                           0xE08214, 0xD57810, 0xCA6D0D, 0xBE620A, 0xB35806};

MapColours unpacked(const Table& table) {
    MapColours colours{};
    const auto part = [](std::uint32_t hex, int shift) {
        return static_cast<float>(hex >> shift & 0xff) / 255.0f;
    };
    for (std::size_t i = 0; i < table.size(); ++i)
        colours[i] = {part(table[i], 16), part(table[i], 8), part(table[i], 0)};
    return colours;
}

} // namespace

const MapColours& map_colours(PassMap map) {
    static const MapColours none{}, viridis = unpacked(kViridis), cividis = unpacked(kCividis),
                                    diverging = unpacked(kDiverging);
    switch (map) {
    case PassMap::none: return none;
    case PassMap::viridis: return viridis;
    case PassMap::cividis: return cividis;
    case PassMap::diverging: return diverging;
    }
    return none;
}

PassColour mapped(const MapColours& colours, float place) {
    const float at = std::clamp(place, 0.0f, 1.0f) * (kMapColours - 1);
    const auto first = std::min(static_cast<std::size_t>(at), std::size_t{kMapColours - 2});
    const float share = at - static_cast<float>(first);
    PassColour colour{};
    for (std::size_t i = 0; i < colour.size(); ++i)
        colour[i] = colours[first][i] + (colours[first + 1][i] - colours[first][i]) * share;
    return colour;
}

} // namespace kg::display
