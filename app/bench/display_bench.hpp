#pragma once
// Benchmark of the presentation path: presentations, drawing, and a slider's drag from the changed kernel to
// the drawn pixels. Pixels are verified before and after, and only then do times count.

#include "app/bench/display_report.hpp"
#include "app/bench/timeout.hpp"
#include "core/plan/engine.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace kg {

struct DisplayBenchRules {
    std::vector<Extent> sizes{{1920, 1080}, {3840, 2160}, {4096, 4096}};
    std::vector<Depth> depths{Depth::u8, Depth::f32}; ///< depths of presentations and drawings
    /// Sizes of writes, measured with several algorithms.
    std::vector<Extent> write_sizes{{1920, 1080}, {3840, 2160}};
    Extent drag_size{4096, 4096}; ///< size of the RGBA8 image of a drag
    /// Size of one more drawn image, of u8, on machines with interop: 100 megapixels.
    Extent large_size{10000, 10000};
    std::vector<Extent> kernels{{3, 3}, {7, 7}, {31, 31}, {127, 127}};
    std::set<DisplayRow::What> rows; ///< only these; empty = all
    std::size_t samples = 200;
    /// Time budget of the whole benchmark: slow rows use fewer samples, at least three. Rows that have not
    /// begun after twice this time are reported as stopped.
    double seconds = 60;
    Timeout::Limits timeout{}; ///< limits of waits for a driver
    /// Called from another thread with the name of a call that has not returned for `hang_seconds`: only the
    /// end of the program can end a call into a driver.
    std::function<void(const std::string& what)> on_hang = [](const std::string&) {};
    double hang_seconds = 180;
};

/// Draws without a window, on an EGL device. The report lacks version, date and host. Throws Unavailable
/// where OpenGL cannot draw, and in builds without it.
DisplayReport
bench_display(const std::shared_ptr<Engine>& engine, const DisplayBenchRules& rules,
              const std::function<void(double done, double all, const std::string& what)>& progress,
              const std::stop_token& stop = {});

} // namespace kg
