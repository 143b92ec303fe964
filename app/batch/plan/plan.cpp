#include "app/batch/plan/plan.hpp"

#include "app/process/file/hash.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <optional>
#include <set>
#include <utility>

#include <sys/stat.h>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;

std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return std::pair{status.st_dev, status.st_ino};
}

bool is_taken(const fs::path& path) { return file_stamp(path, false).has_value(); }

class Planner {
public:
    Planner(const PlanOptions& options, const JournalRecord& record, const std::vector<Task>& tasks)
        : options_(options), record_(record) {
        for (const auto& task : tasks) taken_.insert(task.name);
    }

    void decide(Task& task) {
        const auto& entries = record_.of(task.name);
        for (auto e = entries.rbegin(); e != entries.rend(); ++e) {
            const bool same_job = e->job == options_.job;
            if (!(same_job || options_.redo) || !is_verified(options_.out / e->output, e->out, false))
                continue;
            task.output = e->output; // made by this job, so a newer result may replace it
            task.may_replace = true;
            if (!options_.redo && is_verified(task.input.path, e->in, true))
                task.state = Task::State::up_to_date;
            return;
        }
        if (!is_taken(options_.out / task.name)) return;
        switch (options_.on_exists) {
        case OnExists::fail: task.state = Task::State::refused; break;
        case OnExists::skip: task.state = Task::State::kept; break;
        case OnExists::overwrite: task.may_replace = true; break;
        case OnExists::rename: task.output = free_name(task.name); break;
        }
    }

private:
    /// "photo-2.jpg" if photo.jpg exists.
    fs::path free_name(const fs::path& name) {
        for (std::size_t i = 2;; ++i) {
            auto other = name;
            other.replace_filename(name.stem().string() + "-" + std::to_string(i) +
                                   name.extension().string());
            if (!is_taken(options_.out / other) && taken_.insert(other).second) return other;
        }
    }

    const PlanOptions& options_;
    const JournalRecord& record_;
    std::set<fs::path> taken_;
};

void go_on(const PlanOptions& options) {
    if (options.stop.stop_requested()) throw Cancelled();
}

void refuse_replacing_inputs(const std::vector<Task>& tasks, const PlanOptions& options) {
    const auto& out = options.out;
    std::set<std::pair<dev_t, ino_t>> inputs;
    for (const auto& task : tasks) {
        go_on(options);
        if (const auto input = identity(task.input.path)) inputs.insert(*input);
    }
    for (const auto& task : tasks) {
        go_on(options);
        if (const auto output = identity(out / task.name); output && inputs.contains(*output))
            throw Error(
                "output-is-input",
                "the output {} is one of the inputs; choose another folder, or other names with --name",
                quoted(out / task.name));
    }
}

/// Resolves links, and ignores case because some file systems do.
bool is_in(const fs::path& folder, const fs::path& path) {
    const auto name = lower_case(folder.string());
    for (auto above = path; above.has_relative_path(); above = above.parent_path())
        if (lower_case(above.string()) == name) return true;
    return false;
}

void refuse_journals_folder(const std::vector<Task>& tasks, const PlanOptions& options) {
    std::error_code ignored;
    const auto journals = fs::weakly_canonical(journal_folder(options.out), ignored);
    std::set<fs::path> seen;
    for (const auto& task : tasks) {
        go_on(options);
        const auto folder = task.name.parent_path();
        if (!seen.insert(folder).second) continue;
        if (is_in(journals, fs::weakly_canonical(options.out / folder, ignored)))
            throw Error("output-in-journal-folder",
                        "the output {} would lie in the journal's folder; choose other names with --name",
                        quoted(options.out / task.name));
    }
}

} // namespace

std::vector<Task> name_tasks(std::vector<Input> inputs, const PlanOptions& options) {
    const auto names = output_names(inputs, options.name, options.format, options.recipe_name);
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto format = options.format.empty() ? names[i].extension().string() : options.format;
        tasks.push_back({std::move(inputs[i]), names[i], names[i], format});
    }
    refuse_replacing_inputs(tasks, options);
    refuse_journals_folder(tasks, options);
    return tasks;
}

void decide_tasks(std::vector<Task>& tasks, const PlanOptions& options, const JournalRecord& record) {
    Planner planner(options, record, tasks); // sees the names of all shards
    std::erase_if(tasks, [&](const Task& task) {
        const auto place = task.input.folder / task.input.path.filename();
        return short_hash_of(place.string()) % options.shard.of != options.shard.number - 1;
    });
    for (auto& task : tasks) {
        go_on(options);
        planner.decide(task);
    }
}

std::vector<Task> sample_of(std::vector<Task> tasks, std::size_t most) {
    if (tasks.size() <= most) return tasks;
    std::vector<Task> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(std::move(tasks[i * tasks.size() / most]));
    return some;
}

} // namespace kg::batch
