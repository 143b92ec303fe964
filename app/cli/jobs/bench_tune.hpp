#pragma once
// `bench tune`: fits the constants by which `auto` chooses.

#include "app/cli/flags/bench_options.hpp"

namespace kg {

/// Fits to the reports named, or to a sweep that it measures, and writes the file of constants. Returns the
/// exit code.
int bench_tune(const BenchOptions& o);

} // namespace kg
