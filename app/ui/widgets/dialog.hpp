#pragma once
// Modal dialogs.

namespace kg::ui {

/// A modal dialog in the middle of the window, `width` pixels wide and as high as its content. Opened by
/// ImGui::OpenPopup(). True while it is shown; then end_dialog() must follow.
bool begin_dialog(const char* popup, float width);
void end_dialog();

} // namespace kg::ui
