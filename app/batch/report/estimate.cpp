#include "app/batch/report/estimate.hpp"

#include "app/batch/report/speeds.hpp"
#include "app/batch/run/job.hpp"
#include "app/process/file/hash.hpp"
#include "app/process/file/memory_need.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace kg::batch {

namespace {

/// The smallest spread of an estimate, as a fraction: the speed of a machine varies.
constexpr double kLeastSpread = 0.2, kSpreadOfOneImage = 0.5;
/// Samples are not written: hashes, journal and disk add at most this fraction, unless the disk is slow.
constexpr double kWriting = 0.25;
/// A shorter run reflects its startup more than its speed.
constexpr double kShortRun = 1;
constexpr std::size_t kRuns = 5; ///< the latest
/// Larger images are not sampled, because that would take too long. Smaller files are not opened to find out.
constexpr std::size_t kLargeToTry = std::size_t{1} << 29, kSmallFile = std::size_t{1} << 20;
constexpr std::size_t kMostSamples = 512;

Range around(double likely, double spread) { return {likely, likely / (1 + spread), likely * (1 + spread)}; }

/// By the mean of the runs for each byte of input, from the least to the most of them.
Range range_by(std::span<const RunSpeed> runs, double RunSpeed::*value, double bytes) {
    Range range{0, std::numeric_limits<double>::infinity(), 0};
    double sum = 0, read = 0;
    for (const auto& run : runs) {
        const auto likely = run.*value / run.bytes_read * bytes;
        range.least = std::min(range.least, likely / (1 + kLeastSpread));
        range.most = std::max(range.most, likely * (1 + kLeastSpread));
        sum += run.*value;
        read += run.bytes_read;
    }
    range.likely = sum / read * bytes;
    return range;
}

std::optional<Estimate> by_earlier_runs(Estimate estimate, const RunOptions& options, double bytes) {
    auto runs = read_speeds(options.out, options.job,
                            place_of(options.choice.engine->device().name, options.images));
    std::erase_if(runs, [](const RunSpeed& run) { return run.seconds < kShortRun || run.bytes_read <= 0; });
    if (runs.size() > kRuns) runs.erase(runs.begin(), runs.end() - kRuns);
    if (runs.empty()) return {};
    estimate.seconds = range_by(runs, &RunSpeed::seconds, bytes);
    estimate.bytes = range_by(runs, &RunSpeed::bytes_written, bytes);
    for (const auto& run : runs) estimate.images += run.images;
    estimate.earlier = true;
    return estimate;
}

/// The tasks to sample, in an order by which any number of the first ones represents all. Without those that
/// would take too long, unless nothing else is left.
std::vector<Task> to_sample(std::vector<Task> wanted, const RunOptions& options) {
    auto some = sample_of(std::move(wanted), kMostSamples);
    std::ranges::sort(some, {}, [](const Task& task) { return short_hash_of(task.name.string()); });
    const auto smallest = *std::ranges::min_element(some, {},
                                                    [](const Task& task) { return task.input.bytes; });
    std::erase_if(some, [&](const Task& task) {
        const auto bytes = static_cast<std::size_t>(task.input.bytes);
        return bytes > kSmallFile &&
               bytes_needed_by_header(task.input.path, bytes, options.recipe, options.read) > kLargeToTry;
    });
    if (some.empty()) some.push_back(smallest);
    return some;
}

/// `sampled` is called after each sample.
Estimate estimate_by(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& enough,
                     const std::function<void()>& sampled) {
    std::vector<Task> wanted;
    std::ranges::copy_if(tasks, std::back_inserter(wanted),
                         [](const Task& task) { return task.state == Task::State::wanted; });
    Estimate estimate{.wanted = wanted.size(), .at_a_time = options.images};
    if (wanted.empty()) return estimate;
    const auto bytes = wanted_bytes(tasks);
    if (auto known = by_earlier_runs(estimate, options, static_cast<double>(bytes))) return *known;

    const auto some = to_sample(std::move(wanted), options);
    auto trial = options;
    trial.journal = nullptr;
    trial.failures = nullptr;
    trial.most_errors.reset();
    Counts counts;
    std::vector<Sample> samples;
    run_tasks(some, trial, enough, [&](const FileResult& result) {
        counts.add(result);
        const auto& s = result.seconds;
        samples.push_back({static_cast<double>(result.input_bytes), static_cast<double>(result.output_bytes),
                           s.read + s.decode + s.filter + s.encode});
        sampled();
    });
    estimate.images = samples.size();
    estimate.failed = counts.failed;
    const auto all = predicted(counts, bytes);
    const bool was_all = estimate.images == estimate.wanted;
    const auto spread = [&](double Sample::*value) { return was_all ? 0 : spread_of(samples, value); };
    estimate.seconds = around(all.seconds, std::max(spread(&Sample::seconds), kLeastSpread));
    estimate.seconds.most *= 1 + kWriting;
    estimate.bytes = around(all.bytes, spread(&Sample::written));
    return estimate;
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

double spread_of(std::span<const Sample> samples, double Sample::*value) {
    double bytes = 0, sum = 0, squares = 0;
    for (const auto& sample : samples) bytes += sample.bytes, sum += sample.*value;
    if (samples.size() < 2 || bytes <= 0 || sum <= 0) return kSpreadOfOneImage;
    for (const auto& sample : samples) {
        const auto residual = sample.*value - sum / bytes * sample.bytes;
        squares += residual * residual;
    }
    const auto count = static_cast<double>(samples.size());
    return 2 * std::sqrt(squares * count / (count - 1)) / sum;
}

EstimateText estimate_text(const Estimate& e) {
    if (e.wanted == 0) return {};
    auto text = "Would write " + counted(e.wanted, "image");
    if (e.images == 0) return {text + "; no estimate, because no image was sampled", {}};
    if (e.images == e.failed)
        return {text + "; no estimate, because " +
                    (e.failed == 1 ? "the sampled image" : "all " + counted(e.failed, "sampled image")) +
                    " failed",
                {}};
    const auto size = [](double bytes) { return memory_text(static_cast<std::size_t>(bytes)); };
    text += ", about " + size(e.bytes.likely);
    if (e.bytes.most > e.bytes.least) text += " (" + size(e.bytes.least) + " to " + size(e.bytes.most) + ")";
    text += ", in about " + duration_text(e.seconds.likely) + " (" + duration_text(e.seconds.least) + " to " +
            duration_text(e.seconds.most) + "), " + std::to_string(e.at_a_time) + " at a time";
    return {text, e.earlier ? counted(e.images, "image") + " of earlier runs on this machine"
                            : sampled_text(e.images, e.failed)};
}

void keep_speed(const RunOptions& options, const Counts& counts) noexcept try {
    if (counts.done == 0 || !options.choice.engine) return;
    add_speed(options.out, {options.job, place_of(options.choice.engine->device().name, options.images),
                            counts.done, static_cast<double>(counts.bytes_read),
                            static_cast<double>(counts.bytes_written), counts.load.seconds});
} catch (const std::exception&) {
}

} // namespace kg::batch
