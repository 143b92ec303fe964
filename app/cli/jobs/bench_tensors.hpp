#pragma once
// `bench signal`, `bench bank` and `bench volume`.

#include "app/cli/flags/bench_options.hpp"

#include <string_view>

namespace kg {

bool is_tensor_benchmark(std::string_view word);

/// Measures, writes and prints the report, and returns the exit code.
int bench_tensors(const BenchOptions& options);

} // namespace kg
