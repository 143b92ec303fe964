#pragma once
// The kernels of `direct` for banks whose outputs and taps are next to each other (DirectBank::dense).

#include "gpu/kernels/banks/direct_launch.hpp"

namespace kg::gpu {

/// The kernel compiled for the bank's filters and columns of taps. Its arguments are a BankLaunch and a
/// DirectLaunch.
const void* dense_kernel(const DirectBank& bank);

} // namespace kg::gpu
