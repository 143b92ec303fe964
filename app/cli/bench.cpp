// kernelglass bench: its flags, and the choice of the benchmark.

#include "app/bench/sweep.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/bench_options.hpp"
#include "app/cli/flags/flag_table.hpp"
#include "app/cli/jobs/bench_algorithms.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/jobs/bench_screen.hpp"
#include "app/cli/jobs/bench_tensors.hpp"
#include "app/cli/jobs/bench_tune.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "filters/recipe_file.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <memory>

namespace kg {

namespace {

std::vector<std::string> items_of(std::string_view list) {
    std::vector<std::string> items;
    for (const auto item : split(list, ',')) items.emplace_back(item);
    return items;
}

/// Applies `parse` to each item of a list.
template <typename Parse>
auto each(Parse parse) {
    return [parse](std::string_view list) {
        std::vector<decltype(parse(list))> values;
        for (const auto item : split(list, ',')) values.push_back(parse(item));
        return values;
    };
}

constexpr std::array kBenchSubcommands{
    Subcommand{"image", "[FILE]",
               "Time every algorithm on an image (default: the sample) with the steps of -f"},
    Subcommand{"signal", {}, "Time every algorithm for signals on the texts' experiments and a sweep"},
    Subcommand{"bank", {}, "Time every algorithm for filter banks on the texts' experiments and layers"},
    Subcommand{"volume", {}, "Time every algorithm for volumes: stencils and kernels"},
    Subcommand{"diff", "OLD.json NEW.json", "Compare two reports row by row: faster, slower or tie"},
    Subcommand{"display", {}, "Time the presentation of a result on the screen"},
    Subcommand{"slider", {}, "Time the latency of the window after an edit"},
    Subcommand{"tune", "[REPORT.json...]", "Fit to this GPU the constants by which auto chooses"}};

/// "`bench diff OLD.json NEW.json`"
std::string called(const Subcommand& each) { return "`bench " + usage(each) + "`"; }

int act(const BenchOptions& o) {
    const bool has_tensors = !o.words.empty() && is_tensor_benchmark(o.words.front()),
               has_rows = has_tensors || (!o.words.empty() && o.words.front() == "display");
    if (!o.rows.empty() && !has_rows)
        throw Error("unexpected-flag", "--rows is for bench signal, bank, volume and display");
    if (has_tensors) return bench_tensors(o);
    if (o.words.empty()) return bench_algorithms(o);
    const auto& what = o.words.front();
    if (what == "image") {
        if (o.words.size() > 2) throw Error("too-many-arguments", "bench image takes one image at a time");
        return bench_algorithms(o);
    }
    if (what == "diff") {
        if (o.words.size() != 3)
            throw Error("not-two-reports",
                        "bench diff compares two reports: kernelglass bench diff OLD.json NEW.json");
        if (o.is_sweep() || o.warm || o.seconds > 0 || !o.outputs.empty() || !o.algorithms.empty())
            throw Error("unexpected-flag",
                        "bench diff measures nothing and writes no file: it takes the two reports, --bound "
                        "and --json");
        return show_difference(o.words[1], o.words[2], o.bound, o.switches.json);
    }
    if (what == "display") return bench_display(o);
    if (what == "slider") return bench_slider(o);
    if (what == "tune") return bench_tune(o);
    std::vector<std::string_view> words;
    std::string all = "`bench`";
    for (const auto& each : kBenchSubcommands) {
        words.push_back(each.word);
        all += (&each == &kBenchSubcommands.back() ? " or " : ", ") + called(each);
    }
    throw Error("unknown-subcommand", "bench has no subcommand {}{} Use {}", in_quotes(what),
                suggestion(what, words), all);
}

constexpr const char* kAxes = "Axes (comma-separated lists; every combination is measured)";
constexpr const char* kWho = "Candidates (comma-separated lists)";
constexpr const char* kRun = "Measurement";

using Options = std::shared_ptr<BenchOptions>;

/// Adds flags of one group whose values are lists.
auto lists(CLI::App& app, const Options& o, const char* group) {
    return [&app, o, group](const std::string& flag, const std::string& value, const std::string& help,
                            auto parse, auto BenchOptions::*member) {
        add_value(app, flag, value, help, [o, parse, member](const std::string& text) {
            (*o).*member = parse(text);
        })->group(group);
    };
}

void add_axes(CLI::App& app, const Options& o) {
    const auto list = lists(app, o, kAxes);
    list("--size", "LIST", "Sizes of noise images: 1920x1080 (default), hd, fhd, 4k, 8k", parse_sizes,
         &BenchOptions::sizes);
    list("--kernel-size", "LIST",
         "Kernel sizes: 3,5,7 or 3x9, or 3-31 for the common sizes between; boxes and Gaussians may exceed "
         "1025",
         parse_kernel_sizes, &BenchOptions::kernel_sizes);
    list("--filters", "LIST", "Ids of filters, or dense for random weights (default)", parse_filters,
         &BenchOptions::filters);
    list("--depth", "u8|u16|f16|f32", "Depth of the samples (default: u8); with bench image, of the result",
         each(parse_depth), &BenchOptions::depths);
    list("--channels", "LIST",
         "Number of plain channels: 1, 2, 3 or 4 (default); 2a and 4a have alpha as the last one",
         parse_channel_layouts, &BenchOptions::channels);
    list("--border", "zero|replicate|reflect|reflect101|wrap", "Border modes (default: reflect101)",
         each(parse_border), &BenchOptions::borders);
    list("--tolerance", "LIST",
         "Largest errors allowed, as fractions of full scale, such as 0,1/255; admit less exact algorithms "
         "(default: 0)",
         each(parse_tolerance), &BenchOptions::tolerances);
    o->flags.add_sums_to(app);
}

void add_candidates(CLI::App& app, const Options& o) {
    constexpr int kMostThreads = 1024, kMostDevices = 64;
    const auto list = lists(app, o, kWho);
    list("--engine", "auto|cpu|cuda", "Engines to compute on (default: auto)", items_of,
         &BenchOptions::engines);
    list("--algorithm", "ID",
         "Only these algorithms, built in or of other libraries; auto is the automatic choice as a row",
         items_of, &BenchOptions::algorithms);
    list("--rows", "LIST",
         "Only these rows; of signal: seed, taps, lengths; of bank: seed, sizes, kernels, layouts, padding, "
         "tolerance, layers, large; of volume: stencils, kernels, large; of display: presentation, write, "
         "draw, drag",
         items_of, &BenchOptions::rows);
    list("--peers", "LIST", "Other libraries: all (default), none, or ids of `kernelglass list peers`",
         items_of, &BenchOptions::peers);
    add_integer(app, "--device", "Number of the GPU to use, from 0", 0, kMostDevices, [o](std::int64_t n) {
        o->device = static_cast<int>(n);
    })->group(kWho);
    add_integer(app, "--threads",
                "Number of CPU threads, also for other libraries; 0 uses all cores (default)", 0,
                kMostThreads, [o](std::int64_t n) { o->threads = static_cast<int>(n); })
        ->group(kWho);
}

void add_measurement(CLI::App& app, const Options& o) {
    app.add_flag("--warm", o->warm, "Measure also with the image in the caches, in separate rows")
        ->group(kRun);
    add_value(app, "--seconds", "S",
              "Time limit in seconds; rows beyond it are not measured (default: none; without arguments: 60)",
              [o](const std::string& text) {
                  o->seconds = parse_number(text, "--seconds");
                  if (o->seconds <= 0)
                      throw Error("bad-value", "--seconds must be above 0, not {}", in_quotes(text));
              })
        ->group(kRun);
    app.add_option_function<std::string>(
           "-o,--output", [o](const std::string& file) { o->outputs.push_back(file); },
           "Write the report as FILE.json, .csv, .md or .html; repeat the flag for more (default without "
           "arguments: kernelglass-bench.html)")
        ->trigger_on_parse()
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->type_name("FILE")
        ->group(kRun);
    add_value(app, "--bound", "PERCENT", "For diff: the slowdown that counts as a regression (default: 5)",
              [o](const std::string& text) {
                  o->bound = parse_number(text, "--bound") / 100;
                  if (o->bound < 0)
                      throw Error("bad-value", "--bound must be 0 or more, not {}", in_quotes(text));
              })
        ->group(kRun);
}

Action declare_bench(CLI::App& app) {
    const auto o = std::make_shared<BenchOptions>();
    std::string words;
    for (const auto& each : kBenchSubcommands) words += (words.empty() ? "" : "|") + std::string(each.word);
    app.add_option("WHAT", o->words, "Subcommand and its files; omit it for a sweep")->type_name(words);
    o->flags.add_steps_to(app);
    add_axes(app, o);
    add_candidates(app, o);
    add_measurement(app, o);
    o->switches.add_to(app);
    return [o] { return act(*o); };
}

} // namespace

extern const Command kBenchCommand;
const Command kBenchCommand{
    "bench",
    "Verify and time every algorithm",
    "Each algorithm is first verified against a float64 reference; one with a wrong result is not timed. The "
    "others run alternately, after a warm-up, on rotating buffers so that no data is in a cache by accident "
    "(--warm adds rows with warm caches). Times are medians with their 95 % interval; algorithms whose "
    "intervals overlap tie. Transfers to and from the engine and first calls are reported separately.\n\n"
    "`bench image` times the given image and steps. `bench diff` compares two reports row by row: faster, "
    "slower or tie. It exits with 1 if a row is slower by more than --bound or no longer correct, and with 2 "
    "if no row can be compared.\n\n"
    "`bench signal`, `bench bank` and `bench volume` time the algorithms for signals, filter banks and "
    "volumes: the experiments of the texts that they come from, and sweeps, of which --rows chooses some. An "
    "algorithm that would take longer than a second has no time.\n\n"
    "`bench display` times the presentation path of a result without a window: uploads to OpenGL, drawing, "
    "and a drag of a slider from the changed kernel to the drawn pixels, which are first compared with the "
    "result. Ctrl+C keeps the rows measured so far. `bench slider` times the path of the window from an edit "
    "to the first pixels in OpenGL's texture, with an edit every 16 ms, and compares the texels with a fresh "
    "result.\n\n"
    "`bench tune` measures how much slower each algorithm is than its formula estimates, or reads that from "
    "reports of earlier runs, and writes the constants to a file (default: kernelglass-costs.txt). Constants "
    "of an earlier file that is named beside the reports are kept where the reports have none. A GPU uses "
    "those of the file that the environment variable KERNELGLASS_COSTS names, else those of an H200.",
    {{"kernelglass bench",
      "a sweep of one minute: 8-bit RGBA, kernels from 3 to 31, an HTML report to share"},
     {"kernelglass bench --kernel-size 3-63 --depth f32 --channels 1 -o sweep.json -o sweep.html",
      "a sweep written as JSON and HTML"},
     {"kernelglass bench --filters gaussian,box --engine cpu --threads 1", "measure a single core"},
     {"kernelglass bench image photo.jpg -f gaussian:sigma=3 -f sobel", "measure your own image and recipe"},
     {"kernelglass bench signal -o signal.json", "measure the algorithms for signals"},
     {"kernelglass bench bank --rows seed,layers -o bank.html",
      "measure the algorithms for filter banks on an experiment and on layers of networks"},
     {"kernelglass bench diff old.json new.json", "find regressions between two reports"},
     {"kernelglass bench display -o display.json", "measure the presentation path to the screen"},
     {"kernelglass bench slider --engine cpu", "measure the latency of a slider on the CPU"},
     {"kernelglass bench tune -o costs.txt", "fit auto's choice to this machine's GPU"}},
    declare_bench,
    false,
    {},
    kBenchSubcommands};

} // namespace kg
