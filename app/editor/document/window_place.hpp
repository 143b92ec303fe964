#pragma once
// Position and size of the window, kept from one start to the next.

#include <span>

namespace kg {

/// In the units of the window system; the position is that of the content, without title bar.
struct WindowPlace {
    int x = 0, y = 0, width = 0, height = 0; ///< while not maximised
    bool maximised = false;

    bool operator==(const WindowPlace&) const = default;
};

/// The part of a screen that windows may use, in the same units.
struct ScreenArea {
    int x = 0, y = 0, width = 0, height = 0;
};

/// Whether the window can be reached there: most of it lies on one screen, its upper edge included, as the
/// title bar is above it. False after a screen was unplugged or its resolution changed.
bool is_on_a_screen(const WindowPlace& place, std::span<const ScreenArea> screens);

} // namespace kg
