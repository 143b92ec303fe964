#include "tests/cli/support/counted_memory.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocated = 0;

} // namespace

// The other forms of new and delete call these, except those for over-aligned types.
void* operator new(std::size_t bytes) {
    allocated += bytes;
    if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace kg::testing {

std::size_t allocated_bytes() { return allocated; }

} // namespace kg::testing
