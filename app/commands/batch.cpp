// kernelglass batch IN... OUT_DIR: many pictures through a recipe.

#include "app/batch/job.hpp"
#include "app/commands/command.hpp"
#include "app/commands/support/batch_forecast.hpp"
#include "app/commands/support/batch_merge.hpp"
#include "app/commands/support/batch_reporter.hpp"
#include "app/commands/support/interrupts.hpp"
#include "app/commands/support/picture_flags.hpp"
#include "app/commands/support/recipe_flags.hpp"
#include "app/commands/support/streams.hpp"
#include "app/commands/support/switches.hpp"
#include "app/document/engine_start.hpp"
#include "core/error.hpp"
#include "core/words.hpp"
#include "filters/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using batch::Task;

struct BatchOptions {
    std::vector<std::string> words;
    std::string unused_out; ///< for the help: the parser gives all words to the first positional
    std::optional<std::string> out;
    std::string list; ///< of --files-from
    bool zero_bytes = false, recursive = false, follow_links = false;
    std::string name{batch::kDefaultTemplate};
    batch::OnExists on_exists = batch::OnExists::fail;
    bool redo = false, dry_run = false, fail_fast = false, json_lines = false;
    std::optional<std::size_t> sample, max_errors;
    int pictures = 0; ///< at a time; 0 = as many as there are threads
    std::size_t in_flight = 0;
    batch::Shard shard;
    RecipeFlags flags;
    ReadOptions read;
    WriteOptions write;
    Switches switches;
};

/// The last word is the output folder unless -o names it.
fs::path take_output_folder(const BatchOptions& o, std::vector<std::string>& words) {
    constexpr auto kUsageHint = "kernelglass batch IN... OUT_DIR, or -o OUT_DIR";
    if (o.out ? o.out->empty() : words.empty() || (words.size() == 1 && o.list.empty()))
        throw Error(std::string("the folder to write into is missing: ") + kUsageHint);
    fs::path out = o.out.value_or("");
    if (!o.out) {
        out = words.back();
        words.pop_back();
    }
    std::error_code ignored;
    const bool exists = fs::exists(fs::symlink_status(out, ignored));
    if (!o.out && !exists && is_step(out.string()))
        throw Error(in_quotes(out.string()) + " is a step; write -f " + out.string());
    if (exists && !fs::is_directory(out, ignored))
        throw Error(quoted(out) + " is not a folder; the last word is the one to write into: " + kUsageHint);
    if (words.empty() && o.list.empty()) throw Error(std::string("there is nothing to read: ") + kUsageHint);
    return out;
}

std::vector<std::string> listed_names(const BatchOptions& o) {
    constexpr auto kOf = "a list of names";
    const ReadLimits limits{.of = kOf, .of_file = kOf};
    if (o.list.empty()) return {};
    return batch::split_names(o.list == kStandardStream
                                  ? read_descriptor(STDIN_FILENO, input_name(o.list), limits)
                                  : read_file(o.list, limits),
                              o.zero_bytes);
}

batch::JobWish job_wish(const BatchOptions& o, std::vector<std::string> words, const fs::path& out,
                        const Recipe& recipe) {
    batch::JobWish wish{.inputs = {std::move(words), listed_names(o), o.recursive, o.follow_links, out},
                        .recipe = recipe};
    wish.name = o.name;
    wish.on_exists = o.on_exists;
    wish.redo = o.redo;
    wish.shard = o.shard;
    wish.algorithm = o.flags.algorithm;
    wish.read = o.read;
    wish.write = o.write;
    wish.pictures = o.pictures;
    wish.threads = o.flags.threads;
    wish.in_flight = o.in_flight;
    wish.most_errors = o.fail_fast ? 1 : o.max_errors;
    return wish;
}

int run_merge(const BatchOptions& o) {
    std::vector<std::string> words(o.words.begin() + 1, o.words.end());
    const auto out = take_output_folder(o, words);
    if (!o.flags.recipe().steps.empty())
        throw Error("merge filters nothing, it brings journals together; leave the steps out");
    return merge_batches(words, out, o.switches);
}

