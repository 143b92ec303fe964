#include "app/bench/display_bench.hpp"

#include "app/bench/display/trial.hpp"
#include "app/bench/row_run.hpp"
#include "app/bench/watch.hpp"
#include "core/support/error.hpp"
#include "display/renderer.hpp"
#include "measure/clocks.hpp"

#include <algorithm>
#include <initializer_list>

namespace kg {

namespace {

using What = DisplayRow::What;

/// In the order of measurement: quick rows first, so that slow rows get the remaining time.
std::vector<DisplayRow> rows_of(const DisplayBenchRules& rules, bool interop) {
    std::vector<DisplayRow> rows;
    const auto presentations = [&](const std::string& path, std::initializer_list<const char*> modes) {
        for (const auto size : rules.sizes)
            for (const auto depth : rules.depths)
                for (const auto* mode : modes)
                    rows.push_back({What::presentation, path, size, {depth, 4, 3}, {0, 0}, mode});
    };
    const auto drags = [&](const std::string& path, const PixelFormat& format, const char* mode) {
        for (const auto kernel : rules.kernels)
            rows.push_back({What::drag, path, rules.drag_size, format, kernel, mode});
    };
    const auto writes = [&](const PixelFormat& format, const char* path,
                            std::initializer_list<const char*> modes) {
        for (const auto* mode : modes)
            for (const auto size : rules.write_sizes)
                rows.push_back({What::write, path, size, format, {0, 0}, mode});
    };
    const PixelFormat plain{Depth::u8, 4}, covered{Depth::u8, 4, 3};
    if (interop) presentations("interop", {"idle", "busy", "resized"});
    if (interop)
        for (const auto depth : rules.depths) {
            const PixelFormat rgba{depth, 4, 3}, rgb{depth, 3};
            writes(rgba, "surface", {"idle", "busy", "stream-0", "two", "unsynced"});
            for (const auto* other : {"copy", "pixel-buffer"}) writes(rgba, other, {"idle", "busy"});
            for (const auto* path : {"surface", "copy", "pixel-buffer"}) writes(rgb, path, {"idle"});
        }
    const auto drawings = [&](const Extent& size, Depth depth) {
        for (const auto* mode : {"actual", "fit", "zoom"})
            rows.push_back({What::draw, "", size, {depth, 4}, {0, 0}, mode});
    };
    for (const auto size : rules.sizes)
        for (const auto depth : rules.depths) drawings(size, depth);
    if (interop && std::ranges::find(rules.sizes, rules.large_size) == rules.sizes.end())
        drawings(rules.large_size, Depth::u8);
    if (interop) {
        drags("interop", plain, "unpaced");
        drags("interop", covered, "unpaced");
        drags("interop", plain, "paced");
    }
    drags("host upload", plain, "unpaced");
    presentations("host upload", {"idle"});
    if (!rules.rows.empty())
        std::erase_if(rows, [&](const auto& row) { return !rules.rows.contains(row.what); });
    return rows;
}

std::unique_ptr<Trial> trial_of(Screen& screen, const DisplayRow& row) {
    switch (row.what) {
    case What::presentation: return make_presentation_trial(screen, row);
    case What::write: return make_write_trial(screen, row);
    case What::draw: return make_draw_trial(screen, row);
    case What::drag: return make_drag_trial(screen, row);
    }
    return nullptr;
}

/// Warm-up steps, a verification, counted steps, and a second verification.
void measure_row(Screen& screen, DisplayRow& row, std::size_t wanted, double seconds, Watch& watch) {
    constexpr std::size_t kWarmUp = 10, kLeast = 3;
    auto trial = trial_of(screen, row);
    const auto began = BenchClock::now();
    const auto over = [&](double fraction) { return seconds_since(began) > fraction * seconds; };
    const auto doing = [&](const char* what) {
        if (screen.timeout().stop().stop_requested()) throw Cancelled();
        watch.doing(name(row) + ": " + what);
    };
    const auto verified = [&] {
        doing("verification");
        row.reason = trial->wrong();
        return row.reason.empty();
    };
    Samples warming_up, samples;
    try {
        doing("preparation");
        trial->begin();
        for (std::size_t i = 0; i < kWarmUp && (i == 0 || !over(0.1)); ++i) {
            doing("a step");
            trial->step(warming_up);
        }
        bool right = verified();
        for (std::size_t i = 0; right && i < wanted && (i < kLeast || !over(1)); ++i) {
            doing("a step");
            trial->step(samples);
        }
        right = right && verified();
        row.algorithm = trial->algorithm();
        if (!right) return;
    } catch (const Stuck&) {
        abandon(trial);
        throw;
    }
    row.figures = samples.figures();
    if (row.what == What::drag) row.within_frame = samples.fraction_within("pixels", kFrameMicroseconds);
    doing("reading the device's clocks");
    const auto clocks = measure::clocks_of(*screen.engine());
    row.clock_mhz = clocks.now_mhz;
    row.throttled = clocks.throttled;
    watch.doing(name(row) + ": cleanup");
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
    watch.doing("the start of OpenGL and the test of interop");
    auto screen = std::make_unique<Screen>(engine, Timeout(stop, rules.timeout));
    auto report = report_of(*screen);
    report.rows = rows_of(rules, screen->interop() != nullptr);
    const auto all = static_cast<double>(report.rows.size());
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        auto& row = report.rows[i];
        const auto done = static_cast<double>(i), spent = seconds_since(began);
        progress(done, all, name(row));
        run_row(report, row, stop, [&] {
            if (spent > 2 * rules.seconds) return mark_stopped(report, row, "the time was over");
            measure_row(*screen, row, rules.samples, std::max(rules.seconds - spent, 0.0) / (all - done),
                        watch);
        });
    }
    if (!report.stuck.empty()) abandon(screen); // its destructor would wait for the same work
    watch.doing("the cleanup of OpenGL");
    screen.reset();
    report.seconds = seconds_since(began);
    return report;
}

} // namespace kg
