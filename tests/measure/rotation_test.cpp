// Rotating buffers, and the noise that they contain.

#include "measure/rotation.hpp"

#include "cpu/engine.hpp"
#include "measure/noise.hpp"
#include "tests/measure/support/counted_engine.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace kg::measure {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1}, kFloats{Depth::f32, 1};
const ImageRequest kRequest{{64, 48}, kGrey, kFloats};

/// Every pixel of a view, downloaded to the host.
Image fetched(Engine& engine, const BufferView& view) {
    Image image({view.covers.width, view.covers.height}, view.format);
    const auto queue = engine.queue();
    queue->download(view, image.view());
    queue->fence().wait();
    return image;
}

TEST(Rotations, AreKeptForTheSameImageFormatsAndBytes) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image(kRequest.size, kGrey, 1),
               other_image = testing::random_image(kRequest.size, kGrey, 2);
    auto other_kernel = kRequest, other_format = kRequest;
    other_kernel.stages = {{{make_kernel(3, 3, std::vector<float>(9, 1.0f), 9)}}};
    other_format.out = kGrey;
    Rotations rotations;
    const auto first = rotations.of(engine, kRequest, image.view(), 0);
    EXPECT_EQ(rotations.of(engine, other_kernel, image.view(), 0), first);
    EXPECT_NE(rotations.of(cpu::make_engine(1), kRequest, image.view(), 0), first);
    EXPECT_EQ(rotations.of(engine, kRequest, image.view(), 0), first) << "each engine has its own";
    EXPECT_NE(rotations.of(engine, kRequest, image.view(), 1 << 20), first);
    const auto second = rotations.of(engine, kRequest, other_image.view(), 0);
    EXPECT_TRUE(testing::same_pixels(fetched(*engine, second->next().src).view(), other_image.view()));
    EXPECT_NE(rotations.of(engine, other_format, other_image.view(), 0), second);
}

TEST(Rotation, HoldsTheImageAsOftenAsItTakes) {
    const auto image = testing::random_image(kRequest.size, kGrey, 1);
    const auto pair = (buffer_pitch(64, kGrey) + buffer_pitch(64, kFloats)) * 48;
    for (const auto& engine : testing::engines()) {
        EXPECT_EQ(Rotation(engine, kRequest, image.view(), 0).size(), 1u);
        EXPECT_EQ(Rotation(engine, kRequest, image.view(), 1).size(), 1u);
        EXPECT_EQ(Rotation(engine, kRequest, image.view(), 3 * pair).size(), 3u);
        Rotation rotation(engine, kRequest, image.view(), 3 * pair + 1);
        ASSERT_EQ(rotation.size(), 4u);
        std::set<std::size_t> sources, results;
        for (int i = 0; i < 4; ++i) {
            const auto& item = rotation.next();
            sources.insert(item.src.offset);
            results.insert(item.dst.offset);
            EXPECT_TRUE(testing::same_pixels(fetched(*engine, item.src).view(), image.view()));
            EXPECT_TRUE(poison_left(fetched(*engine, item.dst).view()));
        }
        EXPECT_EQ(sources.size(), 4u);
        EXPECT_EQ(results.size(), 4u);
        EXPECT_TRUE(sources.contains(rotation.next().src.offset)) << "begins again";
    }
}

TEST(Rotation, IsFilledAsFarAsTheTimeAllows) {
    const auto image = testing::random_image(kRequest.size, kGrey, 1);
    const auto engine = cpu::make_engine(1);
    testing::CountedTime time;
    const TimeLimit over(time, 0), enough(time, 1);
    constexpr std::size_t kBytes = std::size_t{24} << 20;
    const Rotation whole(engine, kRequest, image.view(), kBytes);
    EXPECT_TRUE(whole.is_filled());
    Rotations rotations;
    const auto rotation = rotations.of(engine, kRequest, image.view(), kBytes, over);
    EXPECT_FALSE(rotation->is_filled());
    EXPECT_GE(rotation->size(), 1u);
    EXPECT_LT(rotation->size(), whole.size());
    const auto* first = rotation->next().dst.memory.get();
    EXPECT_EQ(rotations.of(engine, kRequest, image.view(), kBytes, enough), rotation);
    EXPECT_TRUE(rotation->is_filled()) << "later, where there is time";
    EXPECT_EQ(rotation->size(), whole.size());
    EXPECT_EQ(rotation->next().dst.memory.get(), first);
}

