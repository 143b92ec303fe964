#pragma once
// Drawing of a part of Dear ImGui's draw lists into a part of the framebuffer.

#include "core/image/geometry.hpp"

#include <imgui.h>

namespace kg::ui {

/// What is seen in a region begins with its clear in a colour, and continues with a command of a draw list,
/// at one of its indices: what lies before is covered.
struct DrawStart {
    int list = 0, command = 0;
    unsigned index = 0;
    ImU32 colour = 0;
    bool operator==(const DrawStart&) const = default;
};

/// Clears a region of the bound framebuffer and draws it. The rest of the framebuffer is kept.
void draw_region(ImDrawData& data, const Rect& region, const DrawStart& start, Extent framebuffer);

/// The scissor rectangle by which Dear ImGui's OpenGL backend clips a command; row 0 at the top.
Rect scissor_of(const ImDrawCmd& command, const ImDrawData& data, Extent framebuffer);

} // namespace kg::ui
