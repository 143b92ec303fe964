#pragma once
// The CPU engine: host memory, oneTBB threads, SIMD chosen at run time.

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// `threads` 0 = all cores that this process may use. `memory_limit` is for its buffers and its queues' scratch together, in
/// bytes; 0 = all the memory there is.
std::shared_ptr<Engine> make_engine(int threads = 0, std::size_t memory_limit = 0);

/// All ways of computing on the CPU, in the order of preference.
std::span<const Algorithm* const> algorithms();

/// What the cost estimates assume one core does, from runs on a 2-core AVX-512 machine (docs/performance.md).
struct Speed {
    double taps_per_us = 40000;   ///< multiply-adds of blocks and lines
    double samples_per_us = 5000; ///< to f32 and back, whatever is done between
    double bytes_per_us = 20000;
    double places_per_us = 500; ///< single places that the border settles
};
int threads_of(const Engine& engine);

} // namespace kg::cpu
