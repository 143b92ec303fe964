#pragma once
// What the way to the screen costs on this machine: hand-offs, drawing, and a slider's drag from the changed kernel to the
// drawn pixels. The pixels are compared before and after, and only then do times count.

#include "app/bench/display_report.hpp"
#include "app/bench/patience.hpp"
#include "core/plan/engine.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kg {

struct DisplayBenchRules {
    std::vector<Extent> sizes{{1920, 1080}, {3840, 2160}, {4096, 4096}};
    std::vector<Depth> depths{Depth::u8, Depth::f32};            ///< of what is handed over and drawn
    std::vector<Extent> write_sizes{{1920, 1080}, {3840, 2160}}; ///< of what is written in several ways
    Extent drag_size{4096, 4096};                                ///< RGBA8 is dragged
    std::vector<Extent> kernels{{3, 3}, {7, 7}, {31, 31}, {127, 127}};
    std::size_t samples = 200;
    /// All of it should take about so long: rows that are slow get by with fewer samples, three at least. What has not
    /// begun when twice the time is over has rows that say so.
    double seconds = 60;
    Patience::Limits patience{}; ///< with what is given to a driver
    /// Called from another thread with what has not come back for `hang_seconds`: a call into a driver, which nothing can end
    /// but the end of the program.
    std::function<void(const std::string& what)> on_hang = [](const std::string&) {};
    double hang_seconds = 180;
};

/// Draws without a window, on an EGL device. The report lacks version, date and host. Throws Unavailable where OpenGL
/// cannot draw, or in builds without it.
DisplayReport
bench_display(const std::shared_ptr<Engine>& engine, const DisplayBenchRules& rules,
              const std::function<void(double done, double all, const std::string& what)>& progress,
              const std::stop_token& stop = {});

} // namespace kg
