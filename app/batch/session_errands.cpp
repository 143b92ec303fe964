// What a session does in its thread.

#include "app/batch/forecast.hpp"
#include "app/batch/session.hpp"
#include "app/document/thumbnail.hpp"
#include "core/error.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace kg::batch {

namespace {

constexpr std::int64_t kThumbnailSide = 256;
/// The work's numbers change for the window at most so often.
constexpr std::chrono::milliseconds kPace{200};

std::shared_ptr<const Image> thumbnail_of(const ConstImageView& picture) {
    return std::make_shared<const Image>(displayable(shrunken(picture, kThumbnailSide).view()));
}

std::string sentence_of(const std::exception& error) {
    return dynamic_cast<const std::bad_alloc*>(&error) ? "There is not enough memory." : error.what();
}

bool is_wanted(const Task& task) { return task.state == Task::State::wanted; }

} // namespace

JobWish Session::wish_for(const Order& order) const {
    JobWish wish{.inputs = {}, .recipe = order.recipe};
    for (const auto& input : order.inputs) wish.inputs.names.push_back(input.string());
    wish.inputs.recursive = order.recursive;
    wish.inputs.out = order.out;
    wish.on_exists = order.on_exists;
    wish.algorithm = order.algorithm;
    wish.read = setup_.read;
    wish.write.format = order.format;
    // Left out where it is the default: the same job as that of a line without --quality.
    if (order.quality != Order::kDefaultQuality) wish.write.jpeg_quality = order.quality;
    wish.threads = setup_.threads;
    return wish;
}

/// What there is to do, which is shown, too.
Job Session::decided_job(const Order& order, bool writes) {
    Scan scan;
    try {
        auto job = find_job(wish_for(order));
        scan.pictures = job.tasks.size();
        scan.skipped = skipped_text(job.skipped, false);
        scan.missing = job.missing;
        if (job.tasks.empty())
            throw Error("There is no picture to filter" +
                        (scan.skipped.empty() ? "." : "; skipped: " + scan.skipped + "."));
        scan.first = job.tasks.front().input.path;
        decide_job(job, writes);
        if (writes) open_job(job);
        Counts counts;
        counts.add(job.tasks);
        scan.wanted = static_cast<std::size_t>(std::ranges::count_if(job.tasks, is_wanted));
        scan.up_to_date = counts.up_to_date;
        scan.kept = counts.kept;
        scan.refused = counts.failed;
        scan.bytes = wanted_bytes(job.tasks);
        show(std::move(scan));
        return job;
    } catch (const std::exception& error) {
        scan.failure = sentence_of(error);
        show(std::move(scan));
        throw;
    }
}

void Session::do_scan(const Order& order) {
    try {
        decided_job(order, false);
    } catch (const std::exception&) { // the scan says it
    }
}

void Session::do_rehearse(const Order& order, const EngineChoice& choice, std::size_t most,
                          const std::stop_token& stop) {
    Trial trial{.busy = true, .order = order};
    const auto began = Clock::now();
    try {
        auto job = decided_job(order, false);
        std::vector<Task> some;
        std::ranges::copy_if(job.tasks, std::back_inserter(some), is_wanted);
        if (some.empty()) some = job.tasks; // all is done already: that can be looked at, too
        some = sample_of(std::move(some), most);
        for (auto& task : some) {
            task.state = Task::State::wanted;
            trial.pictures.push_back({task.input.path, order.out / task.output});
        }
        show(trial);
        wake();
        std::mutex mutex;
        const auto place = [&](const Task& task) -> Tried& {
            return trial.pictures[static_cast<std::size_t>(&task - some.data())];
        };
        job.run.choice = choice;
        job.run.look = [&](const Task& task, const ConstImageView& before, const ConstImageView& after) {
            const auto small_before = thumbnail_of(before), small_after = thumbnail_of(after);
            const std::lock_guard lock(mutex);
            auto& tried = place(task);
            tried.before = small_before;
            tried.after = small_after;
        };
        Counts counts;
        run_tasks(some, job.run, stop, [&](const FileResult& result) {
            const std::lock_guard lock(mutex);
            counts.add(result);
            auto& tried = place(*result.task);
            tried.done = true;
            tried.failure = result.error;
            if (result.clipping) tried.clipped = clipped_part(result.clipping);
            show(trial);
            wake();
        });
        trial.all = predicted(counts, std::chrono::duration<double>(Clock::now() - began).count(),
                              wanted_bytes(job.tasks));
    } catch (const std::exception& error) {
        trial.failure = sentence_of(error);
    }
    trial.busy = false;
    show(std::move(trial));
}

void Session::do_work(const Order& order, const EngineChoice& choice, const std::stop_token& stop) {
    Work work{.state = Work::State::running, .order = order};
    Findings findings(order.out);
    std::string skipped, failures;
    try {
        auto job = decided_job(order, true);
        skipped = skipped_text(job.skipped, false);
        work.all = static_cast<std::size_t>(std::ranges::count_if(job.tasks, is_wanted));
        work.bytes_all = wanted_bytes(job.tasks);
        work.counts.add(job.tasks);
        work.counts.failed += job.missing.size();
        for (const auto& missing : job.missing) findings.add_failure(missing.name, missing.reason);
        for (const auto& task : job.tasks)
            if (task.state == Task::State::refused)
                findings.add_failure(task.input.path,
                                     quoted(order.out / task.name) +
                                         " exists already and was left alone; \"If it exists\" says what to "
                                         "do about such files");
        work.findings = findings.all();
        show(work);
        wake();
        auto shown = Clock::now();
        job.run.choice = choice;
        job.run.pause = &pause_;
        const auto result = run_tasks(job.tasks, job.run, stop, [&](const FileResult& file) {
            findings.add(file);
            work.counts.add(file);
            ++work.settled;
            work.bytes_settled += file.task->input.bytes;
            if (Clock::now() - shown < kPace) return;
            shown = Clock::now();
            work.limit = limit_of(work.counts);
            work.findings = findings.all();
            show(work);
        });
        if (result.stopped) work.counts.not_begun = work.all - work.settled;
        failures = failures_text(job.failures.get());
        keep_speed(job.run, work.counts);
    } catch (const std::exception& error) {
        work.failure = sentence_of(error);
    }
    work.limit = limit_of(work.counts);
    work.findings = findings.all();
    work.state = Work::State::finished;
    work.seconds = seconds();
    work.summary = work.failure.empty()
                       ? summary_text(work.counts, work.seconds, skipped, failures, order.out)
                       : work.failure;
    show(std::move(work));
}

} // namespace kg::batch
