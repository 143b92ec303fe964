#pragma once
// Draws when something happened, sleeps otherwise.

#include "app/ui/shell/imgui_layer.hpp"

#include <functional>
#include <limits>

namespace kg::ui {

/// How often the window is drawn. ImGui needs a few frames after an event until hover, popups and focus have settled.
class FramePacer {
public:
    static constexpr int kSettleFrames = 4;
    /// What an event begins and time alone ends (a tooltip appears, a burst of the wheel is over) is drawn then.
    static constexpr double kLateSeconds = 0.55;
    static constexpr int kLateFrames = 3; ///< a window that appears is hidden in its first
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    /// Zero = draw without sleeping, kNever = until something happens. `wish` is the longest sleep the drawing asked for.
    double sleep_before_next_frame(double wish) const;
    void woken() { left_ = kSettleFrames + kLateFrames; } ///< by an event
    void drawn() {
        if (left_ > 0) --left_;
    }

private:
    int left_ = kSettleFrames + kLateFrames;
};

/// Draws one frame; returns the longest time in seconds until the next is due: 0 while something moves,
/// FramePacer::kNever where nothing will change by itself.
using DrawFrame = std::function<double()>;

/// Until the window is to be closed. While it is minimised nothing is drawn, but `draw` is not owed anything: a worker's
/// wake() is answered when the window is back.
void run_loop(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw);

/// Headless: draws until `settled` is true and kSettleFrames more frames, sleeping for wake() in between, and returns
/// the window's picture. Throws Error when that takes longer than `seconds`.
Image draw_until(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw,
                 const std::function<bool()>& settled, double seconds);

} // namespace kg::ui
