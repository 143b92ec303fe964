#pragma once
// What a benchmark of signals sweeps over: the experiments of the texts, and lengths and taps.

#include "measure/signal_bench.hpp"

#include <vector>

namespace kg {

/// 1024 integers with 1024, whose outputs add up to 1074003968 modulo 2^32; 2^20 f32 with 1024 taps; 2^20 f32
/// with 16 to 16384 taps; 2^10 to 2^24 f32 with 1024 taps. All are full convolutions.
std::vector<measure::SignalCase> signal_cases();

} // namespace kg
