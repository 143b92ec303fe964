#pragma once
// The window without a window: headless context, ImGui layer, and Dear ImGui's test engine, which moves a
// mouse and types.

#include "app/ui/shell/loop.hpp"

#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace kg::testing {

struct HarnessOptions {
    Extent size{1280, 800};
    float scale = 1;
    ui::Theme theme = ui::kDark;
    float wider = 0; ///< 0.4: text is as wide as texts 40 % longer
};

/// Draws the last frame of each call. Those before it, of which nobody sees a pixel, are only laid out:
/// drawing them in software would take most of a test's time.
class Harness {
public:
    /// Throws Unavailable without EGL: call harness_or_skip() instead.
    explicit Harness(const HarnessOptions& options = {});
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;
    ~Harness();

    /// Sets the drawing of every frame.
    void set_frame(ui::DrawFrame draw) { draw_ = std::move(draw); }
    void frames(int count = 1);
    /// Runs `script` beside frames, as fast as possible; a failed IM_CHECK or a missing item fails the
    /// current test with the engine's log.
    void run(const char* name, const std::function<void(ImGuiTestContext*)>& script);
    /// Frames until `done`, and one more; fails the current test on a timeout. For use outside of run().
    bool frames_until(const std::function<bool()>& done);
    /// For scripts that look at the screen, or time what is drawn.
    void draw_every_frame(bool on = true) { every_ = on; }

    /// The last frame drawn. For use outside of run(), whose script has a thread without an OpenGL context.
    Image screenshot() const;
    /// Writes it as screenshots/NAME.png beside the tested program, for inspection. Returns the path.
    std::filesystem::path save_screenshot(const std::string& name) const;

    ui::GlContext& context() { return *context_; }
    ui::ImGuiLayer& layer() { return *layer_; }

private:
    void frame(bool is_drawn);

    ImGuiTestEngine* engine_;
    std::unique_ptr<ui::GlContext> context_;
    std::unique_ptr<ui::ImGuiLayer> layer_;
    ui::DrawFrame draw_;
    bool every_ = false;
    std::thread::id thread_ = std::this_thread::get_id(); ///< where the context is current
};

/// Null without EGL: then the test is skipped with a message.
///     const auto harness = harness_or_skip(); if (!harness) GTEST_SKIP() << kNoOpenGl;
std::unique_ptr<Harness> harness_or_skip(const HarnessOptions& options = {});
inline constexpr const char* kNoOpenGl = "NO OPENGL HERE, NOTHING WAS TESTED";

} // namespace kg::testing
