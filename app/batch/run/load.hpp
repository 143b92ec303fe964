#pragma once
// How much of what a run needs was in use: with the times of its files it says what holds the run up.

#include <cstddef>

namespace kg::batch {

/// Of a run so far; times in seconds.
struct Load {
    double seconds = 0; ///< by the clock
    int threads = 0, writers = 0, devices = 0;
    double device = 0; ///< in which a GPU had as many launches at once as it ever had, of all GPUs together
    double memory = 0; ///< in which the next picture waited for memory
    double start = 0;  ///< in which pictures waited for the engine
    std::size_t ahead = 0; ///< pictures that were read or decoded before there was an engine
};

} // namespace kg::batch
