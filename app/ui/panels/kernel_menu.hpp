#pragma once
// The menu of what can be done with a whole kernel: operations, clipboard, files.

#include "app/ui/panels/kernel_cells.hpp"

namespace kg::ui {

class KernelMenu {
public:
    /// The button and, while it is open, its menu. In a step of two kernels, `of_two` is this one.
    void draw(Document& document, const Kernel& kernel, OfTwo of_two, KernelEdits& edits);

private:
    double factor_ = 2; ///< factor of "Scale"
};

} // namespace kg::ui
