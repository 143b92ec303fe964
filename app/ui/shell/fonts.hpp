#pragma once
// Loads the window's fonts from the folders of common distributions.

#include "app/ui/widgets/look.hpp"

#include <string>
#include <vector>

namespace kg::ui {

/// Sets look's fonts, in the current ImGui context; returns the missing ones. Always leaves usable fonts.
std::vector<std::string> load_fonts(Look& look);

} // namespace kg::ui
