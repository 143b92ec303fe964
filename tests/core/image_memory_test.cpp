// Successive images of one size reuse memory while a KeepImageMemory lives, up to its limit.

#include "core/image/image.hpp"
#include "core/image/image_memory.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace kg::testing {
namespace {

constexpr PixelFormat kFormat{Depth::u8, 4, 3};
/// Larger than any block that the C library recycles, so that fresh memory is all zero.
constexpr Extent kSize{4096, 2560};

/// True if the memory of a new image of this size has the mark of an earlier one; leaves the mark in it.
bool was_marked(std::int64_t more_rows) {
    constexpr int kMark = 0x5a;
    Image image({kSize.width, kSize.height + more_rows}, kFormat);
    auto& middle = image.view().row<unsigned char>(kSize.height / 2)[5];
    return std::exchange(middle, kMark) == kMark;
}

TEST(ImageMemory, WhatIsGivenBackServesTheNextOfItsSizeWhileSomebodyKeepsIt) {
    EXPECT_FALSE(was_marked(0));
    EXPECT_FALSE(was_marked(0)) << "not kept";
    {
        const KeepImageMemory keep(2);
        EXPECT_FALSE(was_marked(0));
        EXPECT_TRUE(was_marked(0));
        EXPECT_FALSE(was_marked(1)) << "another size";
        EXPECT_TRUE(was_marked(0));
    }
    EXPECT_FALSE(was_marked(0)) << "no longer kept";
}

TEST(ImageMemory, TheOldestIsGivenUpFirst) {
    const KeepImageMemory keep(2);
    for (int size = 0; size < 3; ++size) EXPECT_FALSE(was_marked(size));
    EXPECT_TRUE(was_marked(2));
    EXPECT_TRUE(was_marked(1));
    EXPECT_FALSE(was_marked(0));
}

TEST(ImageMemory, ThreadsShareItAndEachHasItsOwnImage) {
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

/// Has two blocks.
class TwoBlocks final : public ImageMemorySource {
public:
    std::shared_ptr<std::byte> take(std::size_t bytes) override {
        auto& block = lent_ == 0 ? one_ : two_;
        if (lent_ == 2 || bytes > sizeof block) return nullptr;
        ++lent_;
        return {block, [this](std::byte*) { --lent_; }};
    }
    int lent() const { return lent_; }
    bool has(const Image& image) const { return image.view().data == one_ || image.view().data == two_; }

private:
    alignas(64) std::byte one_[1 << 12], two_[1 << 12];
    std::atomic<int> lent_ = 0;
};

TEST(ImageMemory, ASourceGivesImagesAsFarAsItGoes) {
    constexpr Extent kSmall{16, 16};
    TwoBlocks source;
    std::optional<Image> first, large, second, third;
    first.emplace(kSmall, kFormat, &source);
    large.emplace(kSize, kFormat, &source);
    second.emplace(kSmall, kFormat, &source);
    third.emplace(kSmall, kFormat, &source);
    EXPECT_TRUE(source.has(*first) && source.has(*second));
    EXPECT_FALSE(source.has(*large) || source.has(*third));
    EXPECT_FALSE(source.has(Image(kSmall, kFormat))) << "it was not asked";
    for (const auto* image : {&first, &large, &second, &third})
        EXPECT_EQ(is_from_source((**image).view().data), source.has(**image));
    std::jthread([&] { first.reset(); }).join();
    EXPECT_EQ(source.lent(), 1) << "any thread may give back";
    *second = {};
    EXPECT_EQ(source.lent(), 0);
}

} // namespace
} // namespace kg::testing
