#pragma once
// All panels of the two columns, in the order they stand. A new panel is one line in registry.cpp.

#include "app/panels/panel.hpp"

#include <memory>
#include <vector>

namespace kg::ui {

// One factory per file, and its line in the list.
std::unique_ptr<Panel> make_recipe_panel();
std::unique_ptr<Panel> make_border_panel();
std::unique_ptr<Panel> make_kernel_grid_panel();
std::unique_ptr<Panel> make_output_panel();
std::unique_ptr<Panel> make_pixel_panel();
std::unique_ptr<Panel> make_kernel_panel();
std::unique_ptr<Panel> make_timing_panel();

std::vector<std::unique_ptr<Panel>> make_panels();

} // namespace kg::ui
