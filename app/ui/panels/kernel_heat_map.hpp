#pragma once
// The weights of a large kernel as an image with zoom, in which one weight is selected.

#include "app/ui/panels/kernel_cells.hpp"

namespace kg::ui {

class KernelHeatMap {
public:
    /// The item "heat map" of this size. The wheel zooms at the pointer, a drag pans, a click selects, a
    /// double click fits; with the focus, arrow keys select, + and - zoom.
    void draw(const Kernel& kernel, ImVec2 size, KernelEdits& edits);

    void select(int row, int column) { row_ = row, column_ = column; }
    int row() const { return row_; }
    int column() const { return column_; }
    float zoom() const { return zoom_; }

private:
    void point(const Kernel& kernel);
    void keys(const Kernel& kernel);
    void zoom_at(ImVec2 pointer, float factor);
    void keep_inside(const Kernel& kernel);
    void draw_weights(const Kernel& kernel) const;
    void outline(int row, int column, ImU32 colour, float thickness) const;
    float cell() const { return fit_ * zoom_; }
    ImVec2 corner(float column, float row) const; ///< on the screen

    int row_ = 0, column_ = 0;
    float zoom_ = 1;   ///< 1 = fit
    ImVec2 centre_{};  ///< column and row in the middle
    float fit_ = 1;    ///< size of a weight at zoom 1
    ImVec2 at_, size_; ///< the item's rectangle
};

} // namespace kg::ui
