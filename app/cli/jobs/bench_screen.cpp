#include "app/cli/jobs/bench_screen.hpp"

#include "app/bench/display_bench.hpp"
#include "app/bench/report_file.hpp"
#include "app/bench/slider_bench.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace kg {

namespace {

/// Returns true if the command line has arguments that only a comparison of algorithms accepts.
bool asks_for_algorithms(const BenchOptions& o) {
    return o.words.size() > 1 || o.channels || o.filters || o.borders || o.tolerances ||
           !o.algorithms.empty() || o.warm || !o.flags.recipe().steps.empty() || o.engines.size() > 1;
}

void check_json_outputs(const BenchOptions& o, const std::string& what) {
    for (const auto& file : o.outputs) {
        check_report(file, {});
        if (!file.ends_with(".json"))
            throw Error("bad-extension", "bench {} writes only .json, not {}", what, kg::quoted(file));
    }
}

/// Adds version, date and host to the report, writes and prints it.
template <typename Report>
void publish(const BenchOptions& o, Report& report) {
    measure::BenchReport signature;
    sign(signature);
    report.version = signature.version;
    report.date = signature.date;
    report.host = signature.host;
    for (const auto& file : o.outputs) write_file(file, to_json(report));
    std::cout << (o.switches.json ? to_json(report) : to_text(report));
    for (const auto& file : o.outputs) o.switches.note("wrote " + kg::quoted(file));
}

/// The words of --rows. A report names the first of them by its older, published word.
constexpr std::pair<std::string_view, DisplayRow::What> kRows[] = {
    {"presentation", DisplayRow::What::presentation},
    {"write", DisplayRow::What::write},
    {"draw", DisplayRow::What::draw},
    {"drag", DisplayRow::What::drag},
};

DisplayBenchRules display_rules(const BenchOptions& o) {
    if (asks_for_algorithms(o))
        throw Error("unexpected-flag",
                    "bench display measures the presentation path: it takes --size, --kernel-size, --depth, "
                    "--rows, one --engine, --device, --threads, --seconds and -o FILE.json");
    DisplayBenchRules rules;
    rules.sizes = o.sizes.value_or(rules.sizes);
    rules.write_sizes = o.sizes.value_or(rules.write_sizes);
    rules.depths = o.depths.value_or(rules.depths);
    rules.kernels = o.kernel_sizes.value_or(rules.kernels);
    rules.drag_size = *std::ranges::max_element(rules.sizes, {}, [](Extent e) { return e.width * e.height; });
    if (o.seconds > 0) rules.seconds = o.seconds;
    std::vector<std::string_view> known;
    for (const auto& [word, what] : kRows) {
        known.push_back(word);
        if (std::ranges::find(o.rows, word) != o.rows.end()) rules.rows.insert(what);
    }
    check_rows(o, known);
    return rules;
}

constexpr double kDriverTimeout = 10; // seconds after a signal

void report_hang(const std::string& what) {
    print_error(
        Error("stuck-driver", "{} did not finish: a call into the graphics driver does not return", what));
    ::_exit(kSomeFailed);
}

/// Measures, publishes and returns the exit code, even if work is stuck in a driver.
template <typename Measure>
int run_to_its_end(const BenchOptions& o, const Measure& measure) {
    Interrupts interrupts(kDriverTimeout);
    auto report = [&] {
        ProgressBar bar(!o.switches.quiet);
        return measure([&](double done, double all, const std::string& what) { bar.show(done, all, what); },
                       interrupts.token());
    }();
    publish(o, report);
    if (!report.stuck.empty()) { // a regular exit would wait for the driver
        std::cout.flush();
        ::_exit(interrupts.received() ? interrupts.exit_code() : kSomeFailed);
    }
    if (interrupts.received() && !report.complete) return interrupts.exit_code();
    const bool failed = std::ranges::any_of(
        report.rows, [](const auto& row) { return !row.stopped && !row.reason.empty(); });
    return failed ? kSomeFailed : kDone;
}

} // namespace

int bench_display(const BenchOptions& o) {
    auto rules = display_rules(o);
    check_json_outputs(o, "display");
    const auto engines = engines_of(o);
    rules.on_hang = report_hang;
    return run_to_its_end(o, [&](const auto& progress, const std::stop_token& stop) {
        return bench_display(engines.front(), rules, progress, stop);
    });
}

int bench_slider(const BenchOptions& o) {
    if (asks_for_algorithms(o) || o.depths || o.kernel_sizes || (o.sizes && o.sizes->size() > 1))
        throw Error("unexpected-flag",
                    "bench slider measures the latency of the window after an edit: it takes one --size, one "
                    "--engine, --device, --threads, --seconds and -o FILE.json");
    check_json_outputs(o, "slider");
    SliderBenchRules rules;
    if (o.sizes) rules.size = o.sizes->front();
    rules.seconds = o.seconds;
    const auto engines = engines_of(o);
    rules.on_hang = report_hang;
    return run_to_its_end(o, [&](const auto& progress, const std::stop_token& stop) {
        return bench_slider(engines.front(), rules, progress, stop);
    });
}

} // namespace kg
