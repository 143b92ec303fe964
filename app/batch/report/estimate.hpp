#pragma once
// Estimates the time and the disk space of a job, from a sample of its images or from earlier runs.

#include "app/batch/report/counts.hpp"
#include "app/batch/run/run.hpp"

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>

namespace kg::batch {

struct Range {
    double likely = 0, least = 0, most = 0;
};

struct Estimate {
    std::size_t wanted = 0; ///< images
    int at_a_time = 0;
    Range seconds{}, bytes{}; ///< `bytes` are those of the outputs
    std::size_t images = 0;   ///< images that the estimate is based on
    std::size_t failed = 0;   ///< failures among these
    /// Based on earlier runs of this job on this machine; else on samples, of which nothing was written.
    bool earlier = false;
};

/// Estimates the wanted tasks. If no earlier run is recorded, images from all over the list are filtered in
/// memory until `enough` or until all are done; images in flight are completed. Only earlier runs include the
/// time of the disk.
Estimate estimate(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& enough);
/// With `enough` after a second and a half.
Estimate estimate(std::span<const Task> tasks, const RunOptions& options);

/// An image that was sampled.
struct Sample {
    double bytes = 0, written = 0; ///< sizes of its file and of its result
    double seconds = 0;            ///< time of all threads
};
/// Twice the standard error of the sum of the values divided by the sum of the bytes, as a fraction of it
/// (Cochran, Sampling Techniques, 6.3); 0.5 of fewer than two samples.
double spread_of(std::span<const Sample> samples, double Sample::*value);

/// "Would write 300 images, about 40 MiB, in about 12 s (10 s to 15 s), 2 at a time" and "12 sampled images";
/// empty if nothing is wanted.
EstimateText estimate_text(const Estimate& estimate);

/// Records the speed of a run beside the journal for the next estimate. Errors are ignored.
void keep_speed(const RunOptions& options, const Counts& counts) noexcept;

} // namespace kg::batch
