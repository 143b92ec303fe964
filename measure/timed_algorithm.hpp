#pragma once
// One planned request, prepared for repeated timing: how many repetitions exceed the clock's resolution, and
// what must be excluded from the samples.

#include "core/support/time_limit.hpp"
#include "measure/rotation.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg::measure {

struct TimingRules {
    double least_sample_us = 1000;  ///< shorter work is repeated within one sample
    double most_warm_up_us = 500e3; ///< warm-up ends here, settled or not
    double most_wake_up_us = 20e3;  ///< likewise for wake-up
    TimeSource* time = &steady_time();
};

class TimedAlgorithm {
public:
    /// Runs once, into an output that holds noise. Throws what running throws. `span` names spans that the
    /// plan marks: only they are timed; empty = the whole run.
    TimedAlgorithm(std::shared_ptr<Rotation> rotation, std::shared_ptr<const Plan> plan,
                   const TimingRules& rules, const std::stop_token& stop = {}, std::string span = {});

    /// The first run from run() to the fence, seen by the caller: includes loading of modules and allocation
    /// of scratch.
    double first_run_us() const { return first_run_us_; }

    /// Runs until three consecutive samples lie within 2 % of each other, and decides how many runs make a
    /// sample.
    void warm_up(const std::stop_token& stop = {});
    /// Restores clocks and threads after other candidates have run: the same, but shorter, and the number of
    /// runs stays.
    void wake_up(const std::stop_token& stop = {}, double most_us = std::numeric_limits<double>::infinity());
    /// Microseconds per run on the engine's own clock. All runs of a sample are queued before the first
    /// begins, so that short ones follow each other without gaps.
    double sample(const std::stop_token& stop = {});
    /// Microseconds of one upload of an image to the engine, and of one download of the result.
    double upload_sample(const std::stop_token& stop = {});
    double download_sample(const std::stop_token& stop = {});

    int runs_per_sample() const { return runs_; }
    /// True if the engine's work runs on this program's threads, so that processor_us() is its cost.
    bool computes_here() const;
    /// Microseconds of processor time, user and system, of the program's threads per run of the last sample.
    double processor_us() const { return processor_us_; }
    /// One run into an output that holds noise, untimed.
    void run_afresh(const std::stop_token& stop = {});
    /// The last result computed, if no other algorithm has used the buffers since. After the first run or
    /// run_afresh(), unwritten memory holds poison (measure/noise.hpp).
    Image result();

private:
    double spent(std::string_view span, const Completion& fence) const;
    double run(int runs, const std::stop_token& stop);
    void settle(double most_us, bool choose_runs, const std::stop_token& stop);

    std::shared_ptr<Rotation> rotation_;
    TimingRules rules_;
    std::shared_ptr<const Plan> plan_;
    std::string span_;
    std::unique_ptr<Queue> queue_;
    BufferView latest_; ///< result
    double first_run_us_ = 0, last_us_ = 0, processor_us_ = 0;
    bool holds_back_ = true; ///< the engine's queue can wait for our completion
    int runs_ = 1;
};

} // namespace kg::measure
