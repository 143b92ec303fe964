#pragma once
// How long something takes, over the runs a person just saw: median, 95th percentile, count.

#include <cstddef>
#include <cstdint>
#include <deque>

namespace kg {

struct TimingSample {
    double microseconds = 0;
    std::uint64_t run = 0;  ///< the result it belongs to: rows of one run are of one picture
    bool from_rest = false; ///< the engine had been idle for long when the run began (Timings::kRest)
};

class TimingStatistic {
public:
    static constexpr std::size_t kKept = 120;  ///< the last so many runs count
    static constexpr std::size_t kDropped = 3; ///< the first runs after a change warm caches and clocks
    static constexpr std::size_t kEnough = 10; ///< fewer are shown in grey

    void add(const TimingSample& sample);
    /// Something changed (size, filter, engine): what was measured before is about something else.
    void reset() { *this = {}; }

    const std::deque<TimingSample>& samples() const { return samples_; } ///< that count, the oldest first
    std::size_t count() const { return samples_.size(); }
    bool settled() const { return count() >= kEnough; }
    /// Linear interpolation between order statistics (Hyndman and Fan 1996, type 7); 0 without samples.
    double quantile(double fraction) const;
    double median() const { return quantile(0.5); }
    double p95() const { return quantile(0.95); }
    double largest() const { return quantile(1); }
    double latest() const { return latest_; } ///< also of a dropped run; 0 before the first

private:
    std::deque<TimingSample> samples_;
    std::size_t seen_ = 0;
    double latest_ = 0;
};

} // namespace kg
