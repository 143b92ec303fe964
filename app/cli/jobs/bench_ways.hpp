#pragma once
// `bench` and `bench image`: every way of computing, proved and timed.

#include "app/cli/flags/bench_options.hpp"

namespace kg {

/// Measures, writes the reports and prints one. Returns the exit code. Throws Error for flags that do not go together.
int bench_ways(const BenchOptions& o);

} // namespace kg
