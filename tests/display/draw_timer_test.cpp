// The ring of time stamps: with a clock controlled by the test, and OpenGL's own.

#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "display/draw_timer.hpp"
#include "display/gl_objects.hpp"
#include "display/renderer.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/eventually.hpp"

#include <chrono>
#include <set>
#include <vector>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

/// Stamps stay pending until the test lets them arrive.
struct FakeClock {
    int bits = 64;
    std::uint64_t now = 0;
    std::vector<std::uint64_t> times = std::vector<std::uint64_t>(DrawTimer::kPlaces);
    std::set<std::size_t> awaited;
    int mistakes = 0; ///< read too early, or stamped again before it was read

    void arrive() { awaited.clear(); }
};

class FakeStamps final : public StampClock {
public:
    explicit FakeStamps(FakeClock& clock) : clock_(clock) {}
    int bits() const override { return clock_.bits; }
    void stamp(std::size_t place) override {
        clock_.mistakes += place >= DrawTimer::kPlaces || !clock_.awaited.insert(place).second;
        clock_.times.at(place) = clock_.now & (clock_.bits >= 64 ? ~0ull : (1ull << clock_.bits) - 1);
    }
    bool ready(std::size_t place) override { return !clock_.awaited.contains(place); }
    std::uint64_t nanoseconds(std::size_t place) override {
        clock_.mistakes += clock_.awaited.contains(place);
        return clock_.times.at(place);
    }

private:
    FakeClock& clock_;
};

DrawTimer timer_with(FakeClock& clock) { return DrawTimer(std::make_unique<FakeStamps>(clock)); }

void draw(DrawTimer& timer, FakeClock& clock, std::uint64_t nanoseconds) {
    const DrawTimer::Span span(timer);
    clock.now += nanoseconds;
}

