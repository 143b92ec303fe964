// A real window, where there is a display: under Xvfb here (ctest's test "window").

#include "app/ui/shell/loop.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/support/error.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/standstill.hpp"
#include "tests/ui/support/watched_context.hpp"
#include "tests/ui/support/x_window.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

using namespace kg;
using namespace kg::ui;

bool has_display() { return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"); }

TEST(Window, WithoutADisplayTheMessageNamesTheRemedy) {
    if (has_display()) GTEST_SKIP() << "there is a display";
    try {
        make_glfw_context("Kernelglass", {640, 480});
        FAIL() << "a window without a display";
    } catch (const Unavailable& error) {
        EXPECT_EQ(error.code(), "no-display");
        EXPECT_STREQ(error.what(), "No display. Use `kernelglass filter ...` or `--headless --screenshot F`");
    }
}

TEST(Window, OpensWhereItWasWhereThatIsOnAScreenAndNeverTooSmall) {
    if (!has_display()) GTEST_SKIP() << "NO DISPLAY HERE, NO WINDOW WAS TESTED";
    const auto place_of = [](const std::optional<WindowPlace>& before) {
        const auto context = make_glfw_context("Kernelglass", {900, 600}, before);
        const ImGuiLayer layer(*context, {.scale = 1});
        return context->place();
    };
    const auto usual = place_of({});
    if (!usual) GTEST_SKIP() << "this window system places its windows itself";
    const WindowPlace before{40, 60, 850, 620, false};
    EXPECT_EQ(place_of(before), before);
    const auto unplugged = place_of(WindowPlace{50'000, 60, 850, 620, false});
    EXPECT_EQ(unplugged->width, usual->width);
    EXPECT_LT(unplugged->x, 50'000);
    const auto tiny = place_of(WindowPlace{40, 60, 200, 100, false});
    EXPECT_EQ(tiny->width, kSmallestWindow.width);
    EXPECT_EQ(tiny->height, kSmallestWindow.height);
}

TEST(Window, DrawsWhenSomethingHappensAndRestsOtherwise) {
    if (!has_display()) GTEST_SKIP() << "NO DISPLAY HERE, NO WINDOW WAS TESTED";
    kg::testing::WatchedContext context(make_glfw_context("Kernelglass", {800, 600}));
    ImGuiLayer layer(context, {.scale = 1});
    EXPECT_EQ(context.framebuffer_size(), (Extent{800, 600}));

    constexpr int kRests = 3;
    int rests = 0, frames_before = 0;
    const auto draw = [&] {
        const Region bar("bar", {0, 0, 800, 40}, RegionStyle::bar);
        return FramePacer::kNever;
    };
    std::thread worker;
    context.at_rest = [&] {
        EXPECT_GE(context.frames - frames_before, FramePacer::kSettleFrames);
        frames_before = context.frames;
        if (worker.joinable()) worker.join();
        if (++rests == kRests) context.over = true;
        else
            worker = std::thread([&context, waits = ::gettid()] {
                EXPECT_TRUE(kg::testing::falls_asleep(waits));
                context.wake();
            });
    };
    run_loop(context, layer, draw);
    EXPECT_EQ(rests, kRests);
    EXPECT_LE(context.frames, 40) << "a resting window draws no frames";

    layer.begin_frame();
    draw();
    layer.end_frame();
    const auto seen = context.screenshot();
    EXPECT_EQ(seen.view().row<std::uint8_t>(0)[0], kDark.panel.r);
    EXPECT_EQ(seen.view().row<std::uint8_t>(300)[400 * 4], kDark.surround.r);
}

TEST(Window, TakesFilesThatAreDroppedByAnotherProgram) {
    if (!std::getenv("DISPLAY")) GTEST_SKIP() << "NO X SERVER HERE, NOTHING WAS DROPPED";
    const auto context = make_glfw_context("Kernelglass", {800, 600});
    context->present(); // the window is hidden until its first frame
    std::vector<std::filesystem::path> dropped;
    context->on_drop = [&](const auto& files) { dropped = files; };
    std::unique_ptr<kg::testing::XWindow> window;
    ASSERT_TRUE(kg::testing::eventually([&] {
        context->poll();
        window = kg::testing::XWindow::find("Kernelglass");
        return window != nullptr;
    }));
    EXPECT_TRUE(window->drop("file:///photos/IMG%5B1%5D%20a.jpg\r\nfile:///photos/two.png\r\n",
                             [&] { context->poll(); }));
    EXPECT_EQ(dropped, (std::vector<std::filesystem::path>{"/photos/IMG[1] a.jpg", "/photos/two.png"}));
}

} // namespace