/// An engine with little memory, shared with other users.
class Small final : public Engine {
public:
    static constexpr std::size_t kMemory = std::size_t{1} << 20;
    explicit Small(std::size_t free) : free_(free) { info_.memory_bytes = kMemory; }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        if (kind == BufferKind::device && bytes > free_) throw std::bad_alloc();
        return inner_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override { return inner_->queue(priority); }
    std::span<const Algorithm* const> algorithms() const override { return inner_->algorithms(); }

private:
    std::size_t free_;
    DeviceInfo info_;
    std::shared_ptr<Engine> inner_ = cpu::make_engine(1);
};

TEST(Rotation, TakesNoMoreThanItsShareOfMemory) {
    const auto image = testing::random_image(kRequest.size, kGrey, 1);
    const auto pair = (buffer_pitch(64, kGrey) + buffer_pitch(64, kFloats)) * 48;
    const auto much = std::make_shared<Small>(Small::kMemory);
    EXPECT_EQ(Rotation(much, kRequest, image.view(), std::size_t{1} << 40).size(), Small::kMemory / 4 / pair);
    const auto little = std::make_shared<Small>(pair * 2); // for one kind of buffer
    EXPECT_LE(Rotation(little, kRequest, image.view(), std::size_t{1} << 40).size(), 3u);
    EXPECT_THROW(Rotation(std::make_shared<Small>(10), kRequest, image.view(), 0), std::bad_alloc);
}

TEST(Noise, IsTheSameForASeedAndLeavesNoLevelOut) {
    const auto bytes = noise_image({100, 100}, kGrey), same = noise_image({100, 100}, kGrey),
               other = noise_image({100, 100}, kGrey, 2);
    EXPECT_TRUE(testing::same_pixels(bytes.view(), same.view()));
    EXPECT_FALSE(testing::same_pixels(bytes.view(), other.view()));
    std::set<double> levels;
    for (std::int64_t y = 0; y < 100; ++y)
        for (std::int64_t x = 0; x < 100; ++x) levels.insert(sample(bytes.view(), x, y, 0));
    EXPECT_EQ(levels.size(), 256u);
}

TEST(Noise, OfFloatsLiesBetweenNoughtAndFullScale) {
    for (const auto depth : {Depth::f16, Depth::f32}) {
        PixelFormat format{depth, 3};
        format.scale = 255;
        const auto image = noise_image({50, 40}, format);
        double sum = 0;
        for (std::int64_t y = 0; y < 40; ++y)
            for (std::int64_t x = 0; x < 50; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double v = sample(image.view(), x, y, c);
                    EXPECT_GE(v, 0);
                    EXPECT_LE(v, 255);
                    sum += v;
                }
        EXPECT_NEAR(sum / 6000, 127.5, 5); // 5 of its standard deviations of 0.95
    }
}

TEST(Poison, IsSeenWhereverARowOfItIsLeft) {
    for (const auto width : {8, 13, 64, 200}) {
        Image image({width, 5}, kGrey);
        poison(image.view());
        EXPECT_TRUE(poison_left(image.view())) << width;
        for (std::int64_t y = 0; y < 5; ++y) {
            if (y != 3) std::fill_n(image.view().row<std::uint8_t>(y), width, std::uint8_t{7});
        }
        const auto left = poison_left(image.view());
        ASSERT_TRUE(left) << width;
        EXPECT_EQ(left->height, 3);
        std::fill_n(image.view().row<std::uint8_t>(3), width, std::uint8_t{7});
        EXPECT_FALSE(poison_left(image.view())) << width;
    }
}

} // namespace
} // namespace kg::measure
