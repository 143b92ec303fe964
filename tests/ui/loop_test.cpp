// The window's loop around the whole program: it rests, wakes for a worker, and draws nothing while nobody can see it.
// Each without a window and, where there is a display, in one (ctest's test "window").

#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/resource.h>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Counts frames, notes how soon one follows a wake(), and can be out of sight.
class WatchedContext final : public GlContext {
public:
    explicit WatchedContext(std::unique_ptr<GlContext> inner) : inner_(std::move(inner)) {}

    void attach_imgui() override { inner_->attach_imgui(); }
    void detach_imgui() override { inner_->detach_imgui(); }
    void begin_frame() override {
        {
            const std::lock_guard lock(mutex_);
            if (woken_) delays.push_back(Clock::now() - *woken_);
            woken_.reset();
        }
        inner_->begin_frame();
    }
    void present() override {
        ++frames;
        inner_->present();
    }
    GLuint framebuffer() const override { return inner_->framebuffer(); }
    Extent framebuffer_size() const override { return minimised ? Extent{} : inner_->framebuffer_size(); }
    float scale() const override { return inner_->scale(); }
    bool wait(double seconds) override {
        asleep_ = true;
        const bool happened = inner_->wait(seconds);
        asleep_ = false;
        return happened;
    }
    bool poll() override { return inner_->poll(); }
    void wake() override {
        if (asleep_ && !minimised) {
            const std::lock_guard lock(mutex_);
            if (!woken_) woken_ = Clock::now();
        }
        inner_->wake();
    }
    bool should_close() const override { return over || inner_->should_close(); }
    void set_should_close(bool close) override { inner_->set_should_close(close); }
    void set_title(const std::string& title) override { inner_->set_title(title); }
    std::string description() const override { return inner_->description(); }

    std::atomic<int> frames = 0;
    std::atomic<bool> minimised = false, over = false;
    std::vector<Clock::duration> delays; ///< from a wake() that found the loop asleep to the frame it led to

private:
    std::unique_ptr<GlContext> inner_;
    std::atomic<bool> asleep_ = false;
    std::mutex mutex_;
    std::optional<Clock::time_point> woken_;
};

WindowOptions on_engine(const std::string& engine) {
    WindowOptions options;
    options.headless = true;
    options.engine = engine;
    return options;
}

bool wait_for(const std::atomic<bool>& flag) {
    for (int i = 0; i < 6000 && !flag; ++i) std::this_thread::sleep_for(10ms);
    return flag;
}

/// Throws Unavailable where this engine cannot be had.
void expect_rest(std::unique_ptr<GlContext> inner, const std::string& engine = "cpu") {
    constexpr auto kWatched = 10s;
    WatchedContext context(std::move(inner));
    ImGuiLayer layer(context, {.scale = 1});
    Playground playground(context, layer, on_engine(engine));
    std::atomic<bool> settled = false;
    int frames = 0;
    double seconds = 0;
    std::thread watcher([&] {
        EXPECT_TRUE(wait_for(settled));
        std::this_thread::sleep_for(2s); // the last frames after it, and what they draw late
        const int frames_before = context.frames;
        const double seconds_before = processor_seconds();
        std::this_thread::sleep_for(kWatched);
        frames = context.frames - frames_before;
        seconds = processor_seconds() - seconds_before;
        context.over = true;
        context.wake();
    });
    run_loop(context, layer, [&] {
        const auto wish = playground.draw();
        settled = playground.settled();
        return wish;
    });
    watcher.join();
    EXPECT_GT(context.frames, FramePacer::kSettleFrames);
    EXPECT_LT(frames, 25);
    EXPECT_LT(seconds, 0.01 * std::chrono::duration<double>(kWatched).count());
    ::testing::Test::RecordProperty("frames_in_10_s", frames);
    ::testing::Test::RecordProperty("processor_ms_in_10_s", static_cast<int>(1000 * seconds));
}

