#include "app/cli/jobs/bench_tensors.hpp"

#include "app/bench/report_file.hpp"
#include "app/bench/tensor_cases.hpp"
#include "app/cli/command.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "measure/report/formats.hpp"
#include "measure/tensor_bench.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <array>

namespace kg {

namespace {

struct TensorBenchmark {
    std::string_view word, title;
    std::vector<measure::TensorWorks> (*cases)();
};
constexpr std::array kTensorBenchmarks{
    TensorBenchmark{"signal", "signals: the texts' experiments, lengths and taps", signal_cases},
    TensorBenchmark{"bank", "filter banks: the texts' experiments, sizes, layouts and layers", bank_cases},
    TensorBenchmark{"volume", "volumes: stencils, and dense and separable kernels", volume_cases}};

void check_tensor_flags(const BenchOptions& o, const TensorBenchmark& benchmark) {
    if (o.words.size() > 1 || o.is_sweep() || o.warm || o.tolerances || !o.flags.recipe().steps.empty())
        throw Error("unexpected-flag",
                    "bench {} measures the experiments of the texts and sweeps of its own: it takes "
                    "--rows, --engine, --algorithm, --peers, --device, --threads, --seconds and -o FILE",
                    benchmark.word);
}

std::vector<std::shared_ptr<const measure::TensorWork>> chosen_works(const BenchOptions& o,
                                                                     const TensorBenchmark& benchmark) {
    const auto groups = benchmark.cases();
    std::vector<std::string_view> known;
    for (const auto& group : groups) known.push_back(group.group);
    check_rows(o, known);
    std::vector<std::shared_ptr<const measure::TensorWork>> works;
    for (const auto& group : groups)
        if (o.rows.empty() || std::ranges::find(o.rows, group.group) != o.rows.end())
            works.insert(works.end(), group.works.begin(), group.works.end());
    return works;
}

/// Throws Error for an algorithm that none of the engines has.
void check_tensor_algorithms(const BenchOptions& o, const TensorBenchmark& benchmark,
                             const measure::TensorWork& work,
                             const std::vector<std::shared_ptr<Engine>>& engines) {
    std::vector<std::string_view> known;
    for (const auto& engine : engines) {
        for (const auto* algorithm : work.algorithms(*engine))
            if (!algorithm->whole_requests) known.push_back(algorithm->id);
        for (const auto* peer : peers::all())
            if (peer->is_on(*engine))
                for (const auto* algorithm : work.algorithms(*peer)) known.push_back(algorithm->id);
    }
    for (const auto& id : o.algorithms)
        if (std::ranges::find(known, id) == known.end())
            throw Error("unknown-algorithm", "there is no algorithm {} for {}s{} The algorithms are {}",
                        in_quotes(id), benchmark.word, suggestion(id, known), listed(known));
}

/// Throws Error if none of the engines has such algorithms.
std::vector<std::shared_ptr<Engine>> engines_with_algorithms(const BenchOptions& o,
                                                             const TensorBenchmark& benchmark,
                                                             const measure::TensorWork& work) {
    auto any = o; // of the algorithms for images
    any.algorithms.clear();
    auto engines = engines_of(any);
    std::erase_if(engines, [&](const auto& engine) { return work.algorithms(*engine).empty(); });
    if (engines.empty())
        throw Error("engine-without-algorithms", "the engine {} has no algorithms for {}s; use --engine cpu",
                    o.engines.front(), benchmark.word);
    check_tensor_algorithms(o, benchmark, work, engines);
    return engines;
}

} // namespace

bool is_tensor_benchmark(std::string_view word) {
    return std::ranges::find(kTensorBenchmarks, word, &TensorBenchmark::word) != kTensorBenchmarks.end();
}

int bench_tensors(const BenchOptions& o) {
    const auto& benchmark = *std::ranges::find(kTensorBenchmarks, o.words.front(), &TensorBenchmark::word);
    check_tensor_flags(o, benchmark);
    const auto works = chosen_works(o, benchmark);
    for (const auto& file : o.outputs) check_report(file, {});
    const auto engines = engines_with_algorithms(o, benchmark, *works.front());
    measure::BenchRules rules;
    rules.only = o.algorithms;
    rules.peers = peers_of(o);
    rules.seconds = o.seconds;
    rules.comparison.most_cold_bytes = most_cold_bytes();

    Interrupts interrupts;
    auto report = [&] {
        ProgressBar bar(!o.switches.quiet);
        return measure::bench_tensors(
            works, engines, rules,
            [&](const measure::BenchStep& step) { bar.show(step.done, step.all, step.what); },
            interrupts.token());
    }();
    report.title = benchmark.title;
    sign(report);
    return deliver(report, o.outputs, o.switches, interrupts);
}

} // namespace kg
