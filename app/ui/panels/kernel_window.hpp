#pragma once
// The large window of the kernel: cells up to 31 x 31, a heat map with zoom above. It is as
// large as its cells need, up to nine tenths of the program's window.

#include "app/ui/panels/kernel_heat_map.hpp"

namespace kg::ui {

class KernelWindow {
public:
    /// In the middle, with the focus on the anchor.
    void open() { open_ = true, opening_ = kOpening; }
    /// The window "Kernel##large" while it is open; Escape and its button close it.
    void draw(const Kernel& kernel, KernelEdits& edits);

private:
    void draw_selected(const Kernel& kernel, KernelEdits& edits);

    static constexpr int kOpening = 3; ///< frames until ImGui's own choice of the focus is over

    bool open_ = false;
    int opening_ = 0; ///< frames in which the anchor still gets the focus
    CellsState cells_;
    KernelHeatMap map_;
};

} // namespace kg::ui
