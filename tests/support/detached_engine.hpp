#pragma once
// An engine that behaves like a GPU: work runs on its own thread after random delays, and its buffers have no
// host pointer. Code that works with it assumes neither synchrony nor host memory.

#include "core/plan/engine.hpp"

namespace kg::testing {

/// `memory_limit` applies to its buffers and the scratch of its queues, as in the CUDA engine; 0 = none.
std::shared_ptr<Engine> make_detached_engine(unsigned seed = 1, std::size_t memory_limit = 0);

} // namespace kg::testing
