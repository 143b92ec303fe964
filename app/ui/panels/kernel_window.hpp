#pragma once
// The large window of the kernel: cells up to 31 x 31, a heat map with zoom above.

#include "app/ui/panels/kernel_heat_map.hpp"

namespace kg::ui {

class KernelWindow {
public:
    void open() { open_ = true; }
    /// The window "Kernel##large" while it is open; Escape and its button close it.
    void draw(const Kernel& kernel, KernelEdits& edits);

private:
    void draw_selected(const Kernel& kernel, KernelEdits& edits);

    bool open_ = false;
    CellsState cells_;
    KernelHeatMap map_;
};

} // namespace kg::ui
