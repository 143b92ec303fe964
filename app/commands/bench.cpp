// kernelglass bench: every way of computing, proved and timed, for a sweep of requests or one's own picture; and two such
// reports against each other.

#include "app/bench/display_bench.hpp"
#include "app/bench/slider_bench.hpp"
#include "app/bench/sweep.hpp"
#include "app/commands/command.hpp"
#include "app/commands/support/bench_reports.hpp"
#include "app/commands/support/interrupts.hpp"
#include "app/commands/support/progress_bar.hpp"
#include "app/commands/support/recipe_flags.hpp"
#include "app/commands/support/streams.hpp"
#include "app/commands/support/switches.hpp"
#include "app/document/engines.hpp"
#include "app/document/sample_picture.hpp"
#include "core/error.hpp"
#include "filters/recipe_file.hpp"
#include "filters/text.hpp"
#include "measure/peers/peers.hpp"
#include "measure/report/json.hpp"
#include "measure/report/words.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include <unistd.h>

namespace kg {

namespace {

constexpr std::string_view kAuto = "auto", kAll = "all", kNone = "none";
/// A bare `bench`: what most people filter, in about a minute, and a page to send to somebody.
constexpr double kBareSeconds = 60;
constexpr const char* kBarePage = "kernelglass-bench.html";

struct BenchOptions {
    std::vector<std::string> words; ///< image or diff, and files
    RecipeFlags flags;              ///< steps, and how to sum; the engine's flags are its own here
    std::optional<std::vector<Extent>> sizes, kernel_sizes;
    std::optional<std::vector<Depth>> depths;
    std::optional<std::vector<int>> channels;
    std::optional<std::vector<Border>> borders;
    std::optional<std::vector<double>> tolerances;
    std::optional<std::vector<std::string>> filters;
    std::vector<std::string> engines{std::string(kAuto)}, algorithms, peers{std::string(kAll)};
    int threads = 0;
    std::optional<int> device;
    bool warm = false;
    double seconds = 0, bound = 0.05;
    std::vector<std::string> outputs;
    Switches switches;

