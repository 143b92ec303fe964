// Which path shows an image whose results alternate between two paths, and what the idle one keeps. The paths
// are fakes: no test needs OpenGL.

#include "cpu/engine.hpp"
#include "display/display_image.hpp"

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

/// Interop for one engine, without OpenGL.
class FakeRoute final : public DisplayRoute {
public:
    explicit FakeRoute(std::shared_ptr<Engine> gpu)
        : DisplayRoute(DisplayMode::host, nullptr), gpu_(std::move(gpu)) {}
    bool interop_for(Engine& engine) const override { return is_open && &engine == gpu_.get(); }
    bool has_interop() const override { return is_open; }
    std::unique_ptr<Presentation> make(Path path, const std::shared_ptr<Engine>&,
                                       const DisplayOptions&) override {
        return std::make_unique<FakePath>(path == Path::host ? host : interop, path == Path::host ? 1 : 2);
    }

    Log host, interop;
    bool is_open = true;

private:
    std::shared_ptr<Engine> gpu_;
};

class DisplayPaths : public ::testing::Test {
protected:
    Frame frame(Path path, Extent size = {40, 30}, Depth depth = Depth::u8) {
        Frame made{path == Path::host ? cpu_ : gpu_, pixels_, {}, ++serial_};
        made.size = size;
        made.pixels.format.depth = depth;
        return made;
    }
    void show(const Frame& made) {
        image_.present(made);
        ASSERT_TRUE(image_.ready());
        ASSERT_TRUE(image_.poll());
        ASSERT_EQ(image_.shown().serial, made.serial);
        ASSERT_EQ(image_.is_interop(), made.engine == gpu_);
    }

    std::shared_ptr<Engine> cpu_ = cpu::make_engine(1), gpu_ = cpu::make_engine(1);
    BufferView pixels_ = allocate_view(*cpu_, {Depth::u8, 1}, {0, 0, 40, 30});
    std::shared_ptr<FakeRoute> route_ = std::make_shared<FakeRoute>(gpu_);
    Log &host_ = route_->host, &interop_ = route_->interop;
    DisplayImage image_{route_, {.wake = {}, .texture_limit = 64}}; // the limit of OpenGL is not asked for
    std::uint64_t serial_ = 0;
};

TEST_F(DisplayPaths, AlternatingCreatesAndReleasesNothing) {
    for (int i = 0; i < 6; ++i) {
        show(frame(Path::interop));
        show(frame(Path::host));
    }
    EXPECT_EQ(interop_.made, 1);
    EXPECT_EQ(host_.made, 1);
    EXPECT_EQ(interop_.released + host_.released, 0);
    EXPECT_EQ(interop_.presented.size(), 6u);
}

TEST_F(DisplayPaths, TheIdlePathReleasesItsTextureWithItsImage) {
    show(frame(Path::interop));
    show(frame(Path::host));
    show(frame(Path::host, {41, 30}));
    EXPECT_EQ(interop_.released, 1) << "another size";
    image_.poll();
    EXPECT_EQ(interop_.released, 1) << "once";
    show(frame(Path::interop, {41, 30}));
    EXPECT_EQ(host_.released, 0);
    show(frame(Path::interop, {41, 30}, Depth::f32));
    EXPECT_EQ(host_.released, 1) << "another depth";
    EXPECT_EQ(interop_.made + host_.made, 2) << "the paths themselves stay";
}

TEST_F(DisplayPaths, NoOlderResultComesAfterANewerOne) {
    show(frame(Path::interop));
    auto late = frame(Path::host);
    late.ready = Completion(std::make_shared<Closed>());
    image_.present(late);
    EXPECT_FALSE(image_.ready());
    EXPECT_FALSE(image_.poll());
    show(frame(Path::interop));
    EXPECT_FALSE(image_.poll());
    EXPECT_TRUE(image_.is_interop());

    image_.present(frame(Path::interop)); // superseded before the poll
    show(frame(Path::host));
    EXPECT_FALSE(image_.poll());
    EXPECT_FALSE(image_.is_interop());
}

TEST_F(DisplayPaths, WhatIsGivenUpIsNotShown) {
    show(frame(Path::interop));
    const auto before = image_.shown().serial;
    for (const auto path : {Path::interop, Path::host}) {
        image_.present(frame(path));
        image_.drop();
        EXPECT_FALSE(image_.ready());
        EXPECT_FALSE(image_.poll());
        EXPECT_EQ(image_.shown().serial, before);
    }
    show(frame(Path::host));
}

TEST_F(DisplayPaths, AClosedPathEndsOnceItIsNotOnTheScreen) {
    show(frame(Path::interop));
    route_->is_open = false;
    auto late = frame(Path::host);
    late.ready = Completion(std::make_shared<Closed>());
    image_.present(late);
    image_.poll();
    EXPECT_EQ(interop_.alive, 1) << "its texture is on the screen";
    show(frame(Path::host));
    EXPECT_EQ(interop_.alive, 0);
    route_->is_open = true;
    show(frame(Path::interop));
    EXPECT_EQ(interop_.made, 2);
}

TEST_F(DisplayPaths, ATextureThatMissedRegionsGetsAllOfThem) {
    const auto present = [this](Path path, const Rect& changed) {
        auto made = frame(path);
        made.changed = {changed};
        image_.present(made);
    };
    const Rect first{0, 0, 10, 10}, second{10, 0, 10, 10}, third{20, 0, 10, 10}, fourth{30, 0, 10, 10};
    show(frame(Path::host));
    present(Path::host, first);
    image_.poll();
    EXPECT_EQ(host_.presented.back().changed, std::vector{first});
    present(Path::host, second);
    image_.poll();
    EXPECT_EQ(host_.presented.back().changed, std::vector{second}) << "the first is there";
    present(Path::interop, third);
    EXPECT_EQ(interop_.presented.back().changed, (std::vector{first, second, third})) << "a new texture";
    present(Path::host, fourth);
    EXPECT_EQ(host_.presented.back().changed, (std::vector{first, second, third, fourth}))
        << "it was passed by";
    image_.drop();
    present(Path::host, {0, 10, 10, 10});
    EXPECT_EQ(host_.presented.back().changed,
              (std::vector{first, second, third, fourth, Rect{0, 10, 10, 10}}))
        << "it was given up";
}

} // namespace