/// Edits that take their time, so that the loop sleeps when their results come; where drawing takes longer still, not every
/// time, so there are more of them.
void expect_wakes(std::unique_ptr<GlContext> inner) {
    constexpr std::size_t kWakes = 6;
    constexpr int kMostEdits = 60;
    WatchedContext context(std::move(inner));
    ImGuiLayer layer(context, {.scale = 1});
    auto options = on_engine("cpu");
    options.algorithm = "direct";
    options.recipe.steps = {parse_step("gaussian:sigma=2:size=63")};
    options.has_recipe = true;
    Playground playground(context, layer, options);
    int edits = 0;
    run_loop(context, layer, [&] {
        const auto wish = playground.draw();
        if (!playground.settled()) return wish;
        if (context.delays.size() < kWakes && edits < kMostEdits)
            playground.document().set_value("sigma", std::to_string(3 + edits++ % 20));
        else context.over = true;
        return wish;
    });
    ASSERT_GE(context.delays.size(), kWakes);
    std::ranges::sort(context.delays);
    const auto middle = context.delays[context.delays.size() / 2]; // others use the machine, too
    EXPECT_LT(middle, 50ms);
    ::testing::Test::RecordProperty("wake_us", static_cast<int>(middle / 1us));
}

void expect_nothing_drawn_unseen(std::unique_ptr<GlContext> inner) {
    WatchedContext context(std::move(inner));
    ImGuiLayer layer(context, {.scale = 1});
    Playground playground(context, layer, on_engine("cpu"));
    std::atomic<bool> hidden = false;
    int frames_unseen = 0;
    double seconds = 0;
    std::thread watcher([&] {
        EXPECT_TRUE(wait_for(hidden));
        const int before = context.frames;
        double seconds_before = 0;
        for (double now = processor_seconds(); now - seconds_before > 0.01; now = processor_seconds()) {
            seconds_before = now; // the result of the last edit is still being computed
            std::this_thread::sleep_for(500ms);
        }
        for (int i = 0; i < 20; ++i) {
            context.wake();
            std::this_thread::sleep_for(50ms);
        }
        seconds = processor_seconds() - seconds_before;
        frames_unseen = context.frames - before;
        context.minimised = false;
        context.wake();
    });
    run_loop(context, layer, [&] {
        const auto wish = playground.draw();
        if (!playground.settled()) return wish;
        if (hidden) {
            context.over = true;
            return wish;
        }
        playground.document().set_value("sigma", "5");
        context.minimised = true;
        hidden = true;
        return wish;
    });
    watcher.join();
    EXPECT_LE(frames_unseen, 1) << "the frame in which it vanished";
    EXPECT_LT(seconds, 0.05);
    const auto& shown = playground.document().result()->job.request.stages.front();
    EXPECT_EQ(std::get<GaussianGenerator>(shown.generator).sigma, 5)
        << "what came meanwhile is shown afterwards";
}

constexpr Extent kSize{
    720, 480}; // small: software draws a frame in a few milliseconds, and the loop sleeps in between

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

TEST(Loop, RestsForTenSeconds) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    expect_rest(std::move(context));
}

TEST(Loop, RestsForTenSecondsBesideAGpu) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    try {
        expect_rest(std::move(context), "cuda");
    } catch (const Unavailable& reason) {
        GTEST_SKIP() << "NO CUDA HERE, ITS REST WAS NOT TESTED: " << reason.what();
    }
}

TEST(Loop, IsWokenByAResultWithin50Milliseconds) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    expect_wakes(std::move(context));
}

TEST(Loop, DrawsNothingWhileMinimised) {
    auto context = unseen_context();
    if (!context) GTEST_SKIP() << kNoOpenGl;
    expect_nothing_drawn_unseen(std::move(context));
}

TEST(Window, RestsForTenSeconds) {
    auto context = seen_context();
    if (!context) GTEST_SKIP() << kNoDisplay;
    expect_rest(std::move(context));
}

TEST(Window, IsWokenByAResultWithin50Milliseconds) {
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
