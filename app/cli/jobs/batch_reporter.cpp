#include "app/cli/jobs/batch_reporter.hpp"

#include "app/cli/terminal/error_log.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/quantity_text.hpp"
#include "filters/recipe_file.hpp"

#include <iostream>
#include <utility>

namespace kg {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using batch::Task;

/// One message about all existing files that have the name of an output: a folder may contain thousands.
std::string refused_text(std::span<const Task> tasks, const fs::path& out) {
    constexpr std::size_t kShown = 3;
    std::string names;
    std::size_t count = 0;
    for (const auto& task : tasks)
        if (task.state == Task::State::refused && ++count <= kShown)
            names += (names.empty() ? "" : ", ") + quoted(out / task.name);
    if (count == 0) return {};
    if (count > kShown) names += " and " + std::to_string(count - kShown) + " more";
    return names + (count == 1 ? " exists already and was" : " exist already and were") +
           " left alone; choose --on-exists skip, overwrite or rename for such files";
}

} // namespace

BatchReporter::BatchReporter(const Switches& switches, bool json_lines, std::span<const Task> tasks,
                             Clock::time_point asked)
    : switches_(switches), json_lines_(json_lines), bar_(!switches.quiet),
      all_bytes_(batch::wanted_bytes(tasks)), asked_(asked) {
    for (const auto& task : tasks) all_ += task.state == Task::State::wanted;
}

void BatchReporter::settle(std::span<const Task> tasks, const std::vector<batch::Missing>& missing,
                           const fs::path& out) {
    for (const auto& each : missing) {
        fail(each.reason);
        row(batch_row(each));
    }
    counts.failed += missing.size();
    counts.add(tasks);
    for (const auto& task : tasks) switch (task.state) {
        case Task::State::wanted: break;
        case Task::State::up_to_date: row(batch_row(task, "up_to_date")); break;
        case Task::State::kept: row(batch_row(task, "kept")); break;
        case Task::State::refused: {
            const Error error("file-exists", "{} exists already", quoted(out / task.name));
            row(batch_row(task, error));
            log_error(error);
            break;
        }
        }
    if (const auto refused = refused_text(tasks, out); !refused.empty()) print(refused);
    failed_before = counts.failed;
}

void BatchReporter::take(const batch::FileResult& result) {
    counts.add(result);
    row(batch_row(result));
    if (result.error) fail(*result.error);
    const auto name = quoted(result.task->input.path);
    if (!result.damage.empty()) print(name + ": " + result.damage);
    if (switches_.verbose)
        for (const auto& note : result.notes) bar_.clear(), switches_.detail(name + ": " + note);
    begun_bytes_ += result.task->input.bytes;
    const auto count = counts.done + counts.failed - failed_before;
    bar_.show(static_cast<double>(begun_bytes_), static_cast<double>(all_bytes_),
              std::to_string(count) + " of " + counted(all_, "image") + ", " +
                  batch::rate_text(count, seconds_since(began_)) + ", " + memory_text(counts.bytes_read) +
                  " read");
}

void BatchReporter::row(Json row) {
    if (json_lines_) {
        Json line{{"schema", "kernelglass-batch-file/1"}};
        line.update(row);
        bar_.clear();
        std::cout << document_line(line) << std::flush;
    }
    if (switches_.json) rows_.push_back(std::move(row));
}

void BatchReporter::fail(const Error& error) {
    bar_.clear();
    print_error(error);
}

void BatchReporter::print(const std::string& message) {
    bar_.clear();
    print_message(message);
}

void BatchReporter::end() {
    seconds = seconds_since(asked_);
    bar_.clear();
}

std::string BatchReporter::summary(const batch::BatchJob& job) const {
    return batch::summary_text(counts, seconds, batch::skipped_text(job.skipped, true),
                               batch::failures_text(job.failures.get()), job.plan.out) +
           "\n";
}

std::string BatchReporter::summary(const batch::BatchJob& job, const batch::Estimate& estimate) const {
    return batch::plan_text(counts, batch::estimate_text(estimate), batch::skipped_text(job.skipped, true)) +
           "\n";
}

Json BatchReporter::document(const batch::BatchJob& job, bool stopped,
                             const std::vector<std::string>& notes) {
    const auto& skipped = job.skipped;
    const bool has_log = job.failures && job.failures->has_lines();
    const auto& c = counts;
    const auto limit = limit_of(c);
    const auto use = in_use(c);
    return {{"schema", "kernelglass-batch/2"},
            {"output", job.plan.out.string()},
            {"recipe", to_text(job.run.recipe)},
            {"engine", c.engine},
            {"done", c.done},
            {"up_to_date", c.up_to_date},
            {"kept", c.kept},
            {"failed", c.failed},
            {"not_begun", c.not_begun},
            {"damaged", c.damaged},
            {"clipped", c.clipped},
            {"not_finite", c.not_finite},
            {"stopped", stopped},
            {"skipped",
             {{"hidden", skipped.hidden},
              {"not_images", skipped.not_images},
              {"links", skipped.links},
              {"folders", skipped.folders},
              {"output_folders", skipped.output_folders},
              {"loops", skipped.loops}}},
            {"seconds", seconds},
            {"bytes_read", c.bytes_read},
            {"bytes_written", c.bytes_written},
            {"stages",
             {{"read", c.stages.read},
              {"decode", c.stages.decode},
              {"filter", c.stages.filter},
              {"encode", c.stages.encode},
              {"write", c.stages.write},
              {"wait", c.stages.wait}}},
            {"in_use",
             {{"threads", use.threads},
              {"reading", use.reading},
              {"gpu", use.device},
              {"writing", use.writing},
              {"memory", use.memory},
              {"start", use.start}}},
            {"limited_by", limit.stage},
            {"limited_by_part", limit.fraction},
            {"failures_log", has_log ? job.failures->path().string() : ""},
            {"notes", notes},
            {"files", std::move(rows_)}};
}

} // namespace kg
