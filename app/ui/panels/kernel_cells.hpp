#pragma once
// A kernel's weights as a grid of cells, or as an image where they are too many; for the column and the large
// window.

#include "app/editor/document/document.hpp"

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>

namespace kg::ui {

/// Edits made by widgets in a frame; applied at its end, when nothing refers to the old kernel any more.
struct KernelEdits {
    std::optional<Kernel> kernel;
    std::string name; ///< name of the entry in the history; empty = by what changed
    Gesture gesture = Gesture::whole;
    bool finished = false;
    bool copies = false;   ///< the kernel goes to the clipboard, as text
    bool pastes = false;   ///< the clipboard becomes the kernel, or the weight of `cell` where it is a number
    int cell = -1;         ///< the cell that has the focus
    bool enlarges = false; ///< the large window opens

    void use(Kernel next, std::string entry) { kernel = std::move(next), name = std::move(entry); }
    void take(bool changed, bool ended, Kernel next) {
        if (changed) kernel = std::move(next), gesture = Gesture::ongoing;
        finished = finished || ended;
    }
};

/// Largest width and height of the column's grid; larger kernels are shown as an image, without numbers.
inline constexpr int kMostColumnCells = 11;

struct CellsLayout {
    float least = 0;      ///< minimum width of a cell; wider grids scroll
    float height = 0;     ///< height of the grid; 0 = column_height()
    bool anchored = true; ///< false where the kernel has no anchor that can be moved
};

/// Cells of one grid between two frames; -1 = none.
struct CellsState {
    int focus = -1;                  ///< gets the keyboard focus in the next frame
    int menu = -1;                   ///< has its menu open
    int named = -1;                  ///< has, or had last, the focus
    std::optional<std::string> text; ///< what the open cell shows
};

/// Height of so many rows of weights in the column, as cells or as an image: from nine rows on always the
/// same, so that what follows stays where it is when a larger kernel becomes an image.
float column_height(int rows);

/// The place and the weight of the cell with the focus, or of the anchor: "Row 2, column 3: 0.0625". While
/// the cell is open, the text that is typed into it, of which a narrow cell shows the end alone.
std::string cell_text(const Kernel& kernel, const CellsState& state);

/// The size at which cells of this width need not be scrolled.
ImVec2 least_size(const Kernel& kernel, float cell);

/// The grid, as the child window "cells" of the remaining width. Cell i is "$$i/##weight". With the focus in
/// it, Ctrl+C and Ctrl+V copy and paste the kernel, A moves the anchor, Delete clears a weight.
void draw_cells(const Kernel& kernel, const CellsLayout& layout, CellsState& state, KernelEdits& edits);

/// One rectangle per weight, or a sample of the weights where those are smaller than a point; of
/// column_height().
void draw_weights_image(const Kernel& kernel, KernelEdits& edits);

/// Takes Ctrl+C and Ctrl+V for the kernel. Where a number is being typed, they stay with the text, except for
/// pasting more than a number.
void take_clipboard_keys(KernelEdits& edits);

/// Colour of a weight: the field's where it is 0, the hue of minus or plus where it is largest.
ImVec4 weight_colour(float weight, float largest, float strength);
float largest_weight(const Kernel& kernel);
/// Step of a drag and of the wheel: 1 where all weights are integers, else about a tenth of the largest.
double step_of(const Kernel& kernel);

} // namespace kg::ui
