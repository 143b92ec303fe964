#pragma once
// Modal dialogs, and windows that float over the panels.

namespace kg::ui {

/// A modal dialog in the middle of the window, of this size in pixels; `height` 0 = as high as its content.
/// ImGui::OpenPopup() opens it. True while it is shown; then end_dialog() must follow.
bool begin_dialog(const char* popup, float width, float height = 0);
void end_dialog();

/// Around the content of a floating window, at scale 1.
inline constexpr float kFloatingPadding = 12;
/// A window with a border of its own, which Escape closes while it has the focus. True while its content is
/// to be drawn; ImGui::End() must follow in any case. `flags` in addition to those of every such window.
bool begin_floating(const char* name, bool& open, int flags = 0);

} // namespace kg::ui
