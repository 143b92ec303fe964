#pragma once
// Huge pages for large blocks of memory.

#include <cstddef>

namespace kg {

/// Lets the system back memory that has not been touched by huge pages, if the block is large. The first
/// touch of a block of many pages takes as long as several copies of it, and threads wait for one another
/// there. Without huge pages nothing changes.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

} // namespace kg
