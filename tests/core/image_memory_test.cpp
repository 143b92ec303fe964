// Pictures of one size after the other take the same memory while somebody keeps it, and no more is kept than was said.

#include "core/image.hpp"
#include "core/image_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

constexpr PixelFormat kFormat{Depth::u8, 4, 3};
/// More than the C library ever keeps itself, so that fresh memory is all zero.
constexpr Extent kSize{4096, 2560};

/// Whether the memory that a picture of this size gets has the mark of one before; leaves the mark in it.
bool was_marked(std::int64_t more_rows) {
    constexpr int kMark = 0x5a;
    Image image({kSize.width, kSize.height + more_rows}, kFormat);
    auto& middle = image.view().row<unsigned char>(kSize.height / 2)[5];
    return std::exchange(middle, kMark) == kMark;
}

TEST(ImageMemory, WhatIsGivenBackServesTheNextOfItsSizeWhileSomebodyKeepsIt) {
    EXPECT_FALSE(was_marked(0));
    EXPECT_FALSE(was_marked(0)) << "nobody keeps it";
    {
        const KeepImageMemory keep(2);
        EXPECT_FALSE(was_marked(0));
        EXPECT_TRUE(was_marked(0));
        EXPECT_FALSE(was_marked(1)) << "another size";
        EXPECT_TRUE(was_marked(0));
    }
    EXPECT_FALSE(was_marked(0)) << "nobody keeps it any more";
}

TEST(ImageMemory, TheOldestIsGivenUpFirst) {
    const KeepImageMemory keep(2);
    for (int size = 0; size < 3; ++size) EXPECT_FALSE(was_marked(size));
    EXPECT_TRUE(was_marked(2));
    EXPECT_TRUE(was_marked(1));
    EXPECT_FALSE(was_marked(0));
}

TEST(ImageMemory, ThreadsShareItAndEachHasItsOwnPicture) {
    const KeepImageMemory keep(3);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([t] {
            for (int i = 0; i < 50; ++i) {
                Image image({512, 512 + i % 3}, kFormat);
                std::memset(image.view().data, t, image.size_in_bytes());
                std::this_thread::yield();
                const auto* row = image.view().row<unsigned char>(511);
                ASSERT_EQ(row[0], t);
                ASSERT_EQ(row[4 * 511], t);
            }
        });
}

} // namespace
} // namespace kg::testing
