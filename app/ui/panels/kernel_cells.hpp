#pragma once
// A kernel's weights as a grid of cells, or as an image where they are too many; for the column and the large
// window.

#include "app/editor/document/document.hpp"

#include <optional>
#include <string>
#include <utility>

namespace kg::ui {

/// Edits made by widgets in a frame; applied at its end, when nothing refers to the old kernel any more.
struct KernelEdits {
    std::optional<Kernel> kernel;
    Gesture gesture = Gesture::whole;
    bool finished = false;
    int focus = -1; ///< the cell that gets the keyboard focus

    void take(bool changed, bool ended, Kernel next) {
        if (changed) kernel = std::move(next), gesture = Gesture::ongoing;
        finished = finished || ended;
    }
};

struct CellsLayout {
    float least = 0;  ///< minimum width of a cell; wider grids scroll
    float height = 0; ///< of the grid; 0 = as its rows need
    bool editable = true;
    int focus = -1; ///< the cell that gets the keyboard focus in this frame
};

/// The grid, as the child window "cells" of the remaining width. Cell i is "$$i/##weight".
void draw_cells(const Kernel& kernel, const CellsLayout& layout, KernelEdits& edits);

/// One rectangle per weight, or a sample of the weights where those are smaller than a point.
void draw_weights_image(const Kernel& kernel);

/// The remaining width without a vertical scrollbar's, whether or not there is one: nothing moves when it
/// comes.
float width_beside_scrollbar();

} // namespace kg::ui
