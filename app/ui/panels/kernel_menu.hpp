#pragma once
// The menu of what can be done with a whole kernel: operations, clipboard, files.

#include "app/ui/panels/kernel_cells.hpp"

namespace kg::ui {

class KernelMenu {
public:
    /// The button and, while it is open, its menu. A kernel that is not `editable` can be copied and saved.
    void draw(Document& document, const Kernel& kernel, bool editable, KernelEdits& edits);

private:
    double factor_ = 2; ///< factor of "Scale"
};

} // namespace kg::ui
