#include "app/editor/timing/timing.hpp"

#include <algorithm>
#include <vector>

namespace kg {

void TimingStatistic::add(const TimingSample& sample) {
    latest_ = sample.microseconds;
    if (++seen_ <= kDropped) return;
    samples_.push_back(sample);
    if (samples_.size() > kKept) samples_.pop_front();
}

double TimingStatistic::quantile(double fraction) const {
    if (samples_.empty()) return 0;
    std::vector<double> sorted;
    for (const auto& sample : samples_) sorted.push_back(sample.microseconds);
    std::ranges::sort(sorted);
    const double place = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace kg
