#pragma once
// What the benchmarks of signals, filter banks and volumes sweep over, in groups that --rows names.

#include "measure/tensor_work.hpp"

#include <vector>

namespace kg {

/// `seed`: 1024 integers with 1024, whose outputs add up to 1074003968 modulo 2^32. `taps`: 2^20 f32 with 16
/// to 16384 taps. `lengths`: 2^10 to 2^24 f32 with 1024 taps. All are full convolutions.
std::vector<measure::TensorWorks> signal_cases();

/// `seed`: 6 to 6 and 3 to 3 channels of 768 x 512 with 6 x 6 weights. `sizes`: the same to 1920 x 2400, with
/// 3 x 3 and 6 x 6 weights. `kernels`: 6 to 6 channels of 768 x 512 with 5 x 5 to 15 x 15. `layouts`: the
/// three layouts. `padding`: as many outputs as numbers, under three borders. `tolerance`: what an algorithm
/// that is not exact computes, too. `layers`: seven layers of networks. All but the last have a stride of 1.
/// Sources: docs/seeds.md 32, 55 and 39.
std::vector<measure::TensorWorks> bank_cases();

/// `stencils`: heat and waves of 120^3, one step and 10. `kernels`: dense and separable kernels of 64^3.
/// `large`: stencils of 256 x 256 x 128.
std::vector<measure::TensorWorks> volume_cases();

} // namespace kg
