#include "app/editor/timing/timing.hpp"

#include "core/support/quantile.hpp"

#include <utility>
#include <vector>

namespace kg {

void TimingStatistic::add(const TimingSample& sample) {
    latest_ = sample.microseconds;
    if (++seen_ <= kDropped) return;
    samples_.push_back(sample);
    if (samples_.size() > kKept) samples_.pop_front();
}

double TimingStatistic::quantile(double fraction) const {
    std::vector<double> times;
    for (const auto& sample : samples_) times.push_back(sample.microseconds);
    return kg::quantile(std::move(times), fraction);
}

} // namespace kg
