#pragma once
// Estimates the time and the disk space of a job, from a sample of its images or from earlier runs.

#include "app/batch/report/counts.hpp"
#include "app/batch/run/run.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::batch {

struct Range {
    double likely = 0, least = 0, most = 0;
};

struct Estimate {
    std::size_t wanted = 0; ///< images
    int at_a_time = 0;
    Range seconds{}, bytes{}; ///< `bytes` are those of the outputs
    std::size_t images = 0;   ///< that the estimate is based on
    std::size_t failed = 0;   ///< of these
    /// Based on earlier runs of this job on this machine; else on samples, of which nothing was written.
    bool earlier = false;
};

/// Estimates the wanted tasks. If no earlier run is recorded, images from all over the list are filtered in
/// memory until `enough` or until all are done; images in flight are completed. Only earlier runs include the
/// time of the disk.
Estimate estimate(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& enough);
/// With `enough` after a second and a half.
Estimate estimate(std::span<const Task> tasks, const RunOptions& options);

/// Images that were sampled.
struct Probe {
    struct Taken {
        double work = 0, written = 0; ///< seconds of threads, bytes
    };
    std::vector<const Task*> drawn; ///< of draw(), in the order in which they were sampled
    std::map<const Task*, Taken> taken;
    Counts counts;
    double share = 1; ///< fraction of the requested processor time that the sample got
};
/// The range covers the differences between the images, and other processes that take half or twice as much
/// of the machine as they did meanwhile.
Estimate estimate_from(const Probe& probe, std::span<const Task> wanted, int at_a_time);

/// "Would make 300 images in about 12 s (10 s to 15 s), 2 at a time, ..."; empty if nothing is wanted or
/// known.
std::string estimate_text(const Estimate& estimate);

/// Orders tasks so that any prefix represents all of them: formats and sizes alternate, and each is as
/// frequent as its share of all bytes, so that the mean per byte is that of all. A short list is returned in
/// full.
std::vector<const Task*> draw(std::span<const Task> tasks);

/// Records the speed of a run beside the journal for the next estimate; `share` is RunResult::share. Errors
/// are ignored.
void keep_speed(const RunOptions& options, const Counts& counts, double share) noexcept;

} // namespace kg::batch
