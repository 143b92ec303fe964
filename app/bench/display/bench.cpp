#include "app/bench/display_bench.hpp"

#include "app/bench/display/trial.hpp"
#include "core/error.hpp"
#include "measure/clocks.hpp"

#include <algorithm>
#include <initializer_list>
#include <new>

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
    const PixelFormat plain{Depth::u8, 4}, covered{Depth::u8, 4, 3};
    if (interop) hand_offs("interop", {"idle", "busy", "resized"});
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
    case What::draw: return make_draw_trial(screen, row);
    case What::drag: return make_drag_trial(screen, row);
    }
    return nullptr;
}

/// Steps that do not count, a proof, those that count, and another proof.
void measure_row(Screen& screen, DisplayRow& row, std::size_t wanted, double seconds,
                 const std::stop_token& stop) {
    constexpr std::size_t kWarmUp = 10, kLeast = 3;
    const auto trial = trial_of(screen, row);
    const auto began = BenchClock::now();
    const auto over = [&](double part) { return microseconds_since(began) > part * seconds * 1e6; };
    Samples warming_up, samples;
    for (std::size_t i = 0; i < kWarmUp && (i == 0 || !over(0.1)); ++i) trial->step(warming_up);
    row.reason = trial->wrong();
    for (std::size_t i = 0; row.reason.empty() && i < wanted && (i < kLeast || !over(1)); ++i) {
        if (stop.stop_requested()) throw Cancelled();
        trial->step(samples);
    }
    if (row.reason.empty()) row.reason = trial->wrong();
    row.algorithm = trial->algorithm();
    if (!row.reason.empty()) return;
    row.figures = samples.figures();
    if (row.what == What::drag) row.within_frame = samples.part_within("pixels", kFrameMicroseconds);
    const auto clocks = measure::clocks_of(*screen.engine());
    row.clock_mhz = clocks.now_mhz;
    row.throttled = clocks.throttled;
}

} // namespace

DisplayReport bench_display(const std::shared_ptr<Engine>& engine, const DisplayBenchRules& rules,
                            const std::function<void(double, double, const std::string&)>& progress,
                            const std::stop_token& stop) {
    const auto began = BenchClock::now();
    Screen screen(engine);
    const auto renderer = display::Renderer::current();
    const auto clocks = measure::clocks_of(*engine);
    const auto& device = engine->device();
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
    report.rows = rows_of(rules, screen.interop() != nullptr);
    const auto all = static_cast<double>(report.rows.size());
    for (std::size_t i = 0; i < report.rows.size(); ++i) {
        auto& row = report.rows[i];
        const auto done = static_cast<double>(i), spent = microseconds_since(began) / 1e6;
        progress(done, all, name(row));
        try {
            if (stop.stop_requested() || spent > 2 * rules.seconds) throw Cancelled();
            measure_row(screen, row, rules.samples, std::max(rules.seconds - spent, 0.0) / (all - done),
                        stop);
        } catch (const Cancelled&) {
            row.reason = stop.stop_requested() ? "stopped" : "the time was over";
            row.stopped = true;
            report.complete = false;
        } catch (const std::bad_alloc&) {
            row.reason = "there is not enough memory for it";
        } catch (const Error& error) {
            row.reason = error.what();
        }
    }
    report.seconds = microseconds_since(began) / 1e6;
    return report;
}

} // namespace kg
