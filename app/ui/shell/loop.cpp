#include "app/ui/shell/loop.hpp"

#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <chrono>

namespace kg::ui {

double FramePacer::sleep_before_next_frame(double wanted) const {
    if (left_ == kLateFrames) return std::clamp(wanted, 0.0, kLateSeconds);
    return left_ > 0 ? 0 : std::max(wanted, 0.0);
}

void run_loop(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw) {
    FramePacer pacer;
    double wanted = 0;
    while (!context.should_close()) {
        const auto size = context.framebuffer_size();
        if (size.width <= 0 || size.height <= 0) {
            if (context.wait(FramePacer::kNever)) pacer.woken();
            if (context.while_hidden) context.while_hidden();
            continue;
        }
        const auto sleep = pacer.sleep_before_next_frame(wanted);
        if (sleep > 0 ? context.wait(sleep) : context.poll()) pacer.woken();
        wanted = layer.frame(draw);
        pacer.drawn();
    }
}

Image draw_until(GlContext& context, ImGuiLayer& layer, const DrawFrame& draw,
                 const std::function<bool()>& settled, double seconds) {
    constexpr double kNap = 0.02;
    const auto begin = std::chrono::steady_clock::now();
    for (int left = FramePacer::kSettleFrames; left > 0;) {
        layer.frame(draw);
        if (settled()) {
            --left;
            continue;
        }
        left = FramePacer::kSettleFrames;
        if (seconds_since(begin) > seconds)
            throw Error("timeout",
                        "the image was not ready after {} s; `kernelglass filter` has no such limit",
                        static_cast<int>(seconds));
        context.wait(kNap);
    }
    return context.screenshot();
}

} // namespace kg::ui
