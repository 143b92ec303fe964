// The window's loop around the whole program: it rests, wakes for a worker, and draws nothing while
// invisible. Each test runs without a window and, where there is a display, in one (ctest's test "window").

#include "core/support/stop.hpp"
#include "tests/support/standstill.hpp"
#include "tests/ui/support/playground_fixture.hpp"
#include "tests/ui/support/watched_context.hpp"

#include <atomic>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

WindowOptions on_engine(const std::string& engine) {
    WindowOptions options;
    options.headless = true;
    options.engine_options.engine = engine;
    return options;
}

/// Throws Unavailable without this engine.
void expect_rest(std::unique_ptr<GlContext> inner, const std::string& engine = "cpu") {
    constexpr int kMostFrames = 25; // frames after the window has settled
    WatchedContext context(std::move(inner));
    ImGuiLayer layer(context, {.scale = 1});
    Playground playground(context, layer, on_engine(engine));
    int frames_when_settled = 0;
    context.at_rest = [&] {
        if (!playground.settled()) return;
        EXPECT_TRUE(comes_to_standstill()) << "a thread is still running";
        if (context.poll()) context.wake(); // drawn first
        else context.over = true;
    };
    run_loop(context, layer, [&] {
        const auto options = playground.draw();
        if (!playground.settled()) frames_when_settled = context.frames;
        if (context.frames > frames_when_settled + kMostFrames) context.over = true;
        return options;
    });
    EXPECT_GT(context.frames, FramePacer::kSettleFrames);
    EXPECT_LT(context.frames, frames_when_settled + kMostFrames);
}

/// Gate of the CPU engine's computations.
std::atomic<bool> held = false;

/// Edits whose results arrive only once the loop waits for nothing else.
void expect_wakes(std::unique_ptr<GlContext> inner) {
    constexpr int kEdits = 6;
    const TemporaryFolder folder("loop");
    WatchedContext context(std::move(inner));
    ImGuiLayer layer(context, {.scale = 1});
    auto options = on_engine("cpu");
    options.engine_options.algorithm = "direct";
    options.files = {folder.path() / "small.png"};
    write_image(options.files[0], sample_image({240, 160}).view());
    options.recipe.steps = {parse_step("gaussian:sigma=2:size=63")};
    options.has_recipe = true;
    Playground playground(context, layer, options);
    int edits = 0, waits = 0;
    bool has_waited = true;
    const auto let_go = [] {
        held = false;
        held.notify_all();
    };
    context.at_rest = [&] {
        waits += !std::exchange(has_waited, true);
        let_go();
    };
    stop_observer = [] { held.wait(true); };
    run_loop(context, layer, [&] {
        const auto next = playground.draw();
        if (!playground.settled()) return next;
        EXPECT_TRUE(has_waited) << "the result arrived before the loop rested";
        if (edits == kEdits) context.over = true;
        else {
            has_waited = false;
            held = true;
            playground.document().set_value("sigma", std::to_string(3 + edits++));
        }
        return next;
    });
    let_go();
    stop_observer = nullptr;
    EXPECT_EQ(edits, kEdits);
    EXPECT_EQ(waits, kEdits);
}

void expect_nothing_drawn_unseen(std::unique_ptr<GlContext> inner) {
    WatchedContext context(std::move(inner));
    ImGuiLayer layer(context, {.scale = 1});
    Playground playground(context, layer, on_engine("cpu"));
    constexpr int kWakes = 20;
    int frames_seen = 0, frames_unseen = 0, waits_seen = 0, wakes = 0;
    context.at_rest = [&] {
        if (!context.minimised) return;
        // The last edit's result is computed.
        EXPECT_TRUE(comes_to_standstill()) << "a thread is still running";
        if (wakes++ == kWakes) {
            frames_unseen = context.frames - frames_seen;
            EXPECT_EQ(context.limited_waits, waits_seen) << "it looks whether something happens";
            context.minimised = false;
        }
        context.wake();
    };
    run_loop(context, layer, [&] {
        const auto options = playground.draw();
        if (!playground.settled()) return options;
        if (wakes > kWakes) {
            context.over = true;
            return options;
        }
        playground.document().set_value("sigma", "5");
        context.minimised = true;
        frames_seen = context.frames, waits_seen = context.limited_waits;
        return options;
    });
    EXPECT_EQ(wakes, kWakes + 1);
    EXPECT_LE(frames_unseen, 1) << "the frame in which it vanished";
    const auto& shown = playground.document().result()->job.request.stages.front();
    EXPECT_EQ(std::get<GaussianGenerator>(shown.generator).sigma, 5)
        << "what came meanwhile is shown afterwards";
}

constexpr Extent kSize{720, 480}; // small: software draws a frame in a few milliseconds

std::unique_ptr<GlContext> unseen_context() {
    try {
        return make_headless_context(kSize);
    } catch (const Unavailable&) {
        return nullptr;
    }
}

std::unique_ptr<GlContext> seen_context() {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return nullptr;
    return make_glfw_context("Kernelglass", kSize);
}

constexpr const char* kNoDisplay = "NO DISPLAY HERE, NO WINDOW WAS TESTED";

TEST(Loop, RestsWhileNothingHappens) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    expect_rest(std::move(context));
}

TEST(Loop, RestsBesideAGpu) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    try {
        expect_rest(std::move(context), "cuda");
    } catch (const Unavailable& reason) {
        GTEST_SKIP() << "NO CUDA HERE, ITS REST WAS NOT TESTED: " << reason.what();
    }
}

TEST(Loop, IsWokenByAResult) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    expect_wakes(std::move(context));
}

TEST(Loop, DrawsNothingWhileMinimised) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    expect_nothing_drawn_unseen(std::move(context));
}

TEST(Window, RestsWhileNothingHappens) {
    auto context = seen_context();
    if (!context) GTEST_SKIP() << kNoDisplay;
    expect_rest(std::move(context));
}

TEST(Window, IsWokenByAResult) {
    auto context = seen_context();
    if (!context) GTEST_SKIP() << kNoDisplay;
    expect_wakes(std::move(context));
}

TEST(Window, DrawsNothingWhileMinimised) {
    auto context = seen_context();
    if (!context) GTEST_SKIP() << kNoDisplay;
    expect_nothing_drawn_unseen(std::move(context));
}

} // namespace
} // namespace kg
