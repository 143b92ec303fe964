#pragma once
// Use of each resource of a run. Together with the times of its files it shows the bottleneck.

#include <cstddef>

namespace kg::batch {

/// Totals of a run so far; times in seconds.
struct Load {
    double seconds = 0; ///< wall-clock time
    int threads = 0, writers = 0, devices = 0;
    double device = 0;     ///< time with the maximum number of launches in flight, summed over all GPUs
    double memory = 0;     ///< time during which the next image waited for memory
    double start = 0;      ///< time during which images waited for the engine
    std::size_t ahead = 0; ///< images read or decoded before there was an engine
};

} // namespace kg::batch
