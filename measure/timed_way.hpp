#pragma once
// One planned request, made ready to be timed again and again: buffers that rotate so that nothing
// lies in a cache by accident, and how often the work must be repeated to be longer than a clock's grain.

#include "core/engine.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace kg::measure {

struct TimingRules {
    double least_sample_us = 1000;  ///< shorter work is repeated within one sample
    double most_warm_up_us = 500e3; ///< warming up ends here, settled or not
    /// Cold: the buffers rotate through at least this many bytes, so that every run reads and writes memory; 0 = warm:
    /// one pair of buffers, run after run.
    std::size_t rotate_bytes = 0;
};

class TimedWay {
public:
    /// Allocates, uploads `picture` into every rotating source, and runs once. Throws what running throws.
    TimedWay(std::shared_ptr<Engine> engine, const ImageRequest& request, std::shared_ptr<const Plan> plan,
             const ConstImageView& picture, const TimingRules& rules, const std::stop_token& stop = {});

    /// The first run from run() to the fence, seen by the caller: modules loaded, scratch allocated.
    double first_run_us() const { return first_run_us_; }

    /// Runs until three samples in a row lie within 2 % of each other, and decides how many runs make a sample.
    void warm_up(const std::stop_token& stop = {});
    /// Microseconds per run on the engine's own clock, between marks around work that was enqueued at once.
    double sample(const std::stop_token& stop = {});
    /// Microseconds to bring a picture to the engine, and the result back, one of each.
    double upload_sample(const std::stop_token& stop = {});
    double download_sample(const std::stop_token& stop = {});

    int runs_per_sample() const { return runs_; }
    std::size_t rotating_buffers() const { return items_.size(); }
    /// The last result computed.
    Image result();

private:
    double spent(const char* span, const Completion& fence) const;
    double run(int runs, const std::stop_token& stop);

    std::shared_ptr<Engine> engine_;
    Extent size_;
    PixelFormat out_;
    TimingRules rules_;
    BufferView staging_in_, staging_out_;
    std::vector<Item> items_; ///< all with the same picture
    std::size_t next_ = 0;
    std::shared_ptr<const Plan> plan_;
    std::unique_ptr<Queue> queue_;
    double first_run_us_ = 0;
    int runs_ = 1;
};

} // namespace kg::measure