int run_batch(const BatchOptions& o) {
    if (is_merge(o.words)) return run_merge(o);
    const auto asked = BatchReporter::Clock::now();
    auto words = o.words;
    const auto out = take_output_folder(o, words);
    auto streams = o.flags.files();
    if (!o.list.empty()) streams.push_back(o.list);
    refuse_shared_stream(streams);
    const auto recipe = o.flags.recipe();
    auto notes = o.flags.notes(recipe);
    for (const auto& note : brightness_notes(recipe)) notes.push_back(note);
    for (const auto& note : notes) o.switches.note(note);
    if (recipe.steps.empty()) o.switches.note("no steps are given, so the pictures are only converted");

    const EngineStart engines(o.flags.engine_wish());
    auto job = batch::find_job(job_wish(o, std::move(words), out, recipe));
    auto& tasks = job.tasks;
    if (tasks.empty()) {
        for (const auto& each : job.missing) o.switches.warning(each.reason);
        const auto skipped = batch::skipped_text(job.skipped, true);
        throw Error("there is no picture to filter" + (skipped.empty() ? "" : "; skipped: " + skipped));
    }
    if (!engines.is_gpu()) engines.get(); // or says why there is none
    batch::decide_job(job, !o.dry_run);
    if (job.damaged_lines > 0)
        o.switches.detail("the journal has " + counted(job.damaged_lines, "line") +
                          " that are torn or of another version; they are not counted on");
    std::uint64_t bytes_of_all = 0;
    for (const auto& task : tasks) bytes_of_all += task.input.bytes;
    const auto all = tasks.size();
    if (o.sample) tasks = batch::sample_of(std::move(tasks), *o.sample);

    BatchReporter reporter(o.switches, o.json_lines, tasks, asked);
    std::optional<Interrupts> interrupts;
    if (!o.dry_run) interrupts.emplace();
    const auto get_ready = [&](batch::RunWish& run) {
        const auto& [choice, further] = engines.get();
        if (!choice.notice.empty()) o.switches.detail(choice.notice);
        const bool is_over = o.dry_run || interrupts->received(); // while the engine started
        if (!is_over) batch::open_job(job);
        job.run.choice = run.choice = choice;
        run.further = further;
        run.journal = job.journal.get();
        run.failures = job.failures.get();
        reporter.settle(tasks, job.missing, out);
    };
    if (engines.is_gpu() && !o.dry_run) job.run.get_ready = get_ready;
    else get_ready(job.run);
    batch::RunResult result;
    std::set<const Task*> begun;
    Json document;
    int exit_code = kDone;
    if (o.dry_run) {
        for (const auto& task : tasks) {
            if (task.state != Task::State::wanted) continue;
            reporter.row(batch_row(task, "planned"));
            if (!o.switches.json && !o.json_lines)
                std::cout << safe_name(task.input.path) << " -> " << safe_name(out / task.output) << '\n';
        }
    } else {
        job.run.give_up = interrupts->token();
        result = batch::run_tasks(tasks, job.run, interrupts->token(), [&](const batch::FileResult& each) {
            begun.insert(each.task);
            reporter.take(each);
        });
        if (interrupts->received()) exit_code = interrupts->exit_code();
        interrupts.reset();
    }
    reporter.end();
    auto& counts = reporter.counts;
    if (result.stopped)
        for (const auto& task : tasks)
            if (task.state == Task::State::wanted && !begun.contains(&task)) {
                ++counts.not_begun;
                reporter.row(batch_row(task, "not_begun"));
            }
    for (const auto& [note, count] : counts.notes)
        o.switches.note(note + " (" + counted(count, "picture") + ")");

    document = reporter.document(job, result.stopped, notes);
    auto& report = o.json_lines ? std::cerr : std::cout;
    std::string summary;
    if (o.dry_run) {
        const auto forecast = batch::forecast(tasks, job.run);
        add_forecast(document, forecast);
        summary = reporter.summary(job, forecast);
        if (const auto short_of = disk_note(forecast, out); !short_of.empty()) o.switches.warning(short_of);
    } else {
        batch::keep_speed(job.run, counts);
        summary = reporter.summary(job);
    }
    if (o.switches.json) std::cout << document_text(document);
    else if (!o.switches.quiet) report << summary;
    if (o.sample && !o.dry_run && counts.done > 0 && tasks.size() < all) {
        const auto whole = batch::predicted(counts, bytes_of_all);
        o.switches.note("all " + counted(all, "picture") + " would take about " +
                        duration_text(whole.seconds) + " and " +
                        memory_text(static_cast<std::size_t>(whole.bytes)));
    }
    if (result.stopped) o.switches.note("stopped; the same line again goes on from here");
    return exit_code != kDone ? exit_code : counts.failed > 0 ? kSomeFailed : kDone;
}

