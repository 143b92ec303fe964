// The guard build detects writes beyond buffers, and memory read before it was written is NaN. Skipped with
// the reason elsewhere.

#include "gpu/engine.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/device.hpp"
#include "tests/support/check.hpp"

#include <cmath>

namespace kg::testing {
namespace {

/// Writes bytes out of bounds, as a kernel with a wrong index would.
class Overrun final : public Plan {
public:
    enum class Where { result, scratch, source };
    Overrun(Where where, std::int64_t from_end, std::size_t bytes)
        : where_(where), from_end_(from_end), bytes_(bytes) {
        algorithm = "overrun";
    }
    Needs needs(const Rect& output) const override { return {output, 1000, 1}; }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const auto& view = where_ == Where::result   ? items.front().dst
                           : where_ == Where::source ? items.front().src
                                                     : scratch;
        auto* begin = static_cast<std::byte*>(gpu::device_pointer(view));
        const auto end = static_cast<std::int64_t>(where_ == Where::scratch ? 1000 : view.size_in_bytes());
        gpu::check(cudaMemsetAsync(begin + end + from_end_, 7, bytes_, gpu::stream_of(queue)));
    }

private:
    Where where_;
    std::int64_t from_end_;
    std::size_t bytes_;
};

class Guard : public ::testing::Test {
protected:
    void SetUp() override {
        if (!gpu::make_guard(nullptr)) GTEST_SKIP() << "this is no guard build (preset guard)";
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
        item = {allocate_view(*engine, format, area), allocate_view(*engine, format, area)};
    }
    /// What the guard found at the next fence.
    std::string after(Overrun::Where where, std::int64_t from_end, std::size_t bytes) {
        const auto queue = engine->queue();
        queue->run(std::make_shared<Overrun>(where, from_end, bytes), {&item, 1});
        try {
            queue->fence().wait();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "write-beyond-buffer");
            const auto& found = error.arguments().front();
            EXPECT_EQ(error.what(), "the guard found writes beyond a buffer: " + found);
            return found;
        }
        return {};
    }
    static constexpr PixelFormat format{Depth::f32, 1};
    static constexpr Rect area{0, 0, 64, 32};
    std::shared_ptr<Engine> engine;
    Item item;
};

TEST_F(Guard, AWriteBehindAResultIsNamed) {
    EXPECT_EQ(after(Overrun::Where::result, 0, 4), "the result of overrun, a buffer of " +
                                                       std::to_string(64 * 32 * 4) +
                                                       " bytes: 1 byte past its end");
    EXPECT_EQ(after(Overrun::Where::result, -4, 4), "") << "it is reported once";
}

TEST_F(Guard, AWriteBeforeASourceAndBehindTheScratchAreFound) {
    const auto bytes = static_cast<std::int64_t>(item.src.size_in_bytes());
    EXPECT_EQ(after(Overrun::Where::source, -bytes - 8, 4), "the source of overrun, a buffer of " +
                                                                std::to_string(bytes) +
                                                                " bytes: 5 bytes before its beginning");
    EXPECT_EQ(after(Overrun::Where::scratch, 16, 1),
              "the scratch of overrun, a buffer of 1000 bytes: 17 bytes past its end");
}

TEST_F(Guard, WorkWithinItsBuffersIsFine) {
    EXPECT_EQ(after(Overrun::Where::result, -8, 8), "");
    EXPECT_EQ(after(Overrun::Where::scratch, -1000, 1000), "");
}

TEST_F(Guard, FreshMemoryIsNoNumber) {
    const auto fresh = allocate_view(*engine, format, area);
    Image image({area.width, area.height}, format);
    const auto queue = engine->queue();
    queue->download(fresh, image.view());
    queue->fence().wait();
    EXPECT_TRUE(std::isnan(image.view().row<float>(31)[63]));
}

TEST_F(Guard, FindsNothingInAFilter) {
    ImageRequest request{
        {333, 217}, {Depth::u8, 3}, {Depth::u8, 3}, {generated_stage(GaussianGenerator{2, 13, 13})}};
    const auto image = random_image(request.size, request.in, 1);
    for (const auto& algorithm : algorithm_answers(*engine, request)) {
        if (!algorithm.why_not.empty()) continue;
        EXPECT_TRUE(is_right(request, image.view(),
                             run(*engine, request, image.view(), algorithm.algorithm->id).view()))
            << algorithm.algorithm->id;
    }
}

} // namespace
} // namespace kg::testing
