#include "measure/steady_rate.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kg::measure {

namespace {

constexpr double kLeastUs = 1; // ends a window even if a clock stands still

} // namespace

Rate steady_rate(const std::function<RateSample()>& next, const SteadyRules& rules, double most_us) {
    Rate rate;
    double spent = 0;
    std::vector<double> bests; // best sample of each window
    while (bests.size() < rules.most_windows) {
        bests.push_back(0);
        for (double us = 0; us < rules.window_us;) {
            const auto sample = next();
            const double took = std::max(sample.us, kLeastUs);
            us += took, spent += took;
            bests.back() = std::max(bests.back(), sample.rate);
            rate.best = std::max(rate.best, sample.rate);
            if (spent >= most_us) return rate;
        }
        const auto last = std::min(bests.size(), rules.agreeing);
        const double least = *std::min_element(bests.end() - static_cast<std::ptrdiff_t>(last), bests.end());
        rate.is_steady = last == rules.agreeing && least >= (1 - rules.tolerance) * rate.best;
        if (rate.is_steady) return rate;
    }
    return rate;
}

} // namespace kg::measure
