#pragma once
// Every colour of the window, by name. Neutral greys, so that the image owns all colour, and one accent. No
// other file defines a colour.

#include <cstdint>

namespace kg::ui {

struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    constexpr bool operator==(const Rgb&) const = default;
};

constexpr Rgb rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex)};
}

struct Theme {
    Rgb surround; ///< around the image
    Rgb panel;    ///< background of panels, bars, popups
    Rgb field;    ///< input fields and buttons
    Rgb hover, press;
    Rgb line; ///< the rare separator, grids
    Rgb text;
    Rgb second; ///< explanations, units
    Rgb disabled;
    Rgb accent; ///< selection, focus, the one primary button of a panel
    Rgb ink;    ///< text on accent
    Rgb ok, warn, error;
    Rgb data_a, data_b; ///< original and result, minus and plus; a number or label always beside them
};

inline constexpr Theme kDark{.surround = rgb(0x1C1C1C),
                             .panel = rgb(0x262626),
                             .field = rgb(0x333333),
                             .hover = rgb(0x3D3D3D),
                             .press = rgb(0x484848),
                             .line = rgb(0x464646),
                             .text = rgb(0xEDEDED),
                             .second = rgb(0xB4B4B4),
                             .disabled = rgb(0x8A8A8A),
                             .accent = rgb(0x45B8C8),
                             .ink = rgb(0x0A1B1E),
                             .ok = rgb(0x5CC48D),
                             .warn = rgb(0xE8B54A),
                             .error = rgb(0xFF8A80),
                             .data_a = rgb(0x56B4E9),
                             .data_b = rgb(0xE69F00)};

inline constexpr Theme kLight{.surround = rgb(0xC8C8C8),
                              .panel = rgb(0xF3F3F3),
                              .field = rgb(0xFFFFFF),
                              .hover = rgb(0xE6E6E6),
                              .press = rgb(0xD9D9D9),
                              .line = rgb(0xC4C4C4),
                              .text = rgb(0x1B1B1B),
                              .second = rgb(0x565656),
                              .disabled = rgb(0x767676),
                              .accent = rgb(0x0B7080),
                              .ink = rgb(0xFFFFFF),
                              .ok = rgb(0x1A7546),
                              .warn = rgb(0x855300),
                              .error = rgb(0xB3261E),
                              .data_a = rgb(0x0067A5),
                              .data_b = rgb(0xB45309)};

} // namespace kg::ui
