#include "app/panels/registry.hpp"

namespace kg::ui {

std::vector<std::unique_ptr<Panel>> make_panels() {
    std::vector<std::unique_ptr<Panel>> panels;
    panels.push_back(make_recipe_panel());
    panels.push_back(make_border_panel());
    panels.push_back(make_kernel_grid_panel());
    panels.push_back(make_output_panel());
    panels.push_back(make_pixel_panel());
    panels.push_back(make_kernel_panel());
    panels.push_back(make_timing_panel());
    return panels;
}

} // namespace kg::ui
