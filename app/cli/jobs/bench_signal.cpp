#include "app/cli/jobs/bench_signal.hpp"

#include "app/bench/report_file.hpp"
#include "app/bench/signal_cases.hpp"
#include "app/cli/command.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "measure/report/formats.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <iostream>

namespace kg {

namespace {

void check_signal_flags(const BenchOptions& o) {
    if (o.words.size() > 1 || o.is_sweep() || o.warm || o.tolerances || !o.flags.recipe().steps.empty())
        throw Error("unexpected-flag",
                    "bench signal measures the experiments of the texts and a sweep of lengths: it takes "
                    "--engine, --algorithm, --peers, --device, --threads, --seconds and -o FILE");
}

/// Throws Error for an algorithm that none of the engines has.
void check_algorithms(const BenchOptions& o, const std::vector<std::shared_ptr<Engine>>& engines) {
    std::vector<std::string_view> known;
    for (const auto& engine : engines) {
        for (const auto* algorithm : engine->signal_algorithms())
            if (!algorithm->whole_requests) known.push_back(algorithm->id);
        for (const auto* peer : peers::all())
            if (peer->is_on(*engine))
                for (const auto* algorithm : peer->signals) known.push_back(algorithm->id);
    }
    for (const auto& id : o.algorithms)
        if (std::ranges::find(known, id) == known.end())
            throw Error("unknown-algorithm", "there is no algorithm {} for signals{} The algorithms are {}",
                        in_quotes(id), suggestion(id, known), listed(known));
}

std::vector<std::shared_ptr<Engine>> signal_engines_of(const BenchOptions& o) {
    auto any = o; // of the algorithms for images
    any.algorithms.clear();
    auto engines = engines_of(any);
    std::erase_if(engines, [](const auto& engine) { return engine->signal_algorithms().empty(); });
    check_algorithms(o, engines);
    return engines;
}

} // namespace

int bench_signal(const BenchOptions& o) {
    check_signal_flags(o);
    for (const auto& file : o.outputs) check_report(file, {});
    const auto engines = signal_engines_of(o);
    measure::BenchRules rules;
    rules.only = o.algorithms;
    rules.peers = peers_of(o);
    rules.seconds = o.seconds;
    rules.comparison.most_cold_bytes = most_cold_bytes();

    Interrupts interrupts;
    auto report = [&] {
        ProgressBar bar(!o.switches.quiet);
        return measure::bench_signals(
            signal_cases(), engines, rules,
            [&](const measure::BenchStep& step) { bar.show(step.done, step.all, step.what); },
            interrupts.token());
    }();
    report.title = "signals: the texts' experiments, lengths and taps";
    sign(report);
    return deliver(report, o.outputs, o.switches, interrupts);
}

} // namespace kg
