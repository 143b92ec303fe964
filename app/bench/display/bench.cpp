#include "app/bench/display_bench.hpp"

#include "app/bench/display/trial.hpp"
#include "app/bench/turn.hpp"
#include "app/bench/watch.hpp"
#include "core/support/error.hpp"
#include "measure/clocks.hpp"

#include <algorithm>
#include <initializer_list>

namespace kg {

namespace {

using What = DisplayRow::What;

/// In the order in which they are measured: the quick ones first, so that the slow ones get what is left of the time.
std::vector<DisplayRow> rows_of(const DisplayBenchRules& rules, bool interop) {
    std::vector<DisplayRow> rows;
    const auto hand_offs = [&](const std::string& way, std::initializer_list<const char*> modes) {
        for (const auto size : rules.sizes)
            for (const auto depth : rules.depths)
                for (const auto* mode : modes)
                    rows.push_back({What::hand_off, way, size, {depth, 4, 3}, {0, 0}, mode});
    };
    const auto drags = [&](const std::string& way, const PixelFormat& format, const char* mode) {
        for (const auto kernel : rules.kernels)
            rows.push_back({What::drag, way, rules.drag_size, format, kernel, mode});
    };
    const auto writes = [&](const PixelFormat& format, const char* way,
                            std::initializer_list<const char*> modes) {
        for (const auto* mode : modes)
            for (const auto size : rules.write_sizes)
                rows.push_back({What::write, way, size, format, {0, 0}, mode});
    };
    const PixelFormat plain{Depth::u8, 4}, covered{Depth::u8, 4, 3};
    if (interop) hand_offs("interop", {"idle", "busy", "resized"});
    if (interop)
        for (const auto depth : rules.depths) {
            const PixelFormat rgba{depth, 4, 3}, rgb{depth, 3};
            writes(rgba, "surface", {"idle", "busy", "stream-0", "two", "unsynced"});
            for (const auto* other : {"copy", "pixel-buffer"}) writes(rgba, other, {"idle", "busy"});
            for (const auto* way : {"surface", "copy", "pixel-buffer"}) writes(rgb, way, {"idle"});
        }
    for (const auto size : rules.sizes)
        for (const auto depth : rules.depths)
            for (const auto* mode : {"actual", "fit"})
                rows.push_back({What::draw, "", size, {depth, 4}, {0, 0}, mode});
    if (interop) {
        drags("interop", plain, "unpaced");
        drags("interop", covered, "unpaced");
        drags("interop", plain, "paced");
    }
    drags("host upload", plain, "unpaced");
    hand_offs("host upload", {"idle"});
    return rows;
}

std::unique_ptr<Trial> trial_of(Screen& screen, const DisplayRow& row) {
    switch (row.what) {
    case What::hand_off: return make_hand_off_trial(screen, row);
    case What::write: return make_write_trial(screen, row);
    case What::draw: return make_draw_trial(screen, row);
    case What::drag: return make_drag_trial(screen, row);
    }
    return nullptr;
}

/// Steps that do not count, a proof, those that count, and another proof.
void measure_row(Screen& screen, DisplayRow& row, std::size_t wanted, double seconds, Watch& watch) {
    constexpr std::size_t kWarmUp = 10, kLeast = 3;
    auto trial = trial_of(screen, row);
    const auto began = BenchClock::now();
    const auto over = [&](double part) { return microseconds_since(began) > part * seconds * 1e6; };
    const auto doing = [&](const char* what) {
        if (screen.patience().stop().stop_requested()) throw Cancelled();
        watch.doing(name(row) + ", " + what);
    };
    const auto proved = [&] {
        doing("the comparison of pixels");
        row.reason = trial->wrong();
        return row.reason.empty();
    };
    Samples warming_up, samples;
    try {
        doing("the beginning");
        trial->begin();
        for (std::size_t i = 0; i < kWarmUp && (i == 0 || !over(0.1)); ++i) {
            doing("a step");
            trial->step(warming_up);
        }
        bool right = proved();
        for (std::size_t i = 0; right && i < wanted && (i < kLeast || !over(1)); ++i) {
            doing("a step");
            trial->step(samples);
        }
        right = right && proved();
        row.algorithm = trial->algorithm();
        if (!right) return;
    } catch (const Stuck&) {
        abandon(trial);
        throw;
    }
    row.figures = samples.figures();
    if (row.what == What::drag) row.within_frame = samples.part_within("pixels", kFrameMicroseconds);
    doing("the device's clocks");
    const auto clocks = measure::clocks_of(*screen.engine());
    row.clock_mhz = clocks.now_mhz;
    row.throttled = clocks.throttled;
    watch.doing(name(row) + ", its end");
}

DisplayReport report_of(const Screen& screen) {
    const auto renderer = display::Renderer::current();
    const auto clocks = measure::clocks_of(*screen.engine());
    const auto& device = screen.engine()->device();
    DisplayReport report;
    report.device = {device.id,
                     device.name,
                     device.description,
                     clocks.driver.empty() ? device.driver : clocks.driver,
                     clocks.now_mhz,
                     clocks.most_mhz,
                     {}};
    report.context = screen.egl().description();
    report.vendor = renderer.vendor;
    report.renderer = renderer.name;
    report.view = screen.view();
    report.no_interop = screen.no_interop();
    return report;
}

} // namespace

DisplayReport bench_display(const std::shared_ptr<Engine>& engine, const DisplayBenchRules& rules,
                            const std::function<void(double, double, const std::string&)>& progress,
                            const std::stop_token& stop) {
    const auto began = BenchClock::now();
    Watch watch(rules.hang_seconds, rules.on_hang);
    watch.doing("the start of OpenGL, and the trial whether CUDA writes its textures");
    auto screen = std::make_unique<Screen>(engine, Patience(stop, rules.patience));
    auto report = report_of(*screen);
    report.rows = rows_of(rules, screen->interop() != nullptr);
    const auto all = static_cast<double>(report.rows.size());
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        auto& row = report.rows[i];
        const auto done = static_cast<double>(i), spent = microseconds_since(began) / 1e6;
        progress(done, all, name(row));
        take_turn(report, row, stop, [&] {
            if (spent > 2 * rules.seconds) return pass_over(report, row, "the time was over");
            measure_row(*screen, row, rules.samples, std::max(rules.seconds - spent, 0.0) / (all - done),
                        watch);
        });
    }
    if (!report.stuck.empty()) abandon(screen); // it would wait for the same
    watch.doing("the end of OpenGL");
    screen.reset();
    report.seconds = microseconds_since(began) / 1e6;
    return report;
}

} // namespace kg