batch::OnExists parse_on_exists(const std::string& word) {
    constexpr std::array<std::string_view, 4> kWords{"fail", "skip", "overwrite", "rename"};
    const auto found = std::ranges::find(kWords, word);
    if (found == kWords.end())
        throw Error("--on-exists is one of " + listed(kWords) + ", not " + in_quotes(word) +
                    suggestion(word, kWords));
    return static_cast<batch::OnExists>(found - kWords.begin());
}

batch::Shard parse_shard(const std::string& text) {
    const auto slash = text.find('/');
    batch::Shard shard;
    const auto number = [&](std::size_t begin, std::size_t end, std::uint64_t& value) {
        const auto [after, error] = std::from_chars(text.data() + begin, text.data() + end, value);
        return error == std::errc{} && after == text.data() + end;
    };
    if (slash == std::string::npos || !number(0, slash, shard.number) ||
        !number(slash + 1, text.size(), shard.of) || shard.number < 1 || shard.number > shard.of)
        throw Error("--shard is written 2/4, the second of four, not " + in_quotes(text));
    return shard;
}

void add_file_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o) {
    constexpr auto kFiles = "Files";
    add_value(app, "-o,--output", "DIR", "Folder to write into; all words are inputs then",
              [o](const std::string& folder) { o->out = folder; })
        ->group(kFiles);
    app.add_flag("-r,--recursive", o->recursive,
                 "Folders within folders, too; their tree is made again in OUT_DIR")
        ->group(kFiles);
    app.add_flag("--follow-links", o->follow_links, "Links inside folders, too")->group(kFiles);
    add_value(app, "--files-from", "FILE",
              "Read names of pictures and folders, one a line; - is standard input",
              [o](const std::string& file) { o->list = file; })
        ->group(kFiles);
    app.add_flag("-0,--null", o->zero_bytes,
                 "Names in that list end in zero bytes, as find -print0 writes them")
        ->group(kFiles);
    add_value(
        app, "--name", "TEMPLATE",
        "What outputs are called: {dir} path below the folder, {stem}, {ext}, {recipe}, {index} (default: "
        "{dir}/{stem}{ext})",
        [o](const std::string& name) { o->name = name; })
        ->group(kFiles);
    add_value(app, "--on-exists", "fail|skip|overwrite|rename",
              "What to do where an output exists that this job did not make (default: fail)",
              [o](const std::string& word) { o->on_exists = parse_on_exists(word); })
        ->group(kFiles);
    add_value(app, "--format", "FORMAT", "Format to write (default: each as its input)",
              [o](const std::string& word) {
                  format_of(word); // knows it, or says which there are
                  o->write.format = word;
              })
        ->group(kFiles);
    add_integer(app, "--quality", "Quality of a JPEG (default: 95)", 1, 100, [o](std::int64_t n) {
        o->write.jpeg_quality = static_cast<int>(n);
    })->group(kFiles);
    add_metadata_flags(app, o->write);
    add_page_flag(app, o->read);
    add_max_pixels_flag(app, o->read);
}

