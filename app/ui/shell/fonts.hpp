#pragma once
// Finds the window's fonts where distributions put them.

#include "app/ui/widgets/look.hpp"

#include <string>
#include <vector>

namespace kg::ui {

/// Fills in look's fonts, in the current ImGui context; returns what is not installed. Always leaves usable fonts.
std::vector<std::string> load_fonts(Look& look);

} // namespace kg::ui
