#include "app/cli/jobs/bench_tune.hpp"

#include "app/bench/tune.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "measure/report/formats.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>

namespace kg {

namespace {

constexpr const char* kEngine = "cuda";
constexpr const char* kDefaultFile = "kernelglass-costs.txt";
constexpr double kDefaultSeconds = 300;

/// Measures the sweep; a stop leaves the rows measured so far.
measure::BenchReport measured(const BenchOptions& o, const std::shared_ptr<Engine>& engine,
                              const std::stop_token& stop) {
    measure::BenchRules rules;
    rules.only = o.algorithms;
    rules.seconds = o.seconds > 0 ? o.seconds : kDefaultSeconds;
    ProgressBar bar(!o.switches.quiet);
    return measure::bench(
        tuning_cases(), std::span(&engine, 1), rules,
        [&](const measure::BenchStep& step) { bar.show(step.done, step.all, step.what); }, stop);
}

/// The GPU of all reports. Throws Error unless they are of one.
std::string device_of(const std::vector<measure::BenchReport>& reports) {
    std::string name;
    for (const auto& report : reports)
        for (const auto& device : report.devices) {
            if (device.engine != kEngine) continue;
            if (!name.empty() && device.name != name)
                throw Error("several-devices",
                            "the reports are of {} and of {}; constants are fitted to one device", name,
                            device.name);
            name = device.name;
        }
    if (name.empty())
        throw Error("nothing-to-fit", "the reports have no GPU, whose algorithms the constants are for");
    return name;
}

void check_flags(const BenchOptions& o) {
    if (o.is_sweep() || o.warm || o.outputs.size() > 1 || o.switches.json || o.flags.recipe() != Recipe{})
        throw Error("unexpected-flag", "bench tune has a sweep of its own: it takes reports, --device, "
                                       "--algorithm, --seconds and one -o");
    if (o.engines != std::vector<std::string>{"auto"} && o.engines != std::vector<std::string>{kEngine})
        throw Error("unexpected-flag", "bench tune fits constants for the engine {} alone", kEngine);
}

} // namespace

int bench_tune(const BenchOptions& o) {
    check_flags(o);
    const std::vector<std::string> inputs(o.words.begin() + 1, o.words.end());
    const auto file = o.outputs.empty() ? std::string(kDefaultFile) : o.outputs.front();
    refuse_overwriting(file, inputs);
    std::vector<measure::BenchReport> reports;
    CostCorrections earlier;
    for (const auto& input : inputs) {
        const auto text = read_text_input(input);
        if (is_costs_text(text))
            earlier = parse_costs(text, input_name(input), kEngine).with_earlier(earlier);
        else reports.push_back(measure::from_json(text, input_name(input)));
    }
    if (reports.empty()) {
        auto on_gpu = o;
        on_gpu.engines = {kEngine};
        const Interrupts interrupts;
        reports.push_back(measured(o, engines_of(on_gpu).front(), interrupts.token()));
        if (interrupts.received()) {
            o.switches.note("stopped; nothing was written");
            return interrupts.exit_code();
        }
        if (!reports.back().complete)
            o.switches.note(
                "some rows were not measured, because the time limit was reached; raise --seconds");
    }
    const auto device = device_of(reports);
    const auto fitted = costs_text(fitted_costs(reports, kEngine), kEngine, device); // sizes as in files
    const auto costs = parse_costs(fitted, file, kEngine).with_earlier(earlier);
    write_file(file, costs_text(costs, kEngine, device));
    o.switches.note("wrote " + measure::counted(costs.samples().size(), "constant") + " for " + device +
                    " to " + kg::quoted(file) + ", which the variable KERNELGLASS_COSTS may name");
    return kDone;
}

} // namespace kg
