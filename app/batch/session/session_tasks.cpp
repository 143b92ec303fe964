// The tasks of a session's thread.

#include "app/batch/report/estimate.hpp"
#include "app/batch/session/session.hpp"
#include "app/process/image/thumbnail.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace kg::batch {

namespace {

constexpr std::int64_t kThumbnailSide = 256;
/// Interval between updates of the work's numbers for the window.
constexpr std::chrono::milliseconds kPace{200};

/// The colours are those that the view shows: by the profile of the image that the pixels were made of.
std::shared_ptr<const Image> thumbnail_of(const ConstImageView& pixels, const LoadedImage& of) {
    return std::make_shared<const Image>(displayable(shrunken(pixels, kThumbnailSide), of));
}

std::shared_ptr<const Image> thumbnail_of(const LoadedImage& image) {
    auto pixels = image.pixels.view();
    pixels.format.linear = image.linear;
    return thumbnail_of(pixels, image);
}

Error error_of(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error)) return {"out-of-memory", "There is not enough memory."};
    return as_error(error);
}

bool is_wanted(const Task& task) { return task.state == Task::State::wanted; }

/// Sets what follows from the counts and the findings.
void update(BatchProgress& work, const Findings& findings) {
    work.limit = limit_of(work.counts);
    work.findings = findings.all();
    work.usual = findings.usual();
}

/// Adds what is known before the first image: missing inputs and existing outputs.
void begin(BatchProgress& work, Findings& findings, const BatchJob& job) {
    const auto& out = work.settings.out;
    work.all = static_cast<std::size_t>(std::ranges::count_if(job.tasks, is_wanted));
    work.bytes_all = wanted_bytes(job.tasks);
    work.counts.add(job.tasks);
    work.counts.failed += job.missing.size();
    for (const auto& missing : job.missing) findings.add_failure(missing.name, missing.reason);
    for (const auto& task : job.tasks)
        if (task.state == Task::State::refused)
            findings.add_failure(task.input.path,
                                 {"file-exists",
                                  "{} exists already and was left alone; \"If it exists\" decides what to "
                                  "do about such files",
                                  quoted(out / task.name)},
                                 out / task.name);
        else if (task.state == Task::State::up_to_date) findings.add_done(task.input.path, out / task.output);
    update(work, findings);
}

/// Limits how often fast-changing values are shown.
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

BatchJobOptions options_for(const BatchSettings& settings) {
    BatchJobOptions options;
    options.recipe = settings.recipe;
    // Disabled steps are not part of the job: it equals that of a command without them.
    std::erase_if(options.recipe.steps, [](const Step& step) { return !step.enabled; });
    for (const auto& input : settings.inputs) options.inputs.names += input.string() + '\0';
    options.inputs.recursive = settings.recursive;
    options.inputs.out = settings.out;
    options.on_exists = settings.on_exists;
    options.algorithm = settings.algorithm;
    options.write.format = settings.format;
    // Omitted if it has no effect or is the default: the job equals that of a command without --quality.
    if (settings.has_quality() && settings.quality != BatchSettings::kDefaultQuality)
        options.write.jpeg_quality = settings.quality;
    return options;
}

/// Decides the job and shows the result as a scan.
BatchJob Session::decided_job(const BatchSettings& settings, bool writes, const std::stop_token& stop) {
    Scan scan;
    try {
        auto options = options_for(settings);
        options.read = setup_.read;
        options.threads = setup_.threads;
        options.inputs.stop = stop;
        options.inputs.looked_at = [&, pace = Pace()](std::size_t count) mutable {
            if (pace.due()) show(Scan{.busy = true, .looked_at = count}, stop);
        };
        auto job = find_job(options);
        // The tasks that are up to date are not known yet.
        show(Scan{.busy = true, .found = job.tasks.size()}, stop);
        scan.images = job.tasks.size();
        scan.skipped = skipped_text(job.skipped, false);
        scan.missing = job.missing;
        if (job.tasks.empty()) {
            const auto skipped = scan.skipped.empty() ? "" : "; skipped: " + scan.skipped;
            throw Error("no-images", "There is no image to filter{}.", skipped);
        }
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
        scan.sample = begun_sample(job.tasks);
        show(std::move(scan), stop);
        job.run.in_background = true;
        return job;
    } catch (const Cancelled&) { // whoever stopped it reports it
        throw;
    } catch (const std::exception& error) {
        scan.failure = error_of(error);
        show(std::move(scan), stop);
        throw;
    }
}

