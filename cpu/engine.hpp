#pragma once
// The CPU engine: host memory, oneTBB threads, and SIMD selected at run time.

#include "core/plan/engine.hpp"

namespace kg::cpu {

/// `threads` 0 = all cores available to this process. `memory_limit` is the total for buffers and the scratch
/// of queues, in bytes; 0 = no limit except the physical memory.
std::shared_ptr<Engine> make_engine(int threads = 0, std::size_t memory_limit = 0);

/// A queue of a CPU engine for callers who wait for each run: it computes in the call that enqueues, which
/// saves two switches between threads, some 20 us. nullptr for other engines.
std::unique_ptr<Queue> calling_queue(Engine& engine);

/// All algorithms on the CPU, in order of preference.
std::span<const Algorithm* const> algorithms();

/// All algorithms for signals on the CPU, in order of preference.
std::span<const Algorithm* const> signal_algorithms();

/// All algorithms for filter banks on the CPU, in order of preference.
std::span<const Algorithm* const> bank_algorithms();

/// All algorithms for volumes on the CPU, in order of preference.
std::span<const Algorithm* const> volume_algorithms();

/// The speed of one core assumed by the cost estimates, measured on a 2-core AVX-512 machine.
struct CoreSpeed {
    double taps_per_us = 40000;   ///< multiply-adds of blocks and lines
    double samples_per_us = 5000; ///< conversion to f32 and back, independent of the operations between
    double bytes_per_us = 20000;
    double places_per_us = 500; ///< single samples resolved through the border
};
int threads_of(const Engine& engine);

} // namespace kg::cpu
