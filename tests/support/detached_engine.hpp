#pragma once
// An engine that behaves like a GPU without being one: work runs on its own thread after random delays, and its
// buffers have no host pointer. Code that is right with it assumes neither synchrony nor host memory.

#include "core/engine.hpp"

namespace kg::testing {

std::shared_ptr<Engine> make_detached_engine(unsigned seed = 1);

} // namespace kg::testing
