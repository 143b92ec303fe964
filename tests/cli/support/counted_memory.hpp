#pragma once
// How much this thread has allocated: work that can be counted where a clock would depend on the machine.

#include <cstddef>

namespace kg::testing {

/// Bytes that operator new gave to this thread, since it began.
std::size_t allocated_bytes();

} // namespace kg::testing
