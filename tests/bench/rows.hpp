#pragma once
// The tables that kg_cpu_bench can make. Every way is first run on a small picture and compared with the float64
// reference; what is not right is not timed.

#include "tests/bench/timing.hpp"

namespace kg::testing {

struct BenchOptions {
    int samples = 15, threads = 2;
    std::string only;      ///< a part of the names of the rows that are wanted
    std::string algorithm; ///< to be timed in place of what is chosen, in the table beside OpenCV

    bool wants(const std::string& name) const { return (name + " ").find(only) != std::string::npos; }
};

/// Kernels of all sizes and formats beside OpenCV's functions.
void rows_against_opencv(const BenchOptions& options, Json& rows);

/// The engine's own ways beside each other where they compete, and OpenCV's function where there is one.
void rows_of_ways(const BenchOptions& options, Json& rows);

} // namespace kg::testing
