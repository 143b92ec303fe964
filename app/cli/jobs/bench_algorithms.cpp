#include "app/cli/jobs/bench_algorithms.hpp"

#include "app/bench/report_file.hpp"
#include "app/bench/sweep.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/cli/terminal/progress_bar.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/recipe_file.hpp"
#include "measure/bench.hpp"
#include "measure/report/formats.hpp"
#include "measure/report/row_text.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <span>

namespace kg {

namespace {

/// `bench` without arguments measures common images in about a minute and writes an HTML report.
constexpr double kBareSeconds = 60;
constexpr const char* kBarePage = "kernelglass-bench.html";

/// Throws Error if an algorithm given with --algorithm would have no row.
void check_algorithms(const BenchOptions& o, std::span<const std::shared_ptr<Engine>> engines,
                      const std::vector<std::string>& peers) {
    for (const auto& id : o.algorithms) {
        if (id == measure::kAuto) continue;
        const bool is_timed = std::ranges::any_of(engines, [&](const auto& engine) {
            return std::ranges::any_of(measure::candidates(engine, true), [&](const auto& who) {
                return who.algorithm->id == id &&
                       (who.peer.empty() || std::ranges::find(peers, who.peer) != peers.end());
            });
        });
        if (!is_timed)
            throw Error("algorithm-not-timed",
                        "{} is not timed: other libraries are timed only if --peers includes them, and the "
                        "reference only verifies the others",
                        in_quotes(id));
    }
}

std::vector<measure::BenchCase> cases_for_image(const BenchOptions& o, const Recipe& recipe) {
    if (o.sizes || o.kernel_sizes || o.channels || o.filters)
        throw Error(
            "unexpected-flag",
            "bench image takes no --size, --kernel-size, --channels or --filters: the image determines "
            "size and channels, and -f the kernels");
    if (o.depths && o.depths->size() > 1)
        throw Error("too-many-values", "bench image takes only one --depth, that of the result");
    auto with = recipe;
    if (with.steps.empty())
        throw Error("missing-step", "bench image needs a filter: add -f STEP, such as -f gaussian:sigma=2");
    if (o.depths) with.depth = o.depths->front();
    auto image = std::make_shared<Image>(o.words.size() > 1 ? read_image_input(o.words[1], {}).pixels
                                                            : sample_image({1920, 1280}));
    return cases_of(with, o.borders.value_or(std::vector{with.border}),
                    o.tolerances.value_or(std::vector<double>{}), image);
}

Sweep sweep_of(const BenchOptions& o, const Recipe& recipe) {
    if (!recipe.steps.empty() && (o.kernel_sizes || o.filters))
        throw Error("conflicting-flags",
                    "-f gives the kernels; --kernel-size and --filters are for sweeps without it");
    Sweep sweep;
    if (!o.is_sweep() && recipe.steps.empty()) {
        sweep.filters = {"dense", "gaussian"};
        sweep.kernel_sizes = parse_kernel_sizes("3,5,7,9,15,31");
    }
    sweep.recipe = recipe;
    sweep.borders = o.borders.value_or(std::vector{recipe.border});
    sweep.sizes = o.sizes.value_or(sweep.sizes);
    sweep.kernel_sizes = o.kernel_sizes.value_or(sweep.kernel_sizes);
    sweep.depths = o.depths.value_or(sweep.depths);
    sweep.channels = o.channels.value_or(sweep.channels);
    sweep.filters = o.filters.value_or(sweep.filters);
    sweep.tolerances = o.tolerances.value_or(sweep.tolerances);
    return sweep;
}

/// One line that describes what was measured.
std::string title_of(const BenchOptions& o, const Recipe& recipe) {
    if (!o.words.empty())
        return (o.words.size() > 1 ? input_name(o.words[1]) : "the sample image") + ", " + to_text(recipe);
    const auto sweep = sweep_of(o, recipe);
    std::string title = recipe.steps.empty() ? "" : to_text(recipe);
    const auto add = [&](const auto& values, auto word) {
        title += title.empty() ? "" : ", ";
        for (std::size_t i = 0; i < values.size(); ++i)
            title += (i ? " " : "") + std::string(word(values[i]));
    };
    if (recipe.steps.empty()) add(sweep.filters, std::identity());
    add(sweep.depths, [](Depth depth) { return name(depth); });
    add(sweep.channels,
        [](const ChannelLayout& c) { return "x" + std::to_string(c.count) + (c.alpha ? "a" : ""); });
    add(sweep.sizes,
        [](Extent size) { return std::to_string(size.width) + "x" + std::to_string(size.height); });
    add(sweep.borders, [](Border border) { return name(border); });
    if (!sweep.tolerances.empty()) add(sweep.tolerances, [](double t) { return "tolerance " + to_text(t); });
    return title;
}

} // namespace

int bench_algorithms(const BenchOptions& o) {
    const double began_us = steady_time().now_us();
    const auto recipe = o.flags.recipe();
    const bool image = !o.words.empty();
    const bool bare = !image && !o.is_sweep() && recipe.steps.empty();
    auto outputs = o.outputs;
    if (bare && outputs.empty()) outputs.emplace_back(kBarePage);
    auto inputs = o.flags.files();
    inputs.insert(inputs.end(), o.words.begin() + (image ? 1 : 0), o.words.end());
    for (const auto& file : outputs) check_report(file, inputs);
    const auto cases = image ? cases_for_image(o, recipe) : cases_of(sweep_of(o, recipe));
    const auto engines = engines_of(o);

    measure::BenchRules rules;
    rules.warm = o.warm;
    rules.only = o.algorithms;
    rules.peers = peers_of(o);
    rules.comparison.most_cold_bytes = most_cold_bytes();
    check_algorithms(o, engines, rules.peers);
    if (const double asked = o.seconds > 0 ? o.seconds : bare ? kBareSeconds : 0; asked > 0) {
        constexpr double kLeastSeconds = 1e-3; // if the time before it used up the limit
        const double before = (steady_time().now_us() - began_us) / 1e6;
        rules.seconds = std::max(asked - before, kLeastSeconds);
    }

    Interrupts interrupts;
    auto report = [&] {
        ProgressBar bar(!o.switches.quiet);
        return measure::bench(
            cases, engines, rules,
            [&](const measure::BenchStep& step) { bar.show(step.done, step.all, step.what); },
            interrupts.token());
    }();
    report.title = title_of(o, recipe);
    sign(report);
    return deliver(report, outputs, o.switches, interrupts);
}

} // namespace kg
