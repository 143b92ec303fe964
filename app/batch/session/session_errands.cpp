// What a session does in its thread.

#include "app/batch/report/forecast.hpp"
#include "app/batch/session/session.hpp"
#include "app/process/thumbnail.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

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

/// So that what changes all the time is shown now and then.
class Pace {
public:
    bool due() {
        const auto now = std::chrono::steady_clock::now();
        if (now - shown_ < kPace) return false;
        shown_ = now;
        return true;
    }

private:
    std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

} // namespace

JobWish wish_for(const Order& order) {
    JobWish wish{.inputs = {}, .recipe = order.recipe};
    // Steps that are off have no part in the job: it is that of a line without them.
    std::erase_if(wish.recipe.steps, [](const Step& step) { return !step.enabled; });
    for (const auto& input : order.inputs) wish.inputs.names += input.string() + '\0';
    wish.inputs.recursive = order.recursive;
    wish.inputs.out = order.out;
    wish.on_exists = order.on_exists;
    wish.algorithm = order.algorithm;
    wish.write.format = order.format;
    // Left out where it says nothing or is the default: the same job as that of a line without --quality.
    if (order.has_quality() && order.quality != Order::kDefaultQuality)
        wish.write.jpeg_quality = order.quality;
    return wish;
}

/// What there is to do, which is shown, too.
Job Session::decided_job(const Order& order, bool writes, const std::stop_token& stop) {
    Scan scan;
    try {
        auto wish = wish_for(order);
        wish.read = setup_.read;
        wish.threads = setup_.threads;
        wish.inputs.stop = stop;
        wish.inputs.looked_at = [&, pace = Pace()](std::size_t count) mutable {
            if (pace.due()) show(Scan{.busy = true, .looked_at = count}, stop);
        };
        auto job = find_job(wish);
        show(Scan{.busy = true, .found = job.tasks.size()},
             stop); // which are there already is still to be seen
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
        show(std::move(scan), stop);
        job.run.in_background = true;
        return job;
    } catch (const Cancelled&) { // who stopped it says so
        throw;
    } catch (const std::exception& error) {
        scan.failure = sentence_of(error);
        show(std::move(scan), stop);
        throw;
    }
}

void Session::do_scan(const Order& order, const std::stop_token& stop) {
    try {
        decided_job(order, false, stop);
    } catch (const std::exception&) { // the scan says it
    }
}

void Session::do_rehearse(const Order& order, const EngineChoice& choice, std::size_t most,
                          const std::stop_token& stop) {
    Trial trial{.busy = true, .order = order};
    try {
        auto job = decided_job(order, false, stop);
        std::vector<Task> some;
        std::ranges::copy_if(job.tasks, std::back_inserter(some), is_wanted);
        if (some.empty()) some = job.tasks; // all is done already: that can be looked at, too
        some = sample_of(std::move(some), most);
        for (auto& task : some) {
            task.state = Task::State::wanted;
            trial.pictures.push_back({task.input.path, order.out / task.output});
        }
        show(trial, stop);
        wake();
        std::mutex mutex;
        const auto place = [&](const Task& task) -> Tried& {
            return trial.pictures[static_cast<std::size_t>(&task - some.data())];
        };
        job.run.choice = choice; // who takes turns with it has nothing to do with a few pictures
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
            show(trial, stop);
            wake();
        });
        trial.all = predicted(counts, wanted_bytes(job.tasks));
    } catch (const std::exception& error) {
        trial.failure = sentence_of(error);
    }
    trial.busy = false;
    show(std::move(trial), stop);
}

void Session::do_work(const Order& order, const EngineChoice& choice, const std::stop_token& stop) {
    Work work{.state = Work::State::running, .order = order};
    Findings findings(order.out);
    std::string skipped, failures;
    try {
        auto job = decided_job(order, true, stop);
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
                                         "do about such files",
                                     order.out / task.name);
            else if (task.state == Task::State::up_to_date)
                findings.add_done(task.input.path, order.out / task.output);
        work.findings = findings.all();
        work.usual = findings.usual();
        show(work);
        wake();
        Pace pace;
        job.run.choice = choice;
        if (setup_.further) job.run.further = setup_.further(choice);
        job.run.pause = &pause_;
        const auto result = run_tasks(job.tasks, job.run, stop, [&](const FileResult& file) {
            findings.add(file);
            work.counts.add(file);
            ++work.settled;
            work.bytes_settled += file.task->input.bytes;
            if (!pace.due()) return;
            work.limit = limit_of(work.counts);
            work.findings = findings.all();
            work.usual = findings.usual();
            show(work);
        });
        if (result.stopped) work.counts.not_begun = work.all - work.settled;
        failures = failures_text(job.failures.get());
        keep_speed(job.run, work.counts, result.share);
    } catch (const Cancelled&) { // before anything was begun
        work.failure = "Stopped before a picture was begun.";
    } catch (const std::exception& error) {
        work.failure = sentence_of(error);
    }
    work.limit = limit_of(work.counts);
    work.findings = findings.all();
    work.usual = findings.usual();
    work.done = std::make_shared<const std::vector<Finding>>(std::move(findings).done());
    work.why = why_failed(work.findings);
    work.state = Work::State::finished;
    work.seconds = seconds();
    work.summary = work.failure.empty()
                       ? summary_text(work.counts, work.seconds, skipped, failures, order.out)
                       : work.failure;
    show(std::move(work));
}

} // namespace kg::batch
