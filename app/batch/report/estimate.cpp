#include "app/batch/report/estimate.hpp"

#include "app/process/memory_need.hpp"
#include "app/batch/report/speeds.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <tuple>

namespace kg::batch {

namespace {

/// The smallest spread of an estimate, as a fraction: the speed of a machine varies.
constexpr double kLeastSpread = 0.1, kSpreadOfOneRun = 0.2, kSpreadOfOneImage = 0.5;
/// Samples are not written: hashes, journal and disk add at most this fraction, unless the disk is slow.
constexpr double kWriting = 0.25;
/// A shorter run reflects its startup more than its speed.
constexpr double kShortRun = 1;
constexpr std::size_t kRuns = 5; ///< the latest
/// Larger images are not sampled, because that would take too long. Smaller files are not opened to find out.
constexpr std::size_t kLargeToTry = std::size_t{1} << 29, kSmallFile = std::size_t{1} << 20;
constexpr std::size_t kDraws = 512;

double bytes_of(const Task& task) {
    return static_cast<double>(std::max<std::uint64_t>(task.input.bytes, 1));
}

std::vector<Task> wanted_of(std::span<const Task> tasks) {
    std::vector<Task> wanted;
    for (const auto& task : tasks)
        if (task.state == Task::State::wanted) wanted.push_back(task);
    return wanted;
}

Range around(double likely, double spread) { return {likely, likely / (1 + spread), likely * (1 + spread)}; }

/// A process with the share 1 / (1 + n) beside n others has 1 / (1 + n / 2) or 1 / (1 + 2 n) when their
/// number halves or doubles.
Range beside_others(const Range& time, double share) {
    return {time.likely, time.least * (1 + share) / 2, time.most * (2 - share)};
}

/// A mean of values per byte, and its likely error: twice the standard error, as a fraction of it.
struct Mean {
    double sum = 0, squares = 0, count = 0;
    void add(double value) {
        sum += value;
        squares += value * value;
        ++count;
    }
    double value() const { return count > 0 ? sum / count : 0; }
    double spread() const {
        const auto mean = value();
        if (mean <= 0 || count < 2) return kSpreadOfOneImage;
        const auto variance = std::max(0.0, squares / count - mean * mean);
        return 2 * std::sqrt(variance / (count - 1)) / mean;
    }
    /// The likely error of the next value.
    double spread_of_next() const { return spread() * std::sqrt(count + 1); }
};

std::optional<Estimate> by_earlier_runs(Estimate estimate, const RunOptions& options, double bytes) {
    auto runs = read_speeds(options.out, options.job,
                            place_of(options.choice.engine->device().name, options.images));
    std::erase_if(runs, [](const Speed& run) { return run.seconds < kShortRun || run.bytes_read <= 0; });
    if (runs.size() > kRuns) runs.erase(runs.begin(), runs.end() - kRuns);
    if (runs.empty()) return {};
    Mean seconds, written, share;
    for (const auto& run : runs) {
        seconds.add(run.seconds / run.bytes_read);
        written.add(run.bytes_written / run.bytes_read);
        share.add(run.share);
        estimate.images += run.images;
    }
    const auto spread = runs.size() == 1 ? kSpreadOfOneRun : std::max(kLeastSpread, seconds.spread_of_next());
    estimate.seconds = beside_others(around(seconds.value() * bytes, spread), share.value());
    estimate.bytes = around(written.value() * bytes, runs.size() == 1 ? kLeastSpread : written.spread());
    estimate.earlier = true;
    return estimate;
}

/// Drops samples that would take too long, unless nothing else is left.
void keep_what_is_quick(std::vector<const Task*>& drawn, const RunOptions& options) {
    const auto* smallest = *std::ranges::min_element(drawn, {},
                                                     [](const Task* task) { return task->input.bytes; });
    std::map<const Task*, bool> seen;
    std::erase_if(drawn, [&](const Task* task) {
        const auto [known, is_new] = seen.try_emplace(task);
        const auto bytes = static_cast<std::size_t>(task->input.bytes);
        if (is_new && bytes > kSmallFile)
            known->second = bytes_needed_by_header(task->input.path, bytes, options.recipe, options.read) >
                            kLargeToTry;
        return known->second;
    });
    if (drawn.empty()) drawn.push_back(smallest);
}

} // namespace

std::vector<const Task*> draw(std::span<const Task> tasks) {
    std::vector<const Task*> sorted;
    for (const auto& task : tasks) sorted.push_back(&task);
    std::ranges::sort(sorted, {}, [](const Task* task) {
        return std::tuple(std::string_view(task->input.extension), task->input.bytes, task);
    });
    std::vector<double> ends; // positions on a line as long as all files together
    double all = 0;
    for (const auto* task : sorted) ends.push_back(all += bytes_of(*task));
    std::vector<const Task*> drawn;
    std::set<const Task*> missing(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i <= kDraws; ++i) {
        double along = 0, half = 0.5; // 1/2, 1/4, 3/4, 1/8, ...: van der Corput's sequence
        for (auto bits = i; bits > 0; bits >>= 1, half /= 2) along += (bits & 1) ? half : 0;
        const auto found = std::ranges::upper_bound(ends, along * all);
        if (found == ends.end()) continue;
        drawn.push_back(sorted[static_cast<std::size_t>(found - ends.begin())]);
        missing.erase(drawn.back());
    }
    if (sorted.size() <= kDraws) drawn.insert(drawn.end(), missing.begin(), missing.end());
    return drawn;
}

namespace {

/// `tried` is called after each sample.
Estimate estimate_by(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& enough,
                     const std::function<void()>& tried) {
    const auto wanted = wanted_of(tasks);
    Estimate estimate{.wanted = wanted.size(), .at_a_time = options.images};
    if (wanted.empty()) return estimate;
    double bytes = 0;
    for (const auto& task : wanted) bytes += bytes_of(task);
    if (auto known = by_earlier_runs(estimate, options, bytes)) return *known;

    auto drawn = draw(wanted);
    keep_what_is_quick(drawn, options);
    std::vector<Task> some;
    std::vector<const Task*> drawn_as;
    std::set<const Task*> known;
    for (const auto* task : drawn)
        if (known.insert(task).second) some.push_back(*task), drawn_as.push_back(task);
    auto trial = options;
    trial.journal = nullptr;
    trial.failures = nullptr;
    trial.most_errors.reset();
    Probe seen{.drawn = std::move(drawn), .taken = {}, .counts = {}};
    const auto ran = run_tasks(some, trial, enough, [&](const FileResult& result) {
        seen.counts.add(result);
        const auto& s = result.seconds;
        const auto* task = drawn_as[static_cast<std::size_t>(result.task - some.data())];
        seen.taken[task] = {s.read + s.decode + s.filter + s.encode,
                            static_cast<double>(result.output_bytes)};
        tried();
    });
    seen.share = ran.share;
    return estimate_from(seen, wanted, options.images);
}

} // namespace

Estimate estimate(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& enough) {
    return estimate_by(tasks, options, enough, [] {});
}

Estimate estimate(std::span<const Task> tasks, const RunOptions& options) {
    constexpr auto kTrialTime = std::chrono::milliseconds(1500);
    const auto end = std::chrono::steady_clock::now() + kTrialTime;
    std::stop_source enough;
    return estimate_by(tasks, options, enough.get_token(), [&] {
        if (std::chrono::steady_clock::now() >= end) enough.request_stop();
    });
}

Estimate estimate_from(const Probe& probe, std::span<const Task> wanted, int at_a_time) {
    const auto& counts = probe.counts;
    Estimate estimate{.wanted = wanted.size(), .at_a_time = at_a_time};
    estimate.images = counts.done + counts.failed;
    estimate.failed = counts.failed;
    double work_done = 0, bytes = 0;
    for (const auto& task : wanted) bytes += bytes_of(task);
    for (const auto& [task, taken] : probe.taken) work_done += taken.work;
    if (work_done <= 0) return estimate;
    Mean work, written;
    for (const auto* task : probe.drawn) {
        const auto taken = probe.taken.find(task);
        if (taken == probe.taken.end()) break; // later samples were taken because they are quick
        work.add(taken->second.work / bytes_of(*task));
        written.add(taken->second.written / bytes_of(*task));
    }
    const bool was_all = estimate.images == wanted.size();
    const auto spread = was_all ? 0 : work.spread();
    const auto times = was_all ? 1 : std::max(1.0, work.value() * bytes / work_done);
    estimate.seconds = around(seconds_of(counts, times), std::max(spread, kLeastSpread));
    estimate.seconds.most = std::max(estimate.seconds.most, counts.load.seconds * times * (1 + spread));
    estimate.seconds.most *= 1 + kWriting;
    estimate.seconds = beside_others(estimate.seconds, probe.share);
    estimate.bytes = was_all ? around(static_cast<double>(counts.bytes_written), 0)
                             : around(written.value() * bytes, written.spread());
    return estimate;
}

std::string estimate_text(const Estimate& f) {
    if (f.wanted == 0) return {};
    if (f.images == f.failed)
        return "Would make " + counted(f.wanted, "image") + "; none of the " + std::to_string(f.images) +
               " that were sampled could be filtered";
    const auto size = [](double bytes) { return memory_text(static_cast<std::size_t>(bytes)); };
    auto text = "Would make " + counted(f.wanted, "image") + " in about " + duration_text(f.seconds.likely) +
                " (" + duration_text(f.seconds.least) + " to " + duration_text(f.seconds.most) + "), " +
                std::to_string(f.at_a_time) + " at a time, and of them about " + size(f.bytes.likely);
    if (f.bytes.most > f.bytes.least) text += " (" + size(f.bytes.least) + " to " + size(f.bytes.most) + ")";
    text += f.earlier ? ", going by " + counted(f.images, "image") + " of earlier runs here"
                      : ", going by " + std::to_string(f.images) + " of them, of which nothing was written";
    if (f.failed > 0) text += "; " + std::to_string(f.failed) + " of these failed";
    return text;
}

void keep_speed(const RunOptions& options, const Counts& counts, double share) noexcept try {
    if (counts.done == 0 || !options.choice.engine) return;
    add_speed(options.out, {options.job, place_of(options.choice.engine->device().name, options.images),
                            counts.done, static_cast<double>(counts.bytes_read),
                            static_cast<double>(counts.bytes_written), counts.load.seconds, share});
} catch (const std::exception&) {
}

} // namespace kg::batch
