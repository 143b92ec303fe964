#pragma once
// Draws when something happened, sleeps otherwise.

#include "app/ui/shell/imgui_layer.hpp"

#include <functional>
#include <limits>

namespace kg::ui {

/// Decides when the window is drawn. ImGui needs a few frames after an event until hover, popups and focus
/// have settled.
class FramePacer {
public:
    static constexpr int kSettleFrames = 4;
    /// Frames at this delay after an event show what time alone changes: a tooltip appears, a burst of the
    /// wheel ends.
    static constexpr double kLateSeconds = 0.55;
    static constexpr int kLateFrames = 3; ///< ImGui hides a new window in its first frame
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    /// Zero = draw without sleeping, kNever = until something happens. `wanted` is the longest sleep that
    /// drawing asked for.
    double sleep_before_next_frame(double wanted) const;
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

/// Runs until the window closes. While it is minimised nothing is drawn; a worker's wake() is handled once
/// the window is back.
void run_loop(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw);

/// Headless: draws until `settled` is true and kSettleFrames more frames, sleeping for wake() in between, and
/// returns the window's image. Throws Error when that takes longer than `seconds`.
Image draw_until(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw,
                 const std::function<bool()>& settled, double seconds);

} // namespace kg::ui