    bool is_sweep() const { return sizes || kernel_sizes || depths || channels || borders || filters; }
};

std::vector<std::string> parts_of(std::string_view list) {
    std::vector<std::string> parts;
    for (const auto part : split(list, ',')) parts.emplace_back(part);
    return parts;
}

/// Each word of a list by itself.
template <typename Parse>
auto each(Parse parse) {
    return [parse](std::string_view list) {
        std::vector<decltype(parse(list))> values;
        for (const auto part : split(list, ',')) values.push_back(parse(part));
        return values;
    };
}

std::vector<std::shared_ptr<Engine>> engines_of(const BenchOptions& o) {
    std::vector<std::shared_ptr<Engine>> engines;
    for (const auto& word : o.engines) {
        const auto choice = choose_engine(
            {word, o.threads, o.device, o.algorithms.size() == 1 ? o.algorithms.front() : ""});
        if (!choice.notice.empty()) o.switches.detail(choice.notice);
        const bool known = std::ranges::any_of( // auto may be one that is named, too
            engines, [&](const auto& engine) { return engine->device().id == choice.engine->device().id; });
        if (!known) engines.push_back(choice.engine);
    }
    for (const auto& id : o.algorithms) {
        const bool known = std::ranges::any_of(engines, [&](const auto& engine) {
            const auto ways = ways_of(*engine);
            return std::ranges::find(ways, std::string_view(id)) != ways.end();
        });
        if (!known) engine_with(engines, id); // says what there is
    }
    return engines;
}

std::vector<std::string> peers_of(const BenchOptions& o) {
    std::vector<std::string_view> ids;
    for (const auto* peer : measure::peers()) ids.push_back(peer->id);
    for (const auto whole : {kAll, kNone})
        if (o.peers.size() > 1 && std::ranges::find(o.peers, whole) != o.peers.end())
            throw Error("--peers " + std::string(whole) + " stands alone, not beside other words");
    if (o.peers.front() == kAll) return {ids.begin(), ids.end()};
    if (o.peers.front() == kNone) return {};
    for (const auto& word : o.peers)
        if (std::ranges::find(ids, word) == ids.end())
            throw Error(in_quotes(word) + " is not a library to compare with" + suggestion(word, ids) +
                        " There are all, none, " + listed(ids));
    return o.peers;
}

/// The ways that are asked for by name, but would have no row.
void check_algorithms(const BenchOptions& o, std::span<const std::shared_ptr<Engine>> engines,
                      const std::vector<std::string>& peers) {
    for (const auto& id : o.algorithms) {
        const bool is_timed = std::ranges::any_of(engines, [&](const auto& engine) {
            return std::ranges::any_of(measure::contestants(engine, true), [&](const auto& who) {
                return who.algorithm->id == id &&
                       (who.peer.empty() || std::ranges::find(peers, who.peer) != peers.end());
            });
        });
        if (!is_timed)
            throw Error(in_quotes(id) + " takes no part: other libraries do where --peers lets them, and the "
                                        "reference, which proves all others, is not timed");
    }
}

std::vector<measure::BenchCase> cases_for_picture(const BenchOptions& o, const Recipe& recipe) {
    if (o.sizes || o.kernel_sizes || o.channels || o.filters)
        throw Error("the picture has its size and channels, and -f its kernels: bench image takes no --size, "
                    "--kernel-size, --channels or --filters");
    if (o.depths && o.depths->size() > 1) throw Error("bench image takes one --depth, that of the result");
    auto with = recipe;
    if (with.steps.empty()) throw Error("which filter? Add -f STEP, such as -f gaussian:sigma=2");
    if (o.depths) with.depth = o.depths->front();
    auto picture = std::make_shared<Image>(o.words.size() > 1 ? read_picture_input(o.words[1], {}).image
                                                              : sample_picture({1920, 1280}));
    return cases_of(with, o.borders.value_or(std::vector{with.border}),
                    o.tolerances.value_or(std::vector<double>{}), picture);
}

Sweep sweep_of(const BenchOptions& o, const Recipe& recipe) {
    if (!recipe.steps.empty() && (o.kernel_sizes || o.filters))
        throw Error("-f gives the kernels; --kernel-size and --filters are for sweeps without it");
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

/// What was measured, in a line.
std::string title_of(const BenchOptions& o, const Recipe& recipe) {
    if (!o.words.empty())
        return (o.words.size() > 1 ? input_name(o.words[1]) : "the sample picture") + ", " + to_text(recipe);
    const auto sweep = sweep_of(o, recipe);
    std::string title = recipe.steps.empty() ? "" : to_text(recipe);
    const auto add = [&](const auto& values, auto word) {
        title += title.empty() ? "" : ", ";
        for (std::size_t i = 0; i < values.size(); ++i)
            title += (i ? " " : "") + std::string(word(values[i]));
    };
    if (recipe.steps.empty()) add(sweep.filters, std::identity());
    add(sweep.depths, [](Depth depth) { return name(depth); });
    add(sweep.channels, [](int n) { return "x" + std::to_string(n); });
    add(sweep.sizes,
        [](Extent size) { return std::to_string(size.width) + "x" + std::to_string(size.height); });
    add(sweep.borders, [](Border border) { return name(border); });
    if (!sweep.tolerances.empty()) add(sweep.tolerances, [](double t) { return "tolerance " + to_text(t); });
    return title;
}

int bench(const BenchOptions& o) {
    const auto recipe = o.flags.recipe();
    const bool image = !o.words.empty();
    const bool bare = !image && !o.is_sweep() && recipe.steps.empty();
    auto outputs = o.outputs;
    if (bare && outputs.empty()) outputs.emplace_back(kBarePage);
    auto inputs = o.flags.files();
    inputs.insert(inputs.end(), o.words.begin() + (image ? 1 : 0), o.words.end());
    for (const auto& file : outputs) check_report(file, inputs);
    const auto cases = image ? cases_for_picture(o, recipe) : cases_of(sweep_of(o, recipe));
    const auto engines = engines_of(o);

    measure::BenchRules rules;
    rules.warm = o.warm;
    rules.only = o.algorithms;
    rules.peers = peers_of(o);
    check_algorithms(o, engines, rules.peers);
    rules.seconds = o.seconds > 0 ? o.seconds : bare ? kBareSeconds : 0;

    Interrupts interrupts;
    auto report = [&] {
        ProgressBar bar(!o.switches.quiet);
        return measure::bench(
            cases, engines, rules,
            [&](double done, double all, const std::string& what) { bar.show(done, all, what); },
            interrupts.token());
    }();
    report.title = title_of(o, recipe);
    sign(report);
    // Before anything is said, since who reads it may be gone after a line; but what was measured is said in any case.
    std::vector<std::string> failures;
    std::erase_if(outputs, [&](const std::string& file) {
        try {
            write_report(file, report);
            return false;
        } catch (const Error& e) {
            failures.emplace_back(e.what());
            return true;
        }
    });
    if (o.switches.json) std::cout << measure::to_json(report);
    else std::cout << report_words(report);
    if (!report.complete) o.switches.note("stopped: the report holds what was measured until then");
    for (const auto& file : outputs) o.switches.note("wrote " + kg::quoted(file));
    if (!failures.empty()) throw Error(measure::joined(failures, "; "));
    return interrupts.received() ? interrupts.exit_code() : kDone;
}

/// Of `bench display` and `bench slider`, whose reports have one form.
void check_json_outputs(const BenchOptions& o, const std::string& what) {
    for (const auto& file : o.outputs) {
        check_report(file, {});
        if (!file.ends_with(".json"))
            throw Error("bench " + what + " writes .json, which " + kg::quoted(file) + " is not");
    }
}

/// Signs such a report, writes and prints it.
template <typename Report>
void publish(const BenchOptions& o, Report& report) {
    measure::Report signature;
    sign(signature);
    report.version = signature.version;
    report.date = signature.date;
    report.host = signature.host;
    for (const auto& file : o.outputs) write_file(file, to_json(report));
    std::cout << (o.switches.json ? to_json(report) : to_words(report));
    for (const auto& file : o.outputs) o.switches.note("wrote " + kg::quoted(file));
}

DisplayBenchRules display_rules(const BenchOptions& o) {
    if (o.words.size() > 1 || o.channels || o.filters || o.borders || o.tolerances || !o.algorithms.empty() ||
        o.warm || !o.flags.recipe().steps.empty() || o.engines.size() > 1)
        throw Error(
            "bench display measures the way to the screen: it takes --size, --kernel-size, --depth, one "
            "--engine, --device, --threads, --seconds and -o FILE.json");
    DisplayBenchRules rules;
    rules.sizes = o.sizes.value_or(rules.sizes);
    rules.write_sizes = o.sizes.value_or(rules.write_sizes);
    rules.depths = o.depths.value_or(rules.depths);
    rules.kernels = o.kernel_sizes.value_or(rules.kernels);
    rules.drag_size = *std::ranges::max_element(rules.sizes, {}, [](Extent e) { return e.width * e.height; });
    if (o.seconds > 0) rules.seconds = o.seconds;
    return rules;
}

constexpr double kDriversPatience = 10; // seconds after a signal

void say_hang(const std::string& what) {
    std::fprintf(stderr,
                 "kernelglass: %s does not come to an end: a call into the graphics driver does not return\n",
                 what.c_str());
    ::_exit(kSomeFailed);
}

/// Measures, publishes and ends as both do: also where something is stuck in a driver.
template <typename Measure>
int run_to_its_end(const BenchOptions& o, const Measure& measure) {
    Interrupts interrupts(kDriversPatience);
    auto report = [&] {
        ProgressBar bar(!o.switches.quiet);
        return measure([&](double done, double all, const std::string& what) { bar.show(done, all, what); },
                       interrupts.token());
    }();
    publish(o, report);
    if (!report.stuck.empty()) { // at an end as usual the drivers would wait for it
        std::cout.flush();
        ::_exit(interrupts.received() ? interrupts.exit_code() : kSomeFailed);
    }
    if (interrupts.received()) return interrupts.exit_code();
    const bool failed = std::ranges::any_of(
        report.rows, [](const auto& row) { return !row.stopped && !row.reason.empty(); });
    return failed ? kSomeFailed : kDone;
}

int bench_display(const BenchOptions& o) {
    auto rules = display_rules(o);
    check_json_outputs(o, "display");
    const auto engines = engines_of(o);
    rules.on_hang = say_hang;
    return run_to_its_end(o, [&](const auto& progress, const std::stop_token& stop) {
        return bench_display(engines.front(), rules, progress, stop);
    });
}

int bench_slider(const BenchOptions& o) {
    if (o.words.size() > 1 || o.channels || o.filters || o.borders || o.tolerances || o.depths ||
        o.kernel_sizes || !o.algorithms.empty() || o.warm || !o.flags.recipe().steps.empty() ||
        o.engines.size() > 1 || (o.sizes && o.sizes->size() > 1))
        throw Error("bench slider measures how soon the window answers a slider: it takes one --size, one "
                    "--engine, --device, --threads, --seconds and -o FILE.json");
    check_json_outputs(o, "slider");
    SliderBenchRules rules;
    if (o.sizes) rules.size = o.sizes->front();
    rules.seconds = o.seconds;
    const auto engines = engines_of(o);
    rules.on_hang = say_hang;
    return run_to_its_end(o, [&](const auto& progress, const std::stop_token& stop) {
        return bench_slider(engines.front(), rules, progress, stop);
    });
}

int act(const BenchOptions& o) {
    if (o.words.empty()) return bench(o);
    const auto& what = o.words.front();
    if (what == "image") {
        if (o.words.size() > 2) throw Error("bench image takes one picture at a time");
        return bench(o);
    }
    if (what == "diff") {
        if (o.words.size() != 3)
            throw Error("bench diff compares two reports: kernelglass bench diff OLD.json NEW.json");
        if (o.is_sweep() || o.warm || o.seconds > 0 || !o.outputs.empty() || !o.algorithms.empty())
            throw Error("bench diff measures nothing and writes no file: beside the two reports it takes "
                        "--bound and --json");
        return show_difference(o.words[1], o.words[2], o.bound, o.switches.json);
    }
    if (what == "display") return bench_display(o);
    if (what == "slider") return bench_slider(o);
    constexpr std::string_view kWords[] = {"image", "diff", "display", "slider"};
    throw Error("bench does not know " + in_quotes(what) + suggestion(what, kWords) +
                " It is `bench`, `bench image [FILE]`, `bench diff OLD.json NEW.json`, `bench display` or "
                "`bench slider`");
}

Action declare(CLI::App& app) {
    const auto o = std::make_shared<BenchOptions>();
    constexpr auto kAxes = "Axes: lists apart by commas; every combination is measured",
                   kWho = "Who takes part: lists apart by commas", kRun = "Measuring";
    constexpr int kMostThreads = 1024, kMostDevices = 64;
    const auto list = [&](const std::string& flag, const std::string& value, const std::string& help,
                          auto parse, auto BenchOptions::*member, const char* group) {
        add_value(app, flag, value, help, [o, parse, member](const std::string& text) {
            (*o).*member = parse(text);
        })->group(group);
    };
    app.add_option(
           "WHAT", o->words,
           "Nothing for a sweep; image [FILE] for a picture (default: the sample) and -f; diff OLD.json "
           "NEW.json for two reports; display for the way to the screen; slider for how soon the window "
           "answers")
        ->type_name("FILE");
    o->flags.add_steps_to(app);
    list("--size", "LIST", "Pictures of noise: 1920x1080 (default), hd, fhd, 4k, 8k", parse_sizes,
         &BenchOptions::sizes, kAxes);
    list("--kernel-size", "LIST",
         "Kernels: 3,5,7 or 3x9, or 3-31 for the usual ones between; boxes and Gaussians beyond 1025 too",
         parse_kernel_sizes, &BenchOptions::kernel_sizes, kAxes);
    list("--filters", "LIST", "Ids of filters, or dense (default): random weights", parse_filters,
         &BenchOptions::filters, kAxes);
    list("--depth", "u8|u16|f16|f32", "Of the numbers (default: u8); of the result with bench image",
         each(parse_depth), &BenchOptions::depths, kAxes);
    list("--channels", "LIST", "1, 2, 3, 4 (default) plain channels", parse_channel_counts,
         &BenchOptions::channels, kAxes);
    list("--border", "zero|replicate|reflect|reflect101|wrap", "Beyond the edge (default: reflect101)",
         each(parse_border), &BenchOptions::borders, kAxes);
    list("--tolerance", "LIST",
         "Largest errors allowed, as parts of full scale, such as 0,1/255: let less exact ways in (default: "
         "0)",
         each(parse_tolerance), &BenchOptions::tolerances, kAxes);
    o->flags.add_sums_to(app);
    list("--engine", "auto|cpu|cuda", "Who computes (default: auto)", parts_of, &BenchOptions::engines, kWho);
    list("--algorithm", "ID", "Only these ways, ours or other libraries'", parts_of,
         &BenchOptions::algorithms, kWho);
    list("--peers", "LIST", "Other libraries: all (default), none, or ids of `kernelglass list peers`",
         parts_of, &BenchOptions::peers, kWho);
    add_integer(app, "--device", "Which GPU, from 0", 0, kMostDevices, [o](std::int64_t n) {
        o->device = static_cast<int>(n);
    })->group(kWho);
    add_integer(app, "--threads", "CPU threads, also of other libraries; 0 is all cores (default)", 0,
                kMostThreads, [o](std::int64_t n) { o->threads = static_cast<int>(n); })
        ->group(kWho);
    app.add_flag("--warm", o->warm, "Also with the picture in the caches, in rows apart")->group(kRun);
    add_value(app, "--seconds", "S",
              "About how long it may take in all (default: as long as it needs; bare: 60)",
              [o](const std::string& text) {
                  o->seconds = parse_number(text, "--seconds");
                  if (o->seconds <= 0) throw Error("--seconds is above 0, not " + in_quotes(text));
              })
        ->group(kRun);
    app.add_option_function<std::string>(
           "-o,--output", [o](const std::string& file) { o->outputs.push_back(file); },
           "Write the report as F.json, F.csv, F.md or F.html; repeat it for more. A bare bench writes "
           "kernelglass-bench.html")
        ->trigger_on_parse()
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->type_name("FILE")
        ->group(kRun);
    add_value(app, "--bound", "PERCENT", "diff: how much slower counts as a regression (default: 5)",
              [o](const std::string& text) {
                  o->bound = parse_number(text, "--bound") / 100;
                  if (o->bound < 0) throw Error("--bound is 0 or more, not " + in_quotes(text));
              })
        ->group(kRun);
    o->switches.add_to(app);
    return [o] { return act(*o); };
}

} // namespace

extern const Command kBenchCommand;
const Command kBenchCommand{
    "bench",
    "Time every way of computing, with proof beside every number",
    "Each way is first proved against a float64 reference: one that is wrong gets no time. Then all take "
    "turns, warmed up, on buffers that rotate so that nothing lies in a cache by accident (--warm adds rows "
    "where it does). Times are medians with their 95 % interval; ways whose intervals overlap tie. Bringing "
    "pictures to the engine and back, and first calls, stand apart.\n\n"
    "`bench image` times the picture and the steps that you give. `bench diff` says of two reports, row by "
    "row, faster, slower or tie, and exits 1 if a row is slower by more than --bound or no longer right, and "
    "2 if "
    "no row can be compared.\n\n"
    "`bench display` times what brings a result to the screen, without a window: hand-offs to OpenGL, "
    "drawing, and a "
    "slider's drag from the changed kernel to the drawn pixels, which are compared with the result first. "
    "Ctrl+C keeps what is measured. `bench slider` times the window's own way from an edit to the first "
    "pixels in "
    "OpenGL's texture, with an edit every 16 ms, and compares the texture's texels with what is computed "
    "anew.",
    {{"kernelglass bench", "a minute: 8-bit RGBA, kernels from 3 to 31, a page to send to somebody"},
     {"kernelglass bench --kernel-size 3-63 --depth f32 --channels 1 -o sweep.json -o sweep.html",
      "a sweep, as data and as a page"},
     {"kernelglass bench --filters gaussian,box --engine cpu --threads 1", "one core"},
     {"kernelglass bench image photo.jpg -f gaussian:sigma=3 -f sobel", "your own picture and recipe"},
     {"kernelglass bench diff old.json new.json", "has anything become slower?"},
     {"kernelglass bench display -o display.json", "does the picture follow a slider here?"},
     {"kernelglass bench slider --engine cpu", "how soon does the window answer it?"}},
    declare};

} // namespace kg
