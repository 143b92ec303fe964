#pragma once
// Memory allocated by this thread: a measure of work that does not depend on the machine, unlike a clock.

#include <cstddef>

namespace kg::testing {

/// Bytes that operator new has allocated on this thread since its start.
std::size_t allocated_bytes();

} // namespace kg::testing
