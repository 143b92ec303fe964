#pragma once
// Benchmark of a slider's response, without a window: the document, its worker, previews and the presentation
// path are the window's own. Every frame brings an edit, whether or not the previous one is done.

#include "app/bench/slider_report.hpp"
#include "app/bench/timeout.hpp"
#include "core/plan/engine.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace kg {

struct SliderBenchRules {
    Extent size{1920, 1080}; ///< size of the image: noise, RGBA8 without alpha, all of it in view at 100 %
    std::size_t edits = 60;  ///< counted edits of each row, after a few warm-up edits
    /// Time budget of all rows: fewer edits, at least five, where they would take longer; 0 = none.
    double seconds = 0;
    std::optional<bool> draws{}; ///< also draws every image into a view; empty: where a GPU draws
    Timeout::Limits timeout{};   ///< limits of waits for a driver
    /// As in DisplayBenchRules.
    std::function<void(const std::string& what)> on_hang = [](const std::string&) {};
    double hang_seconds = 180;
};

/// Runs on an EGL device. The report lacks version, date and host. Throws Unavailable where OpenGL cannot
/// draw, and in builds without it.
SliderReport
bench_slider(const std::shared_ptr<Engine>& engine, const SliderBenchRules& rules,
             const std::function<void(double done, double all, const std::string& what)>& progress,
             const std::stop_token& stop = {});

} // namespace kg
