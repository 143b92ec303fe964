#pragma once
// The best rate of a device whose clock may still rise: an idle GPU raises it after half a second, and until
// then runs steadily at a fraction of it.

#include <cstddef>
#include <functional>
#include <limits>

namespace kg::measure {

struct RateSample {
    double rate = 0, us = 0; ///< us: duration of the sample
};

struct Rate {
    double best = 0;        ///< best of all samples
    bool is_steady = false; ///< the last windows came close to it
};

/// Samples are taken in windows, of which only the best sample counts, since others are disturbed.
struct SteadyRules {
    double window_us = 250e3;
    /// Number of last windows whose bests must lie within `tolerance` of the best of all.
    std::size_t agreeing = 3;
    double tolerance = 0.02;
    std::size_t most_windows = 12;
};

/// Measures until the rate is steady, or until the limit of windows or of sampled microseconds. At least one
/// sample is taken.
Rate steady_rate(const std::function<RateSample()>& next, const SteadyRules& rules = {},
                 double most_us = std::numeric_limits<double>::infinity());

} // namespace kg::measure
