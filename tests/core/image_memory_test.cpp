// Pictures of one size after the other take the same memory while somebody keeps it, and no more is kept than was said.

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

/// Has two pieces.
class TwoPieces final : public ImageMemorySource {
public:
    std::shared_ptr<std::byte> take(std::size_t bytes) override {
        auto& piece = lent_ == 0 ? one_ : two_;
        if (lent_ == 2 || bytes > sizeof piece) return nullptr;
        ++lent_;
        return {piece, [this](std::byte*) { --lent_; }};
    }
    int lent() const { return lent_; }
    bool has(const Image& image) const { return image.view().data == one_ || image.view().data == two_; }

private:
    alignas(64) std::byte one_[1 << 12], two_[1 << 12];
    std::atomic<int> lent_ = 0;
};

TEST(ImageMemory, ASourceGivesAThreadItsPicturesAsFarAsItGoes) {
    constexpr Extent kSmall{16, 16};
    TwoPieces source;
    std::optional<Image> first, large, second, third;
    {
        const ImageMemoryFrom from(&source);
        first.emplace(kSmall, kFormat);
        large.emplace(kSize, kFormat);
        std::jthread([&] { EXPECT_FALSE(source.has(Image(kSmall, kFormat))) << "another thread"; }).join();
        {
            const ImageMemoryFrom usual(nullptr);
            EXPECT_FALSE(source.has(Image(kSmall, kFormat)));
        }
        second.emplace(kSmall, kFormat);
        third.emplace(kSmall, kFormat);
    }
    EXPECT_TRUE(source.has(*first) && source.has(*second));
    EXPECT_FALSE(source.has(*large) || source.has(*third));
    EXPECT_FALSE(source.has(Image(kSmall, kFormat))) << "it is over";
    for (const auto* image : {&first, &large, &second, &third})
        EXPECT_EQ(is_from_source((**image).view().data), source.has(**image));
    std::jthread([&] { first.reset(); }).join();
    EXPECT_EQ(source.lent(), 1) << "any thread may give back";
    *second = {};
    EXPECT_EQ(source.lent(), 0);
}

} // namespace
} // namespace kg::testing
