#pragma once
// The place of tooltips, as pure arithmetic.

#include "app/ui/widgets/layout.hpp"

namespace kg::ui {

/// The box of a tooltip of `size` on a screen of `screen`, all in ImGui's units, for an item in a region. It
/// lies outside the region, level with the item: beside a column, below or above a bar. Where that is off the
/// screen or far from the item, it lies below the item, at the screen's bottom above it.
Box tooltip_place(const Box& item, const Box& region, ImVec2 size, ImVec2 screen, float scale);

} // namespace kg::ui
