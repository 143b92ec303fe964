#pragma once
// `bench` and `bench image`: every algorithm, verified and timed.

#include "app/cli/flags/bench_options.hpp"

namespace kg {

/// Measures, writes the reports and prints one. Returns the exit code. Throws Error for incompatible flags.
int bench_algorithms(const BenchOptions& o);

} // namespace kg
