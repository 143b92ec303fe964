#pragma once
// Showing a folder in the desktop's file manager.

#include <filesystem>

namespace kg::ui {

/// Starts xdg-open, which is not waited for. False where there is none.
bool open_folder(const std::filesystem::path& folder);

} // namespace kg::ui
