// Who shows a picture whose results take turns between two ways, and what the idle one keeps. The ways are made up: none needs
// OpenGL.

#include "display/two_ways.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace kg;
using namespace kg::display;

struct Log {
    int made = 0, alive = 0, released = 0;
    std::vector<Frame> presented;
};

/// Shows with the next poll what was presented.
class FakeWay final : public HandOff {
public:
    FakeWay(Log& log, GLuint texture) : log_(log), name_(texture) { ++log_.made, ++log_.alive; }
    ~FakeWay() override { --log_.alive; }
    FakeWay(const FakeWay&) = delete;
    FakeWay& operator=(const FakeWay&) = delete;

    void present(Frame frame) override {
        log_.presented.push_back(frame);
        waiting_ = std::move(frame);
    }
    bool ready() override { return waiting_ && waiting_->ready.ready(); }
    bool poll() override {
        if (!ready()) return false;
        shown_ = {waiting_->serial, waiting_->size, waiting_->size, 1, waiting_->pixels.format};
        waiting_.reset();
        texture_ = name_;
        return true;
    }
    void rest() override { waiting_.reset(); }
    void release() override {
        ++log_.released;
        texture_ = 0;
        shown_ = {};
    }
    GLuint texture() const override { return texture_; }
    const Shown& shown() const override { return shown_; }
    std::optional<HandOffTimes> take_times() override { return std::nullopt; }
    std::optional<DrawTimer::Drawn> take_gl_time() override { return std::nullopt; }

private:
    Log& log_;
    GLuint name_, texture_ = 0;
    std::optional<Frame> waiting_;
    Shown shown_;
};

class Closed final : public CompletionState {
public:
    bool ready() override { return false; }
    void wait() override {}
    Report report() override { return {}; }
};

class TwoWaysTest : public ::testing::Test {
protected:
    Frame frame(Extent size = {40, 30}, Depth depth = Depth::u8) {
        Frame made;
        made.serial = ++serial_;
        made.size = size;
        made.pixels.format.depth = depth;
        return made;
    }
    void present(Way way, const Frame& made, const std::vector<Rect>& so_far = {}) {
        const bool host = way == Way::host;
        ways_.present(made, so_far, way, [this, host] {
            return std::make_unique<FakeWay>(host ? host_ : interop_, host ? 1 : 2);
        });
    }
    void show(Way way, const Frame& made) {
        present(way, made);
        ASSERT_TRUE(ways_.ready());
        ASSERT_TRUE(ways_.poll());
        ASSERT_EQ(ways_.current()->shown().serial, made.serial);
        ASSERT_EQ(ways_.is_interop(), way == Way::interop);
    }

    Log host_, interop_;
    TwoWays ways_;
    std::uint64_t serial_ = 0;
};

TEST_F(TwoWaysTest, TakingTurnsMakesAndGivesBackNothing) {
    for (int i = 0; i < 6; ++i) {
        show(Way::interop, frame());
        show(Way::host, frame());
    }
    EXPECT_EQ(interop_.made, 1);
    EXPECT_EQ(host_.made, 1);
    EXPECT_EQ(interop_.released + host_.released, 0);
    EXPECT_EQ(interop_.presented.size(), 6u);
}

TEST_F(TwoWaysTest, WhatTheIdleWayKeepsGoesWithItsPicture) {
    show(Way::interop, frame());
    show(Way::host, frame());
    show(Way::host, frame({41, 30}));
    EXPECT_EQ(interop_.released, 1) << "another size";
    ways_.poll();
    EXPECT_EQ(interop_.released, 1) << "once";
    show(Way::interop, frame({41, 30}));
    EXPECT_EQ(host_.released, 0);
    show(Way::interop, frame({41, 30}, Depth::f32));
    EXPECT_EQ(host_.released, 1) << "another depth";
    EXPECT_EQ(interop_.made + host_.made, 2) << "the ways themselves stay";
}

TEST_F(TwoWaysTest, NoOlderResultComesAfterANewerOne) {
    show(Way::interop, frame());
    auto late = frame();
    late.ready = Completion(std::make_shared<Closed>());
    present(Way::host, late);
    EXPECT_FALSE(ways_.ready());
    EXPECT_FALSE(ways_.poll());
    const auto newer = frame();
    show(Way::interop, newer);
    EXPECT_FALSE(ways_.poll());
    EXPECT_TRUE(ways_.is_interop());

    auto waits = frame();
    present(Way::interop, waits); // and is overtaken before it is looked at
    show(Way::host, frame());
    EXPECT_FALSE(ways_.poll());
    EXPECT_FALSE(ways_.is_interop());
}

TEST_F(TwoWaysTest, WhatIsGivenUpIsNotShown) {
    show(Way::interop, frame());
    const auto before = ways_.current()->shown().serial;
    for (const auto way : {Way::interop, Way::host}) {
        present(way, frame());
        ways_.give_up();
        EXPECT_FALSE(ways_.ready());
        EXPECT_FALSE(ways_.poll());
        EXPECT_EQ(ways_.current()->shown().serial, before);
    }
    show(Way::host, frame());
}

TEST_F(TwoWaysTest, AClosedWayEndsOnceItIsNotOnTheScreen) {
    show(Way::interop, frame());
    ways_.close(Way::interop);
    ways_.poll();
    EXPECT_EQ(interop_.alive, 1) << "its texture is on the screen";
    show(Way::host, frame());
    EXPECT_EQ(interop_.alive, 0);
    show(Way::interop, frame());
    EXPECT_EQ(interop_.made, 2);
}

TEST_F(TwoWaysTest, ATextureThatMissedPiecesGetsAllOfThem) {
    const auto piece = [this](const Rect& changed) {
        auto made = frame();
        made.changed = {changed};
        return made;
    };
    const Rect first{0, 0, 10, 10}, second{10, 0, 10, 10}, third{20, 0, 10, 10};
    show(Way::host, frame());
    present(Way::host, piece(first), {first});
    ways_.poll();
    EXPECT_EQ(host_.presented.back().changed, std::vector{first});
    present(Way::host, piece(second), {first, second});
    ways_.poll();
    EXPECT_EQ(host_.presented.back().changed, std::vector{second}) << "the first is there";
    present(Way::interop, piece(third), {first, second, third});
    EXPECT_EQ(interop_.presented.back().changed, (std::vector{first, second, third})) << "a new texture";
    present(Way::host, piece(third), {first, second, third});
    EXPECT_EQ(host_.presented.back().changed, (std::vector{first, second, third})) << "it was passed by";
    ways_.give_up();
    present(Way::host, piece(third), {first, second, third});
    EXPECT_EQ(host_.presented.back().changed, (std::vector{first, second, third})) << "it was given up";
}

} // namespace
