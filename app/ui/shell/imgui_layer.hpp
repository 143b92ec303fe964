#pragma once
// Dear ImGui on a GL context: fonts, style, one frame. Single viewport; every widget reachable from the keyboard.

#include "app/ui/shell/gl_context.hpp"
#include "app/ui/widgets/look.hpp"
#include "display/draw_timer.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kg::ui {

struct LayerOptions {
    Theme theme = kDark;
    float scale = 0;                  ///< 0 = the screen's
    std::filesystem::path ini_file{}; ///< where ImGui keeps its state; empty = nowhere (tests, headless)
};

/// What the processor did for a frame that was to be timed. What the GPU did for it is known later, by draw_timer().
struct FrameTimes {
    std::uint64_t serial = 0;
    /// The thread's own time from begin_frame() to the end of end_frame(). Not the wall's: a driver that is ahead of the
    /// screen lets whatever command comes next wait, not the swap alone.
    double cpu_us = 0;
    std::chrono::steady_clock::time_point drawn{}; ///< the end of end_frame()
};

class ImGuiLayer {
public:
    /// Makes an ImGui and an ImPlot context current. A font that is not installed is replaced by a plainer one.
    ImGuiLayer(GlContext& context, const LayerOptions& options);
    ImGuiLayer(const ImGuiLayer&) = delete;
    ImGuiLayer& operator=(const ImGuiLayer&) = delete;
    ~ImGuiLayer();

    void begin_frame();
    /// Draws into the context's framebuffer. The caller presents, or takes a screenshot first.
    void end_frame();

    /// The frame that is being drawn is to be timed, under this name.
    void time_frame(std::uint64_t serial);
    /// Of the latest such frame, once. After end_frame().
    std::optional<FrameTimes> take_frame() { return std::exchange(frame_times_, std::nullopt); }
    /// For what is drawn beside ImGui; end_frame() times its own part.
    display::DrawTimer& draw_timer() { return draw_timer_; }

    const Look& look() const { return look_; }
    void set_theme(const Theme& theme);
    /// Fonts that were looked for and not found; for the log.
    const std::vector<std::string>& missing_fonts() const { return missing_fonts_; }

private:
    GlContext& context_;
    Look look_;
    std::string ini_file_;
    std::vector<std::string> missing_fonts_;
    display::DrawTimer draw_timer_;
    double frame_began_us_ = 0;          ///< on the thread's clock
    std::optional<std::uint64_t> timed_; ///< this frame, under this name
    std::optional<FrameTimes> frame_times_;
};

} // namespace kg::ui
