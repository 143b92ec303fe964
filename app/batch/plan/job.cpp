#include "app/batch/plan/job.hpp"

#include "app/process/hash.hpp"
#include "app/process/memory_need.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace kg::batch {

namespace {

/// All that decides about the bytes of an output beside its input.
std::string hash_of_job(const JobWish& wish) {
    const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : std::string(); };
    const auto& write = wish.write;
    return hash_of("kernelglass-batch/1\n" + to_json(wish.recipe) + "\nformat " + write.format +
                   "\nquality " + number(write.jpeg_quality) + "\npage " + std::to_string(wish.read.page) +
                   "\nalgorithm " + wish.algorithm + (write.strip ? "\nstrip" : "") +
                   (write.no_recipe ? "\nno recipe" : ""));
}

int pictures_at_a_time(const JobWish& wish) {
    if (wish.pictures > 0) return wish.pictures;
    if (wish.threads > 0) return wish.threads;
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

/// A quarter of the memory for pictures on their way.
void set_memory(RunWish& run, std::size_t in_flight) {
    constexpr std::size_t kMost = std::size_t{4} << 30;
    run.bytes_in_flight = in_flight > 0 ? in_flight : std::min(kMost, memory_of_machine() / 4);
    run.largest_picture = in_flight > 0 ? in_flight : most_for_one_picture();
}

/// "2-of-4"; empty for the whole.
std::string name_of(const Shard& shard) {
    return shard.of == 1 ? "" : std::to_string(shard.number) + "-of-" + std::to_string(shard.of);
}

} // namespace

Job find_job(const JobWish& wish) {
    const auto& out = wish.inputs.out;
    Job job{.plan = {out, NameTemplate(wish.name), wish.write.format, short_name(wish.recipe),
                     hash_of_job(wish), wish.on_exists, wish.redo, wish.shard, wish.inputs.stop},
            .run = {}};
    auto& run = job.run;
    run.recipe = wish.recipe;
    run.algorithm = wish.algorithm;
    run.read = wish.read;
    run.write = wish.write;
    run.out = out;
    run.job = job.plan.job;
    run.pictures = pictures_at_a_time(wish);
    run.most_errors = wish.most_errors;
    set_memory(run, wish.in_flight);

    auto found = find_inputs(wish.inputs);
    job.tasks = name_tasks(std::move(found.files), job.plan);
    job.missing = std::move(found.missing);
    job.skipped = found.skipped;
    return job;
}

void decide_job(Job& job, bool writes) {
    const auto& out = job.plan.out;
    const auto shard = name_of(job.plan.shard);
    std::error_code none;
    if (writes && std::filesystem::exists(journal_file(out, shard), none))
        job.journal = std::make_unique<Journal>(out, shard);
    const auto record = JournalRecord::read(out);
    job.damaged_lines = record.damaged_lines();
    decide_tasks(job.tasks, job.plan, record);
}

void open_job(Job& job) {
    const auto& out = job.plan.out;
    const auto shard = name_of(job.plan.shard);
    if (!job.journal) job.journal = std::make_unique<Journal>(out, shard);
    job.failures = std::make_unique<FailureLog>(failures_file(out, shard),
                                                "batch with " + to_text(job.run.recipe));
    job.run.journal = job.journal.get();
    job.run.failures = job.failures.get();
    for (const auto& each : job.missing) job.failures->add(each.name, each.reason);
    for (const auto& task : job.tasks)
        if (task.state == Task::State::refused)
            job.failures->add(task.input.path, quoted(out / task.name) + " exists already");
}

std::uint64_t wanted_bytes(std::span<const Task> tasks) {
    std::uint64_t bytes = 0;
    for (const auto& task : tasks)
        if (task.state == Task::State::wanted) bytes += task.input.bytes;
    return bytes;
}

} // namespace kg::batch
