#include "app/batch/run/job.hpp"

#include "app/process/file/hash.hpp"
#include "app/process/file/memory_need.hpp"
#include "filters/recipe_file.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace kg::batch {

namespace {

/// Hash of everything that determines the bytes of an output, except its input.
std::string hash_of_job(const BatchJobOptions& options) {
    const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : std::string(); };
    const auto& write = options.write;
    return hash_of("kernelglass-batch/1\n" + to_json(options.recipe) + "\nformat " + write.format +
                   "\nquality " + number(write.jpeg_quality) + "\npage " + std::to_string(options.read.page) +
                   "\nalgorithm " + options.algorithm + (write.strip ? "\nstrip" : "") +
                   (write.no_recipe ? "\nno recipe" : ""));
}

int images_at_a_time(const BatchJobOptions& options) {
    if (options.images > 0) return options.images;
    if (options.threads > 0) return options.threads;
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void set_memory(RunOptions& run, std::size_t in_flight) {
    run.bytes_in_flight = in_flight > 0 ? in_flight : default_in_flight(memory_of_machine(), run.images);
    run.largest_image = in_flight > 0 ? in_flight : most_for_one_image();
}

/// "2-of-4"; empty for a job without shards.
std::string name_of(const Shard& shard) {
    return shard.of == 1 ? "" : std::to_string(shard.number) + "-of-" + std::to_string(shard.of);
}

} // namespace

std::size_t default_in_flight(std::size_t memory, int images) {
    constexpr std::size_t kLeast = std::size_t{4} << 30, kForAnImage = std::size_t{1} << 30;
    return std::min(memory / 4, std::max(kLeast, kForAnImage * static_cast<std::size_t>(images)));
}

BatchJob find_job(const BatchJobOptions& options) {
    const auto& out = options.inputs.out;
    BatchJob job{.plan = {out, NameTemplate(options.name), options.write.format, short_name(options.recipe),
                          hash_of_job(options), options.on_exists, options.redo, options.shard,
                          options.inputs.stop},
                 .run = {}};
    auto& run = job.run;
    static_cast<JobOptions&>(run) = options;
    run.out = out;
    run.job = job.plan.job;
    run.images = images_at_a_time(options);
    run.most_errors = options.most_errors;
    set_memory(run, options.in_flight);

    auto found = find_inputs(options.inputs);
    job.tasks = name_tasks(std::move(found.files), job.plan);
    job.missing = std::move(found.missing);
    job.skipped = found.skipped;
    return job;
}

void decide_job(BatchJob& job, bool writes) {
    const auto& out = job.plan.out;
    const auto shard = name_of(job.plan.shard);
    std::error_code none;
    if (writes && std::filesystem::exists(journal_file(out, shard), none))
        job.journal = std::make_unique<Journal>(out, shard);
    const auto record = JournalRecord::read(out);
    job.damaged_lines = record.damaged_lines();
    decide_tasks(job.tasks, job.plan, record);
}

void open_job(BatchJob& job) {
    const auto& out = job.plan.out;
    const auto shard = name_of(job.plan.shard);
    if (!job.journal) job.journal = std::make_unique<Journal>(out, shard);
    job.failures = std::make_unique<FailureLog>(failures_file(out, shard),
                                                "batch with " + to_text(job.run.recipe));
    job.run.journal = job.journal.get();
    job.run.failures = job.failures.get();
    for (const auto& each : job.missing) job.failures->add(each.name, each.reason.what());
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
