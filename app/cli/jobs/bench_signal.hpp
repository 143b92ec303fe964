#pragma once
// `bench signal`.

#include "app/cli/flags/bench_options.hpp"

namespace kg {

/// Measures, writes and prints the report, and returns the exit code.
int bench_signal(const BenchOptions& options);

} // namespace kg
