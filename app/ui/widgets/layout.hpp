#pragma once
// The layout, as pure arithmetic, and the frame around panels.

#include "app/ui/widgets/look.hpp"

namespace kg::ui {

/// In ImGui's units.
struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    constexpr float right() const { return x + width; }
    constexpr float bottom() const { return y + height; }
    constexpr bool operator==(const Box&) const = default;
};

struct LayoutRects {
    Box top_bar, left, view_bar, image, film, right, status;
    bool right_overlays = false; ///< too narrow for three columns: `right` lies over the image
};

/// For a window of this size. At 1280x800 and scale 1: top bar 40, left column 288, centre 704 with a view
/// bar of 36, right column 288, status bar 24. Under 1100 (times scale) the right column overlays the image,
/// if `overlay_shown`; else its width is 0. With `film` a strip of 88 lies below the image. No box is ever
/// negative; together the boxes cover the window.
LayoutRects compute_layout(float width, float height, float scale, bool overlay_shown = true,
                           bool film = false);

/// The centre of a layout for the workspaces Batch and Bench: a head above the sheet. `right` stands beside
/// the head, or overlays the sheet where the layout's right column overlays the image.
struct BatchRects {
    Box head, sheet, right;
};
BatchRects compute_batch_layout(const LayoutRects& layout, float scale, float head = 112);

enum class RegionStyle {
    bar,    ///< one row of items, centred vertically, no scrolling
    column, ///< padded, scrolls
    tabs,   ///< like a column, but what scrolls is a Scroller below the tabs
    head,   ///< padded, no scrolling
    sheet,  ///< padded, scrolls, the surround colour behind
    strip,  ///< little padding, scrolls sideways
    image,  ///< no padding, the surround colour behind
};

/// The current window shows its name in a tab or a bar: its content needs no heading with the same name.
bool has_title_bar();

/// In a window that scrolls, just begun: keeps the width of its content where a scrollbar appears. The
/// scrollbar lies in the padding.
void keep_content_width();

/// A fixed panel without title bar, from construction to destruction. `name` is its id for tests and the
/// keyboard.
class Region {
public:
    Region(const char* name, const Box& box, RegionStyle style);
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region();
};

/// The scrolling remainder of a region, to its edges except for `below` at the bottom, from construction to
/// destruction.
class Scroller {
public:
    explicit Scroller(const char* name, float below = 0);
    Scroller(const Scroller&) = delete;
    Scroller& operator=(const Scroller&) = delete;
    ~Scroller();
};

} // namespace kg::ui
