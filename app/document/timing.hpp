#pragma once
// How long something takes, over the runs a person just saw: median, 95th percentile, count.

#include <cstddef>
#include <deque>

namespace kg {

class TimingStatistic {
public:
    static constexpr std::size_t kKept = 120;  ///< the last so many runs count
    static constexpr std::size_t kDropped = 3; ///< the first runs after a change warm caches and clocks
    static constexpr std::size_t kEnough = 10; ///< fewer are shown in grey

    void add(double microseconds);
    /// Something changed (size, filter, engine): what was measured before is about something else.
    void reset() { *this = {}; }

    std::size_t count() const { return samples_.size(); }
    bool settled() const { return count() >= kEnough; }
    /// Linear interpolation between order statistics (Hyndman and Fan 1996, type 7); 0 without samples.
    double quantile(double fraction) const;
    double median() const { return quantile(0.5); }
    double p95() const { return quantile(0.95); }
    double latest() const { return latest_; } ///< also of a dropped run; 0 before the first

private:
    std::deque<double> samples_;
    std::size_t seen_ = 0;
    double latest_ = 0;
};

} // namespace kg
