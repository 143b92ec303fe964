// Tensors behind the contract: a plan of a test that adds neighbouring rows of every channel, in float64.

#include "core/plan/engine.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg {
namespace {

using testing::code_of;

double* number(const ImageView& at, const BufferView& view, std::int64_t channel, std::int64_t x,
               std::int64_t y) {
    const auto& format = *view.tensor;
    return reinterpret_cast<double*>(at.data + static_cast<std::size_t>(channel) * format.channel_stride +
                                     static_cast<std::size_t>(y - view.covers.y) * view.pitch +
                                     static_cast<std::size_t>(x - view.covers.x) * format.column_stride);
}

/// Row y of the result is the sum of rows y - 1, y and y + 1; there are none beyond the edges.
class RowSums : public Plan {
public:
    explicit RowSums(Extent size) : size_(size) {}

    Needs needs(const Rect& output) const override {
        return {intersect({output.x, output.y - 1, output.width, output.height + 2}, whole(size_)), 0, 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = dynamic_cast<cpu::HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([this, &host, item](const cpu::HostQueue::Context&) { add(host, item); });
    }

private:
    void add(const cpu::HostQueue& host, const Item& item) const {
        const auto from = host.image(item.src), to = host.image(item.dst);
        const auto& wanted = item.dst.covers;
        for (std::int64_t c = 0; c < item.dst.tensor->channels; ++c)
            for (auto y = wanted.y; y < wanted.bottom(); ++y)
                for (auto x = wanted.x; x < wanted.right(); ++x) {
                    double sum = 0;
                    for (auto row = std::max<std::int64_t>(y - 1, 0); row < std::min(y + 2, size_.height);
                         ++row)
                        sum += *number(from, item.src, c, x, row);
                    *number(to, item.dst, c, x, y) = sum;
                }
    }

    Extent size_;
};

class Tensor : public ::testing::Test {
protected:
    /// A batch of two items of seven channels.
    static constexpr std::int64_t kChannels = 7, kItems = 2;
    static constexpr Extent kSize{19, 11};

    static double value(std::int64_t item, std::int64_t c, std::int64_t x, std::int64_t y) {
        return static_cast<double>(1 + x + 100 * y + 10'000 * c + 1'000'000 * item) + 1e-9;
    }

    std::vector<Item> batch(const Rect& outputs) {
        std::vector<Item> items;
        for (const auto& view : sources_) items.push_back({view.crop(plan_->needs(outputs).source), {}});
        for (std::size_t i = 0; i < items.size(); ++i) items[i].dst = results_[i].crop(outputs);
        return items;
    }

    void SetUp() override {
        for (std::int64_t item = 0; item < kItems; ++item) {
            sources_.push_back(allocate_tensor(*engine_, Element::f64, kChannels, whole(kSize)));
            results_.push_back(allocate_tensor(*engine_, Element::f64, kChannels, whole(kSize)));
            for (std::int64_t c = 0; c < kChannels; ++c)
                for (std::int64_t y = 0; y < kSize.height; ++y)
                    for (std::int64_t x = 0; x < kSize.width; ++x) {
                        *at(sources_.back(), c, x, y) = value(item, c, x, y);
                        *at(results_.back(), c, x, y) = -1;
                    }
        }
    }

    static double* at(const BufferView& view, std::int64_t c, std::int64_t x, std::int64_t y) {
        return number({view.memory->host() + view.offset, view.pitch, kSize, {}}, view, c, x, y);
    }

    void expect_sums() {
        for (std::int64_t item = 0; item < kItems; ++item)
            for (std::int64_t c = 0; c < kChannels; ++c)
                for (std::int64_t y = 0; y < kSize.height; ++y)
                    for (std::int64_t x = 0; x < kSize.width; ++x) {
                        double sum = 0;
                        for (auto row = std::max<std::int64_t>(y - 1, 0); row < std::min(y + 2, kSize.height);
                             ++row)
                            sum += value(item, c, x, row);
                        ASSERT_EQ(*at(results_[static_cast<std::size_t>(item)], c, x, y), sum) << c << x << y;
                    }
    }

    const std::shared_ptr<Engine> engine_ = cpu::make_engine();
    const std::shared_ptr<const Plan> plan_ = std::make_shared<RowSums>(kSize);
    std::vector<BufferView> sources_, results_;
};

TEST_F(Tensor, ABatchOfManyChannelsInFloat64IsOneRun) {
    const auto queue = engine_->queue();
    queue->run(plan_, batch(whole(kSize)));
    queue->fence().wait();
    expect_sums();
}

TEST_F(Tensor, StripsGiveTheWhole) {
    const auto queue = engine_->queue();
    for (std::int64_t y = 0; y < kSize.height; y += 4)
        queue->run(plan_, batch(intersect({0, y, kSize.width, 4}, whole(kSize))));
    queue->fence().wait();
    expect_sums();
}

TEST_F(Tensor, StridesOfMoreThan32BitsReachTheirNumbers) {
    BufferView view;
    view.pitch = std::size_t{1} << 33;
    view.tensor = TensorFormat{Element::i16, 3, std::size_t{1} << 20, std::size_t{1} << 50};
    view.covers = {0, 0, 1 << 13, 1 << 17};
    const auto part = view.crop({100, 1 << 16, 1, 1});
    EXPECT_EQ(part.offset, (std::size_t{1} << 49) + (std::size_t{100} << 20));
    EXPECT_EQ(part.size_in_bytes(), (std::size_t{2} << 50) + (std::size_t{1} << 33));
}

TEST_F(Tensor, InterleavedChannelsTakeNoMoreThanTheirRows) {
    BufferView view;
    view.tensor = TensorFormat{Element::f64, 7, 56, 8};
    view.pitch = 1024;
    view.covers = {0, 0, 16, 10};
    EXPECT_EQ(view.size_in_bytes(), 10240u);
}

TEST_F(Tensor, ImpossibleOnesAreRefused) {
    const auto allocate = [&](std::int64_t channels, const Rect& covers) {
        return code_of([&] { allocate_tensor(*engine_, Element::f64, channels, covers); });
    };
    EXPECT_EQ(allocate(0, {0, 0, 1, 1}), "impossible-size");
    EXPECT_EQ(allocate(1, {}), "impossible-size");
    EXPECT_EQ(allocate(1, {0, 0, std::int64_t{1} << 61, 1}), "impossible-size");
    EXPECT_EQ(allocate(std::int64_t{1} << 40, {0, 0, 1 << 12, 1 << 12}), "impossible-size");
}

TEST_F(Tensor, TransfersOfImagesRefuseThem) {
    const Image image({19, 11}, {Depth::u8, 1});
    EXPECT_NE(code_of([&] { check_transfer(image.view(), sources_.front()); }), "no error");
}

} // namespace
} // namespace kg
