#pragma once
// The texture of the image pass within a window.

#include "display/pass/image_pass.hpp"

#include <imgui.h>

namespace kg::ui {

/// Adds what the pass has drawn last, pixel by pixel, from `corner` to `end`. The pass is to outlive the
/// frame.
void add_pass_image(ImDrawList& list, const display::ImagePass& pass, ImVec2 corner, ImVec2 end);

} // namespace kg::ui
