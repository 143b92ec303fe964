// A real window, where there is a display: under Xvfb here (ctest's test "window").

#include "app/panels/widgets.hpp"
#include "app/shell/layout.hpp"
#include "app/shell/loop.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

using namespace kg;
using namespace kg::ui;

bool has_display() { return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"); }

TEST(Window, WithoutADisplayItSaysWhatToDo) {
    if (has_display()) GTEST_SKIP() << "there is a display";
    try {
        make_glfw_context("Kernelglass", {640, 480});
        FAIL() << "a window without a display";
    } catch (const Unavailable& error) {
        EXPECT_STREQ(error.what(), "No display. Use `kernelglass filter ...` or `--headless --screenshot F`");
    }
}

TEST(Window, DrawsWhenSomethingHappensAndRestsOtherwise) {
    if (!has_display()) GTEST_SKIP() << "NO DISPLAY HERE, NO WINDOW WAS TESTED";
    const auto context = make_glfw_context("Kernelglass", {800, 600});
    ImGuiLayer layer(*context, {.scale = 1});
    EXPECT_EQ(context->framebuffer_size(), (Extent{800, 600}));

    std::atomic<int> frames = 0;
    int frames_at_rest = 0;
    const auto draw = [&] {
        ++frames;
        const Region bar("bar", {0, 0, 800, 40}, RegionStyle::bar);
        return FramePacer::kNever;
    };
    std::thread worker([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        const int before = frames;
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        frames_at_rest = frames - before;
        context->wake();
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        context->set_should_close(true);
        context->wake();
    });
    run_loop(*context, layer, draw);
    worker.join();
    EXPECT_GE(frames, FramePacer::kSettleFrames);
    EXPECT_EQ(frames_at_rest, 0);
    EXPECT_LE(frames, 40); // in 3.3 s; a window that does not rest draws 200

    layer.begin_frame();
    draw();
    layer.end_frame();
    const auto seen = context->screenshot();
    EXPECT_EQ(seen.view().row<std::uint8_t>(0)[0], kDark.panel.r);
    EXPECT_EQ(seen.view().row<std::uint8_t>(300)[400 * 4], kDark.surround.r);
}

} // namespace
