#include "core/support/huge_pages.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace kg {

void advise_huge_pages(void* memory, std::size_t bytes) noexcept {
    constexpr std::size_t kLarge = std::size_t{4} << 20;
    if (bytes < kLarge) return;
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    const auto begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); // a failure changes nothing
}

} // namespace kg
