#pragma once
// Which pixels of a frame differ from those of the frame before, by Dear ImGui's draw lists. OpenGL in
// software takes 10 ns to fill a pixel, so 10 to 20 ms for a window of 1280 x 800 whose backgrounds cover one
// another.

#include "app/ui/frame/draw_region.hpp"
#include "core/image/geometry.hpp"

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace kg::ui {

/// A rectangle of the framebuffer, row 0 at the top, and where its drawing starts.
struct DrawRegion {
    Rect rect;
    DrawStart start;
};

/// Compares what is drawn in tiles of the framebuffer: the triangles that touch a tile, their textures and
/// clip rectangles, in their order. A callback counts as drawing its data over its clip rectangle.
class ChangedRegions {
public:
    /// Regions that cover what has changed since the last call; all of a framebuffer of another size, and the
    /// first time. `background`: behind all that is drawn.
    std::vector<DrawRegion> update(const ImDrawData& data, Extent framebuffer, ImU32 background);
    /// The next frame has changed everywhere.
    void forget() { tiles_.clear(); }

private:
    std::vector<std::uint64_t> tiles_; ///< hashes
    Extent size_;
};

} // namespace kg::ui