TEST(DrawTimer, AddsUpTheDrawingAndNotWhatLiesBetween) {
    FakeClock clock;
    auto timer = timer_with(clock);
    timer.start(7);
    draw(timer, clock, 2'000);
    clock.now += 1'000'000; // the processor builds the window
    draw(timer, clock, 3'500);
    timer.end();
    EXPECT_FALSE(timer.take().has_value()) << "not there yet";
    clock.arrive();
    const auto drawn = timer.take();
    ASSERT_TRUE(drawn.has_value());
    EXPECT_EQ(drawn->serial, 7u);
    EXPECT_DOUBLE_EQ(drawn->microseconds, 5.5);
    EXPECT_FALSE(timer.take().has_value()) << "each once";
    EXPECT_EQ(clock.mistakes, 0);
}

TEST(DrawTimer, WhatThrowsIsNotTimedAndLeavesNothingToTheNext) {
    FakeClock clock;
    auto timer = timer_with(clock);
    EXPECT_THROW(timer.time(1,
                            [&] {
                                clock.now += 7'000;
                                throw Error("no-texture", "no texture");
                            }),
                 Error);
    clock.arrive();
    timer.time(2, [&] { clock.now += 1'000; });
    EXPECT_FALSE(timer.take().has_value());
    clock.arrive();
    const auto drawn = timer.take();
    ASSERT_TRUE(drawn.has_value());
    EXPECT_EQ(drawn->serial, 2u);
    EXPECT_DOUBLE_EQ(drawn->microseconds, 1);
    EXPECT_FALSE(timer.take().has_value());
    EXPECT_EQ(clock.mistakes, 0);
}

TEST(DrawTimer, TimesOnlyFramesThatAreAskedFor) {
    FakeClock clock;
    auto timer = timer_with(clock);
    draw(timer, clock, 1'000);
    timer.end();
    timer.start(1); // nothing of it is drawn
    timer.end();
    draw(timer, clock, 1'000);
    timer.end();
    EXPECT_TRUE(clock.awaited.empty());
    EXPECT_FALSE(timer.take().has_value());
}

TEST(DrawTimer, AFullRingLosesFramesAndNeverWaitsOrOverwrites) {
    FakeClock clock;
    auto timer = timer_with(clock);
    for (std::uint64_t i = 1; i <= 20; ++i) {
        timer.start(i);
        draw(timer, clock, i * 1'000);
        draw(timer, clock, 0);
        draw(timer, clock, 50'000); // one more than the ring holds
        timer.end();
        EXPECT_FALSE(timer.take().has_value());
    }
    clock.arrive();
    for (std::uint64_t i = 1; i <= DrawTimer::kRing; ++i) {
        const auto drawn = timer.take();
        ASSERT_TRUE(drawn.has_value()) << i;
        EXPECT_EQ(drawn->serial, i);
        EXPECT_DOUBLE_EQ(drawn->microseconds, static_cast<double>(i));
    }
    EXPECT_FALSE(timer.take().has_value());
    timer.start(21); // there is room again
    draw(timer, clock, 4'000);
    timer.end();
    clock.arrive();
    EXPECT_EQ(timer.take()->serial, 21u);
    EXPECT_EQ(clock.mistakes, 0);
}

TEST(DrawTimer, RenamesAFrameThatShowsANewerResultAfterAll) {
    FakeClock clock;
    auto timer = timer_with(clock);
    timer.start(1);
    draw(timer, clock, 1'000);
    timer.start(2);
    draw(timer, clock, 1'000);
    timer.end();
    clock.arrive();
    const auto drawn = timer.take();
    EXPECT_EQ(drawn->serial, 2u);
    EXPECT_DOUBLE_EQ(drawn->microseconds, 2);
    EXPECT_FALSE(timer.take().has_value());
}

TEST(DrawTimer, UnderstandsClocksThatWrapAndForgetsOneThatWentBack) {
    FakeClock clock;
    clock.bits = 32;
    clock.now = 0xFFFF'FF00;
    auto timer = timer_with(clock);
    timer.start(1);
    draw(timer, clock, 1'000);
    timer.end();
    clock.arrive();
    EXPECT_DOUBLE_EQ(timer.take()->microseconds, 1);
    timer.start(2);
    {
        const DrawTimer::Span span(timer);
        clock.now -= 5'000;
    }
    timer.end();
    timer.start(3);
    draw(timer, clock, 2'000);
    timer.end();
    clock.arrive();
    EXPECT_EQ(timer.take()->serial, 3u);
}

TEST(DrawTimer, WithoutAClockThereAreNoTimes) {
    FakeClock clock;
    clock.bits = 0;
    auto timer = timer_with(clock);
    timer.start(1);
    draw(timer, clock, 1'000);
    timer.end();
    EXPECT_TRUE(clock.awaited.empty());
    EXPECT_FALSE(timer.take().has_value());
}

class GlDrawTimer : public GlTest {
protected:
    /// As a window does: draw, flush, poll again in the next frame. Never calls glFinish.
    static std::optional<DrawTimer::Drawn> take_soon(DrawTimer& timer) {
        std::optional<DrawTimer::Drawn> drawn;
        eventually([&] {
            glFlush();
            return (drawn = timer.take()).has_value();
        });
        return drawn;
    }
};

TEST_F(GlDrawTimer, OpenGlsStampsArriveWithoutWaiting) {
    GLint bits = 0;
    glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    ASSERT_GE(bits, 30) << "OpenGL 4.5 promises as many";
    RecordProperty("timestamp_bits", bits);

    Texture target(GL_TEXTURE_2D);
    glTextureStorage2D(target.id(), 1, GL_RGBA32F, 2048, 2048);
    const auto framebuffer = Framebuffer::create();
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, target.id(), 0);
    const auto clear = [&](int times) {
        const float colour[] = {0.25f, 0.5f, 0.75f, 1};
        for (int i = 0; i < times; ++i) {
            glClearNamedFramebufferfv(framebuffer.id(), GL_COLOR, 0, colour);
            glGenerateTextureMipmap(target.id());
        }
    };
    DrawTimer timer;
    for (std::uint64_t i = 1; i <= 3 * DrawTimer::kRing; ++i) { // around the ring three times
        timer.start(i);
        {
            const DrawTimer::Span span(timer);
            clear(1);
        }
        timer.end();
        const auto drawn = take_soon(timer);
        ASSERT_TRUE(drawn.has_value()) << i;
        EXPECT_EQ(drawn->serial, i);
        EXPECT_GT(drawn->microseconds, 0);
    }
}

/// Slow drawing: the stamps give no more than the time seen by the processor, and most of it unless the
/// processor polled late, which does not happen every time.
TEST_F(GlDrawTimer, StampsHoldTheDrawing) {
    const bool software = Renderer::current().is_software();
    const Program program(
        "#version 450\n"
        "void main() {\n"
        "    gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);\n"
        "}\n",
        "#version 450\n"
        "uniform int rounds;\n"
        "out vec4 colour;\n"
        "void main() {\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < rounds; ++i) sum += sin(gl_FragCoord.x * i + sum);\n"
        "    colour = vec4(sum);\n"
        "}\n");
    Texture target(GL_TEXTURE_2D);
    glTextureStorage2D(target.id(), 1, GL_RGBA8, 1024, 512);
    const auto framebuffer = Framebuffer::create();
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, target.id(), 0);
    const auto no_vertices = VertexArray::create();
    glBindVertexArray(no_vertices.id());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glViewport(0, 0, 1024, 512);
    glUseProgram(program.id());
    glUniform1i(program.uniform("rounds"), software ? 50 : 20'000);
    DrawTimer timer;
    std::uint64_t frames = 0;
    EXPECT_TRUE(eventually([&] {
        glFinish();
        const auto began = std::chrono::steady_clock::now();
        timer.start(++frames);
        {
            const DrawTimer::Span span(timer);
            glDrawArrays(GL_TRIANGLES, 0, 3);
        }
        timer.end();
        glFinish();
        const auto seen = microseconds_since(began);
        const auto drawn = take_soon(timer);
        EXPECT_TRUE(drawn.has_value());
        if (!drawn) return true;
        EXPECT_LE(drawn->microseconds, 1.1 * seen);
        return frames >= 4 && drawn->microseconds >= seen / 4; // the rest is the latency of the poll
    }));
    glUseProgram(0);
    glBindVertexArray(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

TEST_F(GlDrawTimer, MoreFramesThanTheRingHoldsAreLostAndNothingElse) {
    DrawTimer timer;
    const float colour[] = {0, 0, 0, 1};
    Texture target(GL_TEXTURE_2D);
    glTextureStorage2D(target.id(), 1, GL_RGBA8, 256, 256);
    const auto framebuffer = Framebuffer::create();
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, target.id(), 0);
    for (std::uint64_t i = 1; i <= 2 * DrawTimer::kRing; ++i) {
        timer.start(i);
        {
            const DrawTimer::Span span(timer);
            glClearNamedFramebufferfv(framebuffer.id(), GL_COLOR, 0, colour);
        }
        timer.end();
    }
    for (std::uint64_t i = 1; i <= DrawTimer::kRing; ++i) {
        const auto drawn = take_soon(timer);
        ASSERT_TRUE(drawn.has_value()) << i;
        EXPECT_EQ(drawn->serial, i);
    }
    EXPECT_FALSE(timer.take().has_value());
}

} // namespace
