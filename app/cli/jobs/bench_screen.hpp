#pragma once
// `bench display` and `bench slider`: how long pictures take to the screen. Their reports have one form, and what they wait for
// may be a driver that never answers.

#include "app/cli/flags/bench_options.hpp"

namespace kg {

/// Both measure, write the report and print it, and return the exit code. Throw Error for flags of other benchmarks,
/// Unavailable where OpenGL cannot draw.
int bench_display(const BenchOptions& o);
int bench_slider(const BenchOptions& o);

} // namespace kg
