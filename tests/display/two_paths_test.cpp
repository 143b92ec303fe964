// Which path shows an image whose results alternate between two paths, and what the idle one keeps. The paths
// are fakes: no test needs OpenGL.

#include "display/two_paths.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace kg;
using namespace kg::display;

struct Log {
    int made = 0, alive = 0, released = 0;
    std::vector<Frame> presented;
};

/// Shows the presented result at the next poll.
class FakePath final : public Presentation {
public:
    FakePath(Log& log, GLuint texture) : log_(log), name_(texture) { ++log_.made, ++log_.alive; }
    ~FakePath() override { --log_.alive; }
    FakePath(const FakePath&) = delete;
    FakePath& operator=(const FakePath&) = delete;

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
    std::optional<PresentationTimes> take_times() override { return std::nullopt; }
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

class TwoPathsTest : public ::testing::Test {
protected:
    Frame frame(Extent size = {40, 30}, Depth depth = Depth::u8) {
        Frame made;
        made.serial = ++serial_;
        made.size = size;
        made.pixels.format.depth = depth;
        return made;
    }
    void present(Path path, const Frame& made, const std::vector<Rect>& so_far = {}) {
        const bool host = path == Path::host;
        paths_.present(made, so_far, path, [this, host] {
            return std::make_unique<FakePath>(host ? host_ : interop_, host ? 1 : 2);
        });
    }
    void show(Path path, const Frame& made) {
        present(path, made);
        ASSERT_TRUE(paths_.ready());
        ASSERT_TRUE(paths_.poll());
        ASSERT_EQ(paths_.current()->shown().serial, made.serial);
        ASSERT_EQ(paths_.is_interop(), path == Path::interop);
    }

    Log host_, interop_;
    TwoPaths paths_;
    std::uint64_t serial_ = 0;
};

TEST_F(TwoPathsTest, AlternatingCreatesAndReleasesNothing) {
    for (int i = 0; i < 6; ++i) {
        show(Path::interop, frame());
        show(Path::host, frame());
    }
    EXPECT_EQ(interop_.made, 1);
    EXPECT_EQ(host_.made, 1);
    EXPECT_EQ(interop_.released + host_.released, 0);
    EXPECT_EQ(interop_.presented.size(), 6u);
}

TEST_F(TwoPathsTest, TheIdlePathReleasesItsTextureWithItsImage) {
    show(Path::interop, frame());
    show(Path::host, frame());
    show(Path::host, frame({41, 30}));
    EXPECT_EQ(interop_.released, 1) << "another size";
    paths_.poll();
    EXPECT_EQ(interop_.released, 1) << "once";
    show(Path::interop, frame({41, 30}));
    EXPECT_EQ(host_.released, 0);
    show(Path::interop, frame({41, 30}, Depth::f32));
    EXPECT_EQ(host_.released, 1) << "another depth";
    EXPECT_EQ(interop_.made + host_.made, 2) << "the paths themselves stay";
}

TEST_F(TwoPathsTest, NoOlderResultComesAfterANewerOne) {
    show(Path::interop, frame());
    auto late = frame();
    late.ready = Completion(std::make_shared<Closed>());
    present(Path::host, late);
    EXPECT_FALSE(paths_.ready());
    EXPECT_FALSE(paths_.poll());
    const auto newer = frame();
    show(Path::interop, newer);
    EXPECT_FALSE(paths_.poll());
    EXPECT_TRUE(paths_.is_interop());

    auto waits = frame();
    present(Path::interop, waits); // superseded before the poll
    show(Path::host, frame());
    EXPECT_FALSE(paths_.poll());
    EXPECT_FALSE(paths_.is_interop());
}

TEST_F(TwoPathsTest, WhatIsGivenUpIsNotShown) {
    show(Path::interop, frame());
    const auto before = paths_.current()->shown().serial;
    for (const auto path : {Path::interop, Path::host}) {
        present(path, frame());
        paths_.give_up();
        EXPECT_FALSE(paths_.ready());
        EXPECT_FALSE(paths_.poll());
        EXPECT_EQ(paths_.current()->shown().serial, before);
    }
    show(Path::host, frame());
}

TEST_F(TwoPathsTest, AClosedPathEndsOnceItIsNotOnTheScreen) {
    show(Path::interop, frame());
    paths_.close(Path::interop);
    paths_.poll();
    EXPECT_EQ(interop_.alive, 1) << "its texture is on the screen";
    show(Path::host, frame());
    EXPECT_EQ(interop_.alive, 0);
    show(Path::interop, frame());
    EXPECT_EQ(interop_.made, 2);
}

TEST_F(TwoPathsTest, ATextureThatMissedRegionsGetsAllOfThem) {
    const auto region = [this](const Rect& changed) {
        auto made = frame();
        made.changed = {changed};
        return made;
    };
    const Rect first{0, 0, 10, 10}, second{10, 0, 10, 10}, third{20, 0, 10, 10};
    show(Path::host, frame());
    present(Path::host, region(first), {first});
    paths_.poll();
    EXPECT_EQ(host_.presented.back().changed, std::vector{first});
    present(Path::host, region(second), {first, second});
    paths_.poll();
    EXPECT_EQ(host_.presented.back().changed, std::vector{second}) << "the first is there";
    present(Path::interop, region(third), {first, second, third});
    EXPECT_EQ(interop_.presented.back().changed, (std::vector{first, second, third})) << "a new texture";
    present(Path::host, region(third), {first, second, third});
    EXPECT_EQ(host_.presented.back().changed, (std::vector{first, second, third})) << "it was passed by";
    paths_.give_up();
    present(Path::host, region(third), {first, second, third});
    EXPECT_EQ(host_.presented.back().changed, (std::vector{first, second, third})) << "it was given up";
}

} // namespace
