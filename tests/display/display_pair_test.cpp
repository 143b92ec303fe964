// A result and its original appear on the screen together, or neither does.

#include "cpu/engine.hpp"
#include "display/display_image.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/standstill.hpp"

#include <new>
#include <optional>
#include <utility>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

/// A window's two images.
struct Both {
    explicit Both(const std::shared_ptr<DisplayRoute>& route) : original(route), result(route) {}
    void present(Frame frame, std::optional<Frame> original_frame) {
        present_together(original, result, std::move(frame), std::move(original_frame));
    }
    bool poll() { return poll_together(original, result); }
    bool busy() const { return original.busy() || result.busy(); }

    DisplayImage original, result;
};

class Pair : public GlTest {
protected:
    static constexpr PixelFormat kFormat{Depth::u8, 4, 3};

    Frame frame(Extent size, std::uint64_t serial) const {
        return on_engine(engine_, random_image(size, kFormat, static_cast<unsigned>(serial)).view(), serial);
    }
    static bool poll_soon(Both& pair) {
        return eventually([&] { return pair.poll(); });
    }
    static std::pair<std::uint64_t, std::uint64_t> serials(const Both& pair) {
        return {pair.original.shown().serial, pair.result.shown().serial};
    }

    std::shared_ptr<FailingMemory> engine_ = std::make_shared<FailingMemory>();
    std::shared_ptr<DisplayRoute> route_ = std::make_shared<DisplayRoute>(DisplayMode::host, nullptr);
};

TEST_F(Pair, BothChangeInTheSameFrame) {
    Both pair(route_);
    pair.present(frame({20, 10}, 1), frame({20, 10}, 101));
    EXPECT_TRUE(pair.busy());
    ASSERT_TRUE(poll_soon(pair));
    EXPECT_EQ(serials(pair), std::pair(std::uint64_t{101}, std::uint64_t{1}));
    EXPECT_FALSE(pair.busy());

    for (const bool original_is_late : {true, false}) {
        SCOPED_TRACE(original_is_late);
        const auto before = serials(pair);
        const auto gate = std::make_shared<Gate>();
        auto result = frame({31, 17}, before.second + 1), original = frame({31, 17}, before.first + 1);
        (original_is_late ? original : result).ready = Completion(gate);
        pair.present(result, original);
        EXPECT_FALSE(pair.poll());
        ASSERT_TRUE(comes_to_standstill());
        EXPECT_FALSE(pair.poll());
        EXPECT_EQ(serials(pair), before);
        gate->open();
        ASSERT_TRUE(poll_soon(pair));
        EXPECT_EQ(serials(pair), std::pair(before.first + 1, before.second + 1));
    }
}

TEST_F(Pair, ResultsOfTheSameImageDoNotWaitForTheOriginalAgain) {
    Both pair(route_);
    pair.present(frame({20, 10}, 1), frame({20, 10}, 101));
    ASSERT_TRUE(poll_soon(pair));
    pair.present(frame({20, 10}, 2), std::nullopt);
    ASSERT_TRUE(poll_soon(pair));
    EXPECT_EQ(serials(pair), std::pair(std::uint64_t{101}, std::uint64_t{2}));
}

TEST_F(Pair, AResultOfTheImageBeforeDoesNotComeWithTheNextOnesOriginal) {
    Both pair(route_);
    pair.present(frame({20, 10}, 1), frame({20, 10}, 101));
    ASSERT_TRUE(poll_soon(pair));
    pair.present(frame({20, 10}, 2), std::nullopt); // not polled yet
    pair.present(frame({9, 8}, 3), frame({9, 8}, 102));
    ASSERT_TRUE(poll_soon(pair));
    EXPECT_EQ(serials(pair), std::pair(std::uint64_t{102}, std::uint64_t{3}));
}

TEST_F(Pair, WhereMemoryIsShortForOneNeitherComes) {
    for (const int failing : {1, 2}) { // the original's, the result's
        SCOPED_TRACE(failing);
        Both pair(route_);
        pair.present(frame({20, 10}, 1), frame({20, 10}, 101));
        ASSERT_TRUE(poll_soon(pair));
        engine_->fail_staging(failing);
        EXPECT_THROW(pair.present(frame({60, 50}, 2), frame({60, 50}, 102)), std::bad_alloc);
        EXPECT_FALSE(pair.busy());
        ASSERT_TRUE(comes_to_standstill());
        EXPECT_FALSE(pair.poll());
        EXPECT_EQ(serials(pair), std::pair(std::uint64_t{101}, std::uint64_t{1}));
        pair.present(frame({60, 50}, 3), frame({60, 50}, 103));
        ASSERT_TRUE(poll_soon(pair));
        EXPECT_EQ(serials(pair), std::pair(std::uint64_t{103}, std::uint64_t{3}));
    }
}

} // namespace