void add_work_flags(CLI::App& app, const std::shared_ptr<BatchOptions>& o) {
    constexpr auto kWork = "Work";
    constexpr int kMostPictures = 256;
    constexpr std::int64_t kMany = std::int64_t{1} << 40;
    add_integer(app, "-j,--jobs", "Pictures at a time (default: as many as threads)", 1, kMostPictures,
                [o](std::int64_t n) { o->pictures = static_cast<int>(n); })
        ->group(kWork);
    add_size(
        app, "--in-flight",
        "Most memory for pictures on their way, such as 2G; one that needs more is done in bands of rows "
        "(default: a quarter of the memory)",
        [o](std::size_t bytes) { o->in_flight = bytes; })
        ->group(kWork);
    app.add_flag("--redo", o->redo, "Make again what is up to date")->group(kWork);
    app.add_flag("--dry-run", o->dry_run,
                 "Write nothing; say what would be made, and about how long it would take")
        ->group(kWork);
    add_integer(app, "--sample", "Only so many pictures, from all over the list", 1, kMany,
                [o](std::int64_t n) { o->sample = static_cast<std::size_t>(n); })
        ->group(kWork);
    app.add_flag("--fail-fast", o->fail_fast, "Begin no further picture once one has failed")->group(kWork);
    add_integer(app, "--max-errors", "Begin no further picture once so many have failed", 1, kMany,
                [o](std::int64_t n) { o->max_errors = static_cast<std::size_t>(n); })
        ->group(kWork);
    add_value(app, "--shard", "I/N", "Only the I-th of N parts of the pictures, the same ones everywhere",
              [o](const std::string& text) { o->shard = parse_shard(text); })
        ->group(kWork);
}

Action declare(CLI::App& app) {
    const auto o = std::make_shared<BatchOptions>();
    app.add_option("IN", o->words,
                   "Pictures, folders and globs; a file of that very name comes before a glob")
        ->type_name("FILE");
    app.add_option("OUT_DIR", o->unused_out, "Folder to write into, which is made if it does not exist")
        ->type_name("DIR");
    o->flags.add_to(app);
    add_file_flags(app, o);
    add_work_flags(app, o);
    o->switches.add_to(app);
    app.add_flag("--jsonl", o->json_lines, "A line of JSON for each file as it is done (docs/json.md)")
        ->group("Report");
    return [o] { return run_batch(*o); };
}

} // namespace

extern const Command kBatchCommand;
const Command kBatchCommand{
    "batch",
    "Filter many pictures into a folder",
    "Every picture becomes what filter makes of it, byte for byte. One that fails does not stop the others, "
    "and "
    "an input is never written to. In folders, hidden files, what is no picture and the output folder are "
    "skipped and counted; a file that is named and fails is an error.\n\n"
    "OUT_DIR/.kernelglass/journal.jsonl says which bytes each output has before the output gets its name. So "
    "the "
    "same line again makes what is missing or whose input has changed, whatever stopped it before, and does "
    "nothing where all is up to date. Ctrl+C finishes the pictures that are begun, but for one that is done "
    "in bands of rows, which "
    "is given up; a second one stops now. "
    "What fails is kept in OUT_DIR/.kernelglass/failures.log, too.\n\n"
    "`kernelglass batch merge JOURNAL_OR_OUT_DIR... OUT_DIR` (where nothing is called merge) follows shards "
    "that wrote to "
    "folders of their own: once their outputs are together in OUT_DIR, it takes over into its journal what "
    "is proven of "
    "them there, so that the whole job finds nothing to do.",
    {{"kernelglass batch photos soft -f gaussian:sigma=2", "a folder's pictures into another folder"},
     {"kernelglass batch -r photos edges -f sobel --format png -j 4",
      "with its folders, as PNG, four at a time"},
     {"kernelglass batch *.jpg small.png out -f sharpen --name '{stem}_{recipe}{ext}'",
      "files, with new names"},
     {"find . -name '*.jpg' -print0 | kernelglass batch --files-from - -0 -o out -f box",
      "names from a program"},
     {"kernelglass batch photos out -f unsharp --dry-run", "what would be done, and how long it would take"},
     {"kernelglass batch merge part1 part2 -o whole",
      "after the outputs of `--shard 1/2` and `--shard 2/2` were moved into whole"}},
    declare};

} // namespace kg
