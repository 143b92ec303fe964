// kernelglass bench: what its line may say, and which of its benchmarks that is.

#include "app/bench/sweep.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/bench_options.hpp"
#include "app/cli/jobs/bench_reports.hpp"
#include "app/cli/jobs/bench_screen.hpp"
#include "app/cli/jobs/bench_ways.hpp"
#include "app/cli/flags/flag_table.hpp"
#include "core/support/error.hpp"
#include "filters/recipe_file.hpp"
#include "core/support/text.hpp"

#include <array>
#include <memory>

namespace kg {

namespace {

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

constexpr std::array kSubcommands{
    Subcommand{"image", "[FILE]",
               "Times every algorithm on an image (default: the sample) with the steps of -f"},
    Subcommand{"diff", "OLD.json NEW.json", "Compares two reports, row by row: faster, slower or tie"},
    Subcommand{"display", {}, "Times the presentation of a result on the screen"},
    Subcommand{"slider", {}, "Times how soon the window answers an edit"}};

/// "`bench diff OLD.json NEW.json`"
std::string called(const Subcommand& each) { return "`bench " + usage(each) + "`"; }

int act(const BenchOptions& o) {
    if (o.words.empty()) return bench_ways(o);
    const auto& what = o.words.front();
    if (what == "image") {
        if (o.words.size() > 2) throw Error("bench image takes one picture at a time");
        return bench_ways(o);
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
    std::vector<std::string_view> words;
    std::string all = "`bench`";
    for (const auto& each : kSubcommands) {
        words.push_back(each.word);
        all += (&each == &kSubcommands.back() ? " or " : ", ") + called(each);
    }
    throw Error("bench does not know " + in_quotes(what) + suggestion(what, words) + " It is " + all);
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
    std::string words;
    for (const auto& each : kSubcommands) words += (words.empty() ? "" : "|") + std::string(each.word);
    app.add_option("WHAT", o->words, "Nothing for a sweep, or a subcommand and its files")->type_name(words);
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
              "How long it may take in all: what there is no time for is not measured (default: as long as "
              "it needs; "
              "bare: 60)",
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
    "Each way is first verified against a float64 reference: one that is wrong gets no time. Then all take "
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
    declare,
    false,
    {},
    kSubcommands};

} // namespace kg
