#include "core/support/huge_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace kg {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20, kBytes = 8 * kHugePage;

using Memory = std::unique_ptr<char, decltype(&std::free)>;
Memory memory_of(std::size_t bytes) {
    return {static_cast<char*>(std::aligned_alloc(kHugePage, bytes)), &std::free};
}

/// The flags of the mapping that contains `at` (/proc/self/smaps).
std::string flags_of(const void* at) {
    std::ifstream maps("/proc/self/smaps");
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    bool is_own = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0, end = 0;
        char dash = 0;
        if (std::istringstream text(line); text >> std::hex >> begin >> dash >> end && dash == '-')
            is_own = begin <= address && address < end;
        if (is_own && line.starts_with("VmFlags:")) return line + " ";
    }
    return {};
}

TEST(HugePages, AreAskedForInsideALargeBlock) {
    if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) GTEST_SKIP() << "no huge pages here";
    const auto memory = memory_of(kBytes);
    advise_huge_pages(memory.get() + 16, kBytes - 32); // as the C library's blocks begin
    EXPECT_NE(flags_of(memory.get() + kHugePage).find(" hg "), std::string::npos);
    const auto small = memory_of(kHugePage);
    advise_huge_pages(small.get(), kHugePage);
    EXPECT_EQ(flags_of(small.get()).find(" hg "), std::string::npos);
}

TEST(HugePages, KeepWhatTheBlockHolds) {
    const auto memory = memory_of(kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) memory.get()[i] = static_cast<char>(i % 251);
    advise_huge_pages(memory.get() + 5, kBytes - 5);
    for (std::size_t i = 0; i < kBytes; ++i) ASSERT_EQ(memory.get()[i], static_cast<char>(i % 251)) << i;
    advise_huge_pages(nullptr, 0);
}

} // namespace
} // namespace kg
