// All panels of the two columns, in display order, one line each. NAME stands for NAME_panel.cpp, which
// defines make_NAME_panel().

#include "app/ui/panels/registry.hpp"

// clang-format off
#define KG_PANELS(PANEL) \
    PANEL(recipe)        \
    PANEL(border)        \
    PANEL(kernel_grid)   \
    PANEL(output)        \
    PANEL(pixel)         \
    PANEL(kernel)        \
    PANEL(histogram)     \
    PANEL(timing)        \
    PANEL(presets)
// clang-format on

namespace kg::ui {

#define KG_DECLARE(NAME) std::unique_ptr<Panel> make_##NAME##_panel();
KG_PANELS(KG_DECLARE)
#undef KG_DECLARE

std::vector<std::unique_ptr<Panel>> make_panels() {
    std::vector<std::unique_ptr<Panel>> panels;
#define KG_MAKE(NAME) panels.push_back(make_##NAME##_panel());
    KG_PANELS(KG_MAKE)
#undef KG_MAKE
    return panels;
}

} // namespace kg::ui
