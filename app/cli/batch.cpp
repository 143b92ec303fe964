// kernelglass batch IN... OUT_DIR: applies a recipe to many images.

#include "app/batch/plan/name_list.hpp"
#include "app/batch/run/job.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flags/batch_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/jobs/batch_estimate.hpp"
#include "app/cli/jobs/batch_merge.hpp"
#include "app/cli/jobs/batch_reporter.hpp"
#include "app/cli/terminal/interrupts.hpp"
#include "app/process/engine/engine_start.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include <unistd.h>

namespace kg {

namespace {

namespace fs = std::filesystem;
using batch::Task;

constexpr std::string_view kUsageHint = "kernelglass batch IN... OUT_DIR, or -o OUT_DIR",
                           kMergeHint =
                               "kernelglass batch merge JOURNAL_OR_OUT_DIR... OUT_DIR, or -o OUT_DIR";

/// Returns the folder of -o, or else removes the last word and returns it.
fs::path take_output_folder(const BatchOptions& o, std::vector<std::string>& words, std::string_view hint) {
    if (o.out ? o.out->empty() : words.empty() || (words.size() == 1 && o.list.empty()))
        throw Error("no-output-folder", "the output folder is missing: {}", hint);
    fs::path out = o.out.value_or("");
    if (!o.out) {
        out = words.back();
        words.pop_back();
    }
    std::error_code ignored;
    const bool exists = fs::exists(fs::symlink_status(out, ignored));
    if (!o.out && !exists && is_step(out.string()))
        throw Error("misplaced-step", "{} is a step; write -f {}", in_quotes(out.string()), out.string());
    if (exists && !fs::is_directory(out, ignored))
        throw Error("not-a-folder", "{} is not a folder; the last argument must be the output folder: {}",
                    quoted(out), hint);
    if (words.empty() && o.list.empty()) throw Error("no-inputs", "there are no inputs: {}", hint);
    return out;
}

std::string listed_names(const BatchOptions& o) {
    if (o.list.empty()) return {};
    batch::NameList names(o.zero_bytes);
    const auto add = [&](std::string_view bytes) { names.add(bytes); };
    if (o.list == kStandardStream) read_blocks(STDIN_FILENO, input_name(o.list), add);
    else read_blocks(o.list, add);
    return std::move(names).take();
}

batch::BatchJobOptions job_options(const BatchOptions& o, std::vector<std::string> words, const fs::path& out,
                                   const Recipe& recipe) {
    batch::BatchJobOptions options = o;
    options.inputs.words = std::move(words);
    options.inputs.names = listed_names(o);
    options.inputs.out = out;
    options.recipe = recipe;
    options.algorithm = o.flags.engine_options.algorithm;
    options.threads = o.flags.engine_options.threads;
    if (o.fail_fast) options.most_errors = 1;
    return options;
}

int merge(const BatchOptions& o, std::vector<std::string> words) {
    const auto out = take_output_folder(o, words, kMergeHint);
    return merge_batches(words, out, o.switches);
}

/// `merge` behind flags: those of `batch` are parsed then.
int run_merge(const BatchOptions& o) {
    if (!o.flags.recipe().steps.empty())
        throw Error("unexpected-flag", "batch merge combines journals and applies no filter; omit the steps");
    return merge(o, {o.inputs.words.begin() + 1, o.inputs.words.end()});
}

void check_streams(const BatchOptions& o) {
    auto streams = o.flags.files();
    if (!o.list.empty()) streams.push_back(o.list);
    refuse_shared_stream(streams);
}

/// Prints and returns the notes that do not depend on the images.
std::vector<std::string> print_first_notes(const BatchOptions& o, const Recipe& recipe) {
    auto notes = o.flags.notes(recipe);
    for (const auto& note : brightness_notes(recipe)) notes.push_back(note);
    for (const auto& note : notes) o.switches.note(note);
    if (recipe.steps.empty()) o.switches.note("no steps are given, so the images are only converted");
    return notes;
}

/// The job, decided. Throws Error if there is no image.
batch::BatchJob decided_job(const BatchOptions& o, const EngineStart& engines,
                            const batch::BatchJobOptions& options) {
    auto job = batch::find_job(options);
    if (job.tasks.empty()) {
        for (const auto& each : job.missing) print_error(each.reason);
        const auto skipped = batch::skipped_text(job.skipped, true);
        throw Error("no-images", "there is no image to filter{}",
                    skipped.empty() ? "" : "; skipped: " + skipped);
    }
    if (!engines.is_gpu()) engines.get(); // throws if there is none
    batch::decide_job(job, !o.dry_run);
    if (job.damaged_lines > 0)
        o.switches.detail("ignored " + counted(job.damaged_lines, "line") +
                          " of the journal: damaged or of another version");
    return job;
}

/// What the functions below work on.
struct Batch {
    const BatchOptions& o;
    const EngineStart& engines;
    const fs::path& out;
    batch::BatchJob& job;
    BatchReporter& reporter;
};

/// Gives the run its engines and its journal, and reports what is known. `interrupts` is null in a dry run,
/// which has no journal.
void get_ready(const Batch& work, batch::RunOptions& run, const Interrupts* interrupts) {
    auto& job = work.job;
    const auto& [choice, further] = work.engines.get();
    if (!choice.notice.empty()) work.o.switches.detail(choice.notice);
    const bool is_over = !interrupts || interrupts->received(); // the engine may take seconds to start
    if (!is_over) batch::open_job(job);
    job.run.choice = run.choice = choice;
    run.further = further;
    run.journal = job.journal.get();
    run.failures = job.failures.get();
    work.reporter.settle(job.tasks, job.missing, work.out);
}

void print_plan(const Batch& work) {
    const auto& o = work.o;
    for (const auto& task : work.job.tasks) {
        if (task.state != Task::State::wanted) continue;
        work.reporter.row(batch_row(task, "planned"));
        if (!o.switches.json && !o.json_lines)
            std::cout << safe_name(task.input.path) << " -> " << safe_name(work.out / task.output) << '\n';
    }
}

struct BatchEnd {
    bool stopped = false;
    int exit_code = kDone; ///< exit code of the signal that stopped the run, if one did
    std::set<const Task*> begun{};
};

/// Filters the images and reports each.
BatchEnd run_tasks(const Batch& work) {
    auto& job = work.job;
    Interrupts interrupts;
    const auto prepare = [&](batch::RunOptions& run) { get_ready(work, run, &interrupts); };
    if (work.engines.is_gpu()) job.run.get_ready = prepare;
    else prepare(job.run);
    job.run.cancel = interrupts.token();
    BatchEnd end;
    const auto result = batch::run_tasks(job.tasks, job.run, interrupts.token(),
                                         [&](const batch::FileResult& each) {
                                             end.begun.insert(each.task);
                                             work.reporter.take(each);
                                         });
    end.stopped = result.stopped;
    if (interrupts.received() && end.stopped) end.exit_code = interrupts.exit_code();
    return end;
}

void report_not_begun(const Batch& work, const BatchEnd& end) {
    if (!end.stopped) return;
    for (const auto& task : work.job.tasks)
        if (task.state == Task::State::wanted && !end.begun.contains(&task)) {
            ++work.reporter.counts.not_begun;
            work.reporter.row(batch_row(task, "not_begun"));
        }
}

/// Prints the document or the summary, with the estimate of a dry run.
void print_result(const Batch& work, bool stopped, const std::vector<std::string>& notes) {
    const auto& o = work.o;
    auto& job = work.job;
    auto& reporter = work.reporter;
    auto document = reporter.document(job, stopped, notes);
    std::string summary;
    if (o.dry_run) {
        const auto estimate = batch::estimate(job.tasks, job.run);
        add_estimate(document, estimate);
        summary = reporter.summary(job, estimate);
        if (const auto short_of = disk_note(estimate, work.out); !short_of.empty())
            o.switches.warning(short_of);
    } else {
        batch::keep_speed(job.run, reporter.counts);
        summary = reporter.summary(job);
    }
    if (o.switches.json) std::cout << document_text(document);
    else if (!o.switches.quiet) (o.json_lines ? std::cerr : std::cout) << summary;
}

/// The images of the whole job, from which --sample takes some.
struct Whole {
    std::size_t images = 0;
    std::uint64_t bytes = 0;
};

/// Predicts the whole job from a sample of it.
void report_prediction(const Batch& work, const Whole& whole) {
    const auto& counts = work.reporter.counts;
    if (!work.o.sample || work.o.dry_run || counts.done == 0 || work.job.tasks.size() >= whole.images) return;
    const auto predicted = batch::predicted(counts, whole.bytes);
    work.o.switches.note("all " + counted(whole.images, "image") + " would take about " +
                         duration_text(predicted.seconds) + " and " +
                         memory_text(static_cast<std::size_t>(predicted.bytes)));
}

int run_batch(const BatchOptions& o) {
    if (is_merge(o.inputs.words)) return run_merge(o);
    const auto asked = BatchReporter::Clock::now();
    auto words = o.inputs.words;
    const auto out = take_output_folder(o, words, kUsageHint);
    check_streams(o);
    const auto recipe = o.flags.recipe();
    const auto notes = print_first_notes(o, recipe);

    const EngineStart engines(o.flags.engine_options);
    auto job = decided_job(o, engines, job_options(o, std::move(words), out, recipe));
    Whole whole{job.tasks.size()};
    for (const auto& task : job.tasks) whole.bytes += task.input.bytes;
    if (o.sample) job.tasks = batch::sample_of(std::move(job.tasks), *o.sample);

    BatchReporter reporter(o.switches, o.json_lines, job.tasks, asked);
    const Batch work{o, engines, out, job, reporter};
    BatchEnd end;
    if (o.dry_run) {
        get_ready(work, job.run, nullptr);
        print_plan(work);
    } else {
        end = run_tasks(work);
    }
    reporter.end();
    report_not_begun(work, end);
    const auto& counts = reporter.counts;
    for (const auto& [note, count] : counts.notes)
        o.switches.note(note + " (" + counted(count, "image") + ")");
    print_result(work, end.stopped, notes);
    report_prediction(work, whole);
    if (end.stopped)
        o.switches.note(
            "stopped" +
            (end.exit_code == kDone ? " after " + counted(counts.failed, "failure") : std::string()) +
            "; run the same command again to resume");
    return end.exit_code != kDone ? end.exit_code : counts.failed > 0 ? kSomeFailed : kDone;
}

extern const Command kMergeSubcommand;
constexpr std::array kBatchSubcommands{
    Subcommand{"merge", "JOURNAL_OR_OUT_DIR... OUT_DIR",
               "Combine the journals of shards; a file named merge is filtered instead", &kMergeSubcommand}};

Action declare_batch(CLI::App& app) {
    const auto o = std::make_shared<BatchOptions>();
    add_batch_flags(app, o);
    return [o] { return run_batch(*o); };
}

Action declare_merge(CLI::App& app) {
    const auto o = std::make_shared<BatchOptions>();
    app.add_option("JOURNAL_OR_OUT_DIR", o->inputs.words,
                   "Journals, or output folders of shards, whose journals are all taken")
        ->type_name("FILE");
    app.add_option("OUT_DIR", o->unused_out, "Folder that contains the outputs")->type_name("DIR");
    add_value(app, "-o,--output", "DIR",
              "Folder that contains the outputs; all arguments are then journals or folders",
              [o](const std::string& folder) { o->out = folder; })
        ->group("Files");
    o->switches.add_to(app);
    return [o] { return merge(*o, o->inputs.words); };
}

} // namespace

extern const Command kBatchCommand;
const Command kBatchCommand{
    "batch",
    "Filter many images into a folder",
    "Each output equals that of `kernelglass filter`, byte for byte. An image that fails does not stop the "
    "others, and inputs are never modified. In folders, hidden files, files that are not images and the "
    "output folder are skipped and counted; a file named on the command line that fails is an error.\n\n"
    "The hash of each output is recorded in OUT_DIR/.kernelglass/journal.jsonl before the output gets its "
    "name. Running the same command again therefore writes only outputs that are missing or whose input has "
    "changed, whatever stopped the previous run. Ctrl+C finishes the images in flight, except one that is "
    "filtered in bands of rows, which is abandoned; a second Ctrl+C stops at once. Failures are also "
    "recorded in OUT_DIR/.kernelglass/failures.log.\n\n"
    "`batch merge` makes one journal of those of shards (`kernelglass batch merge --help`).",
    {{"kernelglass batch photos soft -f gaussian:sigma=2",
      "filter the images of a folder into another folder"},
     {"kernelglass batch -r photos edges -f sobel --format png -j 4",
      "include subfolders, write PNG, four images at a time"},
     {"kernelglass batch *.jpg small.png out -f sharpen --name '{stem}_{recipe}{ext}'",
      "filter files and name the outputs by a template"},
     {"find . -name '*.jpg' -print0 | kernelglass batch --files-from - -0 -o out -f box",
      "read the names from another program"},
     {"kernelglass batch photos out -f unsharp --dry-run", "list the outputs and estimate the time"},
     {"kernelglass batch -r photos soft -f gaussian:sigma=2 --shard auto",
      "in a Slurm job array: the share of this task"}},
    declare_batch,
    false,
    {},
    kBatchSubcommands};

namespace {

const Command kMergeSubcommand{
    "batch merge",
    "Combine the journals of shards",
    "`batch merge` makes one journal of those of shards, and reports outputs that are missing or have other "
    "bytes. Shards may have written to OUT_DIR itself, or to separate folders whose outputs are together in "
    "OUT_DIR now. The whole job then finds nothing to do but images that failed.\n\n"
    "Each line whose output has the bytes that it records is taken into the journal of OUT_DIR. The exit "
    "code is 1 if outputs are left out. A file or folder named merge is an input of `kernelglass batch` "
    "instead.",
    {{"kernelglass batch merge soft -o soft",
      "after all tasks of `kernelglass batch -r photos soft -f gaussian:sigma=2 --shard auto`"},
     {"kernelglass batch merge part1 part2 -o whole",
      "after moving the outputs of `--shard 1/2` and `--shard 2/2` into whole"}},
    declare_merge,
    false,
    "batch merge combines journals and applies no filter",
    {},
    nullptr,
    &kBatchCommand};

} // namespace

} // namespace kg
