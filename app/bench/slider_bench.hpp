#pragma once
// How soon the window answers a slider, without a window: the document, its worker, previews and the way into a texture are the
// window's own; an edit comes with every frame, whether the one before has been answered or not.

#include "app/bench/patience.hpp"
#include "app/bench/slider_report.hpp"
#include "core/plan/engine.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace kg {

struct SliderBenchRules {
    Extent size{1920, 1080}; ///< of noise, plain RGBA of 8 bits, all of it seen pixel by pixel
    std::size_t edits = 60;  ///< in each row, after a few that do not count
    double seconds =
        0; ///< fewer edits, five at least, where those of all rows should take no longer; 0 = as many
    std::optional<bool> draws{}; ///< every picture into a view, too; empty: where a GPU draws
    Patience::Limits patience{}; ///< with what is given to a driver
    /// As in DisplayBenchRules.
    std::function<void(const std::string& what)> on_hang = [](const std::string&) {};
    double hang_seconds = 180;
};

/// On an EGL device. The report lacks version, date and host. Throws Unavailable where OpenGL cannot draw, or in builds without
/// it.
SliderReport
bench_slider(const std::shared_ptr<Engine>& engine, const SliderBenchRules& rules,
             const std::function<void(double done, double all, const std::string& what)>& progress,
             const std::stop_token& stop = {});

} // namespace kg
