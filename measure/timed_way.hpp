#pragma once
// One planned request, made ready to be timed again and again: how often the work must be repeated to be longer than a
// clock's grain, and what must be kept out of the samples.

#include "measure/rotation.hpp"
#include "core/support/time_limit.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace kg::measure {

struct TimingRules {
    double least_sample_us = 1000;  ///< shorter work is repeated within one sample
    double most_warm_up_us = 500e3; ///< warming up ends here, settled or not
    double most_wake_up_us = 20e3;  ///< likewise for waking up
    TimeSource* time = &steady_time();
};

class TimedWay {
public:
    /// Runs once, into an output that holds noise. Throws what running throws. A `part` is the name of spans that the plan
    /// marks: only they are timed; empty = all of it is.
    TimedWay(std::shared_ptr<Rotation> rotation, std::shared_ptr<const Plan> plan, const TimingRules& rules,
             const std::stop_token& stop = {}, std::string part = {});

    /// The first run from run() to the fence, seen by the caller: modules loaded, scratch allocated.
    double first_run_us() const { return first_run_us_; }

    /// Runs until three samples in a row lie within 2 % of each other, and decides how many runs make a sample.
    void warm_up(const std::stop_token& stop = {});
    /// Brings clocks and threads back after others had their turn: the same, but shorter, and the number of runs stays.
    void wake_up(const std::stop_token& stop = {}, double most_us = std::numeric_limits<double>::infinity());
    /// Microseconds per run on the engine's own clock. All runs of a sample are queued before the first begins, so that
    /// short ones follow each other without gaps.
    double sample(const std::stop_token& stop = {});
    /// Microseconds to bring a picture to the engine, and the result back, one of each.
    double upload_sample(const std::stop_token& stop = {});
    double download_sample(const std::stop_token& stop = {});

    int runs_per_sample() const { return runs_; }
    /// True where the engine's work is this program's threads', so that processor_us() is its price.
    bool computes_here() const;
    /// Microseconds of processor time, user and system, that the program's threads took for a run of the last sample.
    double processor_us() const { return processor_us_; }
    /// One run into an output that holds noise, untimed.
    void run_afresh(const std::stop_token& stop = {});
    /// The last result computed, if no other way has used the buffers since. After the first run or run_afresh() what was
    /// not written holds poison (measure/noise.hpp).
    Image result();

private:
    double spent(std::string_view span, const Completion& fence) const;
    double run(int runs, const std::stop_token& stop);
    void settle(double most_us, bool choose_runs, const std::stop_token& stop);

    std::shared_ptr<Rotation> rotation_;
    TimingRules rules_;
    std::shared_ptr<const Plan> plan_;
    std::string part_;
    std::unique_ptr<Queue> queue_;
    BufferView latest_; ///< result
    double first_run_us_ = 0, last_us_ = 0, processor_us_ = 0;
    bool holds_back_ = true; ///< the engine's queue can wait for us
    int runs_ = 1;
};

} // namespace kg::measure
