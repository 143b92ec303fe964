#pragma once
// Modal dialogs.

namespace kg::ui {

/// A modal dialog in the middle of the window, of this size in pixels; `height` 0 = as high as its content.
/// ImGui::OpenPopup() opens it. True while it is shown; then end_dialog() must follow.
bool begin_dialog(const char* popup, float width, float height = 0);
void end_dialog();

} // namespace kg::ui
