#pragma once
// The plots of the Kernel panel. Each is an item with a tooltip that tells what it shows.

#include "filters/kernel/numbers.hpp"

namespace kg::ui {

/// Three rows of two plots, in the width that is left; of a kernel that is not all 0.
void kernel_plots(const KernelNumbers& numbers);

} // namespace kg::ui
