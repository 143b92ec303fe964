#pragma once
// Statistics of a duration over recent runs: median, 95th percentile, count.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace kg {

struct TimingSample {
    double microseconds = 0;
    std::uint64_t run = 0;  ///< stamp of the result: rows of one run belong to one image
    bool from_rest = false; ///< the engine was idle for Timings::kRest when the run began
};

class TimingStatistic {
public:
    static constexpr std::size_t kKept = 120;  ///< most recent runs that count
    static constexpr std::size_t kDropped = 3; ///< first runs after a change: they warm caches and clocks
    static constexpr std::size_t kEnough = 10; ///< fewer runs are shown in grey

    void add(const TimingSample& sample);
    /// Clears all samples: size, filter or engine changed, so earlier runs are not comparable.
    void reset() { *this = {}; }

    /// Samples that count, the oldest first.
    const std::deque<TimingSample>& samples() const { return samples_; }
    std::size_t count() const { return samples_.size(); }
    /// Runs that will not count before the next one does.
    std::size_t to_drop() const { return kDropped - std::min(seen_, kDropped); }
    bool settled() const { return count() >= kEnough; }
    /// As kg::quantile(); 0 without samples.
    double quantile(double fraction) const;
    double median() const { return quantile(0.5); }
    double p95() const { return quantile(0.95); }
    double largest() const { return quantile(1); }
    /// The time to show where there is room for one: the median, before it exists the latest run.
    double typical() const { return count() > 0 ? median() : latest_; }
    double latest() const { return latest_; } ///< includes dropped runs; 0 before the first

private:
    std::deque<TimingSample> samples_;
    std::size_t seen_ = 0;
    double latest_ = 0;
};

} // namespace kg
