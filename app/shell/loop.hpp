#pragma once
// Draws when something happened, sleeps otherwise.

#include "app/shell/imgui_layer.hpp"

#include <functional>

namespace kg::ui {

/// How often the window is drawn. ImGui needs a few frames after an event until hover, popups and focus have settled.
class FramePacer {
public:
    static constexpr int kSettleFrames = 4;
    static constexpr double kIdleSeconds = 0.5; ///< tooltips and the text cursor live by these frames

    /// Zero = draw without sleeping. `wish` is the longest sleep the drawing asked for.
    double sleep_before_next_frame(double wish) const;
    void woken() { left_ = kSettleFrames; } ///< by an event
    void drawn() {
        if (left_ > 0) --left_;
    }

private:
    int left_ = kSettleFrames;
};

/// Draws one frame; returns the longest time in seconds until the next is due: 0 while something moves, else
/// FramePacer::kIdleSeconds.
using DrawFrame = std::function<double()>;

/// Until the window is to be closed. While it is minimised nothing is drawn, but `draw` is not owed anything: a worker's
/// wake() is answered when the window is back.
void run_loop(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw);

/// Headless: draws until `settled` is true and kSettleFrames more frames, sleeping for wake() in between, and returns
/// the window's picture. Throws Error when that takes longer than `seconds`.
Image draw_until(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw,
                 const std::function<bool()>& settled, double seconds);

} // namespace kg::ui
