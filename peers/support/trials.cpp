#include "peers/support/trials.hpp"

#include "core/support/error.hpp"

#include <algorithm>

namespace kg::peers {

namespace {

constexpr const char* kTrial = "trial";
constexpr auto kLongest = std::chrono::seconds(2); ///< no trial begins later
constexpr int kRepeats = 2;
constexpr double kTooLong = 1e6;      ///< microseconds; longer work is not repeated
constexpr double kMayBeLoading = 2e5; ///< a first run up to this long may include loading of code
constexpr double kHopeless = 3;       ///< times as long as the fastest

} // namespace

bool Trials::may_go_on() const {
    const bool time_left = context_.time_is_left(); // asked always: it throws once a stop was requested
    if (best_us_ == std::numeric_limits<double>::infinity()) return true;
    return time_left && std::chrono::steady_clock::now() - began_ < kLongest;
}

bool Trials::is_fastest(const std::function<void()>& enqueue) {
    double us = timed_us(enqueue);
    for (int i = 0; i < kRepeats && us < kTooLong; ++i) {
        const bool may_be_loading = i == 0 && us < kMayBeLoading;
        if (us > kHopeless * best_us_ && !may_be_loading) break;
        us = std::min(us, timed_us(enqueue));
    }
    if (us >= best_us_) return false;
    best_us_ = us;
    return true;
}

double Trials::timed_us(const std::function<void()>& enqueue) {
    queue_.mark(kTrial);
    enqueue();
    const auto fence = queue_.fence();
    fence.wait();
    for (const auto& span : fence.report().spans)
        if (span.name == kTrial) return span.microseconds;
    throw Error("no-time-measured", "the engine gave no time for what it ran");
}

} // namespace kg::peers
