#pragma once
// Dear ImGui on a GL context: fonts, style, one frame. Single viewport; every widget is reachable from the
// keyboard.

#include "app/ui/frame/changed_regions.hpp"
#include "app/ui/frame/kept_frame.hpp"
#include "app/ui/shell/gl_context.hpp"
#include "app/ui/widgets/look.hpp"
#include "display/draw_timer.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
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

/// CPU time of a timed frame. Its GPU time comes later, from draw_timer().
struct FrameTimes {
    std::uint64_t serial = 0;
    /// The thread's CPU time from begin_frame() to the end of end_frame(). Not wall time: a driver that runs
    /// ahead of the screen may block in any command, not only in the swap.
    double cpu_us = 0;
    std::chrono::steady_clock::time_point drawn{}; ///< end of end_frame()
};

class ImGuiLayer {
public:
    /// Makes an ImGui and an ImPlot context current. A missing font is replaced by a plainer one.
    ImGuiLayer(GlContext& context, const LayerOptions& options);
    ImGuiLayer(const ImGuiLayer&) = delete;
    ImGuiLayer& operator=(const ImGuiLayer&) = delete;
    ~ImGuiLayer();

    /// One frame: draws and presents what draw() puts into it. Returns what draw() does.
    double frame(const std::function<double()>& draw);

    void begin_frame();
    /// Draws into the context's framebuffer. The caller presents, or takes a screenshot first.
    void end_frame();

    /// Times the current frame, under this serial.
    void time_frame(std::uint64_t serial);
    /// Times of the latest timed frame, returned once. After end_frame().
    std::optional<FrameTimes> take_frame() { return std::exchange(frame_times_, std::nullopt); }
    /// Timer for drawing outside ImGui; end_frame() times ImGui's draw calls.
    display::DrawTimer& draw_timer() { return draw_timer_; }

    /// Pixels of the framebuffer that the last frame drew: all, or those of regions that had changed.
    std::int64_t drawn_pixels() const { return drawn_pixels_; }
    bool draws_changes() const { return in_software_; }

    const Look& look() const { return look_; }
    void set_theme(const Theme& theme);
    /// A factor on top of the screen's scale.
    void set_zoom(float zoom);
    /// Fonts that are not installed; for the log.
    const std::vector<std::string>& missing_fonts() const { return missing_fonts_; }

private:
    static void draw_whole(const ImVec4& background);
    void draw_changes(Extent size, const ImVec4& background);

    GlContext& context_;
    bool in_software_; ///< OpenGL draws on the processor: only what has changed is drawn
    ChangedRegions changed_;
    KeptFrame kept_frame_;
    std::int64_t drawn_pixels_ = 0;
    Look look_;
    float screen_scale_ = 1;
    std::string ini_file_;
    std::vector<std::string> missing_fonts_;
    display::DrawTimer draw_timer_;
    double frame_began_us_ = 0;          ///< on the thread's clock
    std::optional<std::uint64_t> timed_; ///< serial of this frame, if it is timed
    std::optional<FrameTimes> frame_times_;
};

} // namespace kg::ui
