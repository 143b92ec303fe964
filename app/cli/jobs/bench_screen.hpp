#pragma once
// `bench display` and `bench slider`: the time from a result or an edit to the screen. Both may have to wait
// for a graphics driver that never returns.

#include "app/cli/flags/bench_options.hpp"

namespace kg {

/// Both measure, write and print the report, and return the exit code. They throw Error for flags of other
/// benchmarks, and Unavailable if OpenGL cannot draw.
int bench_display(const BenchOptions& o);
int bench_slider(const BenchOptions& o);

} // namespace kg