void Session::do_scan(const BatchSettings& settings, const std::stop_token& stop) {
    try {
        decided_job(settings, false, stop);
        wake(); // the numbers are complete; the thumbnails come one by one
        read_sample(stop);
    } catch (const std::exception&) { // the scan reports it
    }
}

/// Inputs that an earlier scan has read, and that have not changed since, are not read again.
std::vector<SampledInput> Session::begun_sample(const std::vector<Task>& tasks) const {
    std::vector<SampledInput> sample;
    for (const auto& task : sample_of(tasks, kSampledInputs)) {
        const auto& path = task.input.path;
        const auto known = std::ranges::find(sampled_, path, &SampledInput::input);
        const bool same = known != sampled_.end() && known->stamp && known->stamp == file_stamp(path);
        sample.push_back(same ? *known : SampledInput{.input = path});
    }
    return sample;
}

/// Reads the inputs of the scan's sample; shows each at once.
void Session::read_sample(const std::stop_token& stop) {
    auto scan = *this->scan();
    for (auto& sampled : scan.sample) {
        if (stop.stop_requested()) return;
        if (sampled.stamp) continue;
        sampled.stamp = file_stamp(sampled.input);
        try {
            const auto image = read_image(sampled.input, setup_.read);
            sampled.thumbnail = thumbnail_of(image);
            sampled.damage = image.damage;
            sampled.not_finite = has_not_finite(image.pixels.view());
        } catch (const std::exception& error) {
            sampled.failure = error_of(error);
        }
        sampled_ = scan.sample;
        show(scan, stop);
        wake();
    }
}

void Session::do_dry_run(const BatchSettings& settings, const EngineChoice& choice, std::size_t most,
                         const std::stop_token& stop) {
    BatchPreview preview{.busy = true, .settings = settings};
    try {
        auto job = decided_job(settings, false, stop);
        std::vector<Task> some;
        std::ranges::copy_if(job.tasks, std::back_inserter(some), is_wanted);
        if (some.empty()) some = job.tasks; // everything is done already: it can be sampled, too
        some = sample_of(std::move(some), most);
        for (auto& task : some) {
            task.state = Task::State::wanted;
            preview.images.push_back({task.input.path, settings.out / task.output});
        }
        show(preview, stop);
        wake();
        std::mutex mutex;
        const auto place = [&](const Task& task) -> PreviewedImage& {
            return preview.images[static_cast<std::size_t>(&task - some.data())];
        };
        job.run.choice = choice; // a few images need no further GPU
        job.run.inspect = [&](const Task& task, const LoadedImage& before, const ConstImageView& after) {
            const auto small_before = thumbnail_of(before.pixels.view(), before),
                       small_after = thumbnail_of(after, before);
            const std::lock_guard lock(mutex);
            auto& previewed = place(task);
            previewed.before = small_before;
            previewed.after = small_after;
            previewed.damage = before.damage;
        };
        Counts counts;
        run_tasks(some, job.run, stop, [&](const FileResult& result) {
            const std::lock_guard lock(mutex);
            counts.add(result);
            auto& previewed = place(*result.task);
            previewed.done = true;
            if (result.error) previewed.failure = result.error;
            if (result.clipping) previewed.clipped = clipped_fraction(result.clipping);
            show(preview, stop);
            wake();
        });
        preview.all = predicted(counts, wanted_bytes(job.tasks));
    } catch (const std::exception& error) {
        preview.failure = error_of(error);
    }
    preview.busy = false;
    show(std::move(preview), stop);
}

void Session::do_work(const BatchSettings& settings, const EngineChoice& choice,
                      const std::stop_token& stop) {
    BatchProgress work{.state = BatchProgress::State::running, .settings = settings};
    Findings findings(settings.out);
    std::string skipped, failures;
    try {
        auto job = decided_job(settings, true, stop);
        skipped = skipped_text(job.skipped, false);
        begin(work, findings, job);
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
            update(work, findings);
            show(work);
        });
        if (result.stopped) work.counts.not_begun = work.all - work.settled;
        failures = failures_text(job.failures.get());
        keep_speed(job.run, work.counts);
    } catch (const Cancelled&) {
        work.stopped_before = true;
    } catch (const std::exception& error) {
        work.failure = error_of(error);
    }
    update(work, findings);
    work.done = std::make_shared<const std::vector<Finding>>(std::move(findings).done());
    work.why = why_failed(work.findings);
    work.state = BatchProgress::State::finished;
    work.seconds = seconds();
    if (work.failure) work.summary = work.failure->what();
    else if (work.stopped_before) work.summary = "Stopped before an image was begun.";
    else work.summary = summary_text(work.counts, work.seconds, skipped, failures, settings.out);
    show(std::move(work));
}

} // namespace kg::batch
