#include "core/support/huge_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/mman.h>

namespace kg {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20, kBytes = 8 * kHugePage;

/// A mapping of its own: blocks of the C library may lie in memory that had huge pages before.
class Mapping {
public:
    explicit Mapping(std::size_t bytes)
        : bytes_(bytes),
          memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
    ~Mapping() { ::munmap(memory_, bytes_); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    char* get() const { return static_cast<char*>(memory_); }

private:
    std::size_t bytes_;
    void* memory_;
};

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
    const Mapping memory(kBytes);
    advise_huge_pages(memory.get() + 16, kBytes - 32); // as the C library's blocks begin
    EXPECT_NE(flags_of(memory.get() + kHugePage).find(" hg "), std::string::npos);
    const Mapping small(kHugePage);
    advise_huge_pages(small.get(), kHugePage);
    EXPECT_EQ(flags_of(small.get()).find(" hg "), std::string::npos);
}

TEST(HugePages, KeepWhatTheBlockHolds) {
    const Mapping memory(kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) memory.get()[i] = static_cast<char>(i % 251);
    advise_huge_pages(memory.get() + 5, kBytes - 5);
    for (std::size_t i = 0; i < kBytes; ++i) ASSERT_EQ(memory.get()[i], static_cast<char>(i % 251)) << i;
    advise_huge_pages(nullptr, 0);
}

} // namespace
} // namespace kg
