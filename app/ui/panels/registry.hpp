#pragma once
// All panels of the two columns, in display order. A new panel is a file that defines make_NAME_panel() and
// one line in registry.cpp.

#include "app/ui/panels/panel.hpp"

#include <memory>
#include <vector>

namespace kg::ui {

std::vector<std::unique_ptr<Panel>> make_panels();

} // namespace kg::ui
