#include "core/support/time_limit.hpp"

#include "core/support/thread.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace kg {

namespace {

using Microseconds = std::chrono::duration<double, std::micro>;
using Clock = std::chrono::steady_clock;

/// A thread that sleeps until a time or its destruction. If the system refuses one, only TimeLimit::is_over()
/// detects the end.
class SteadyAlarm {
public:
    SteadyAlarm(Clock::time_point at, const std::stop_source& stop)
        : thread_(try_thread([this, at, stop](const std::stop_token& given_up) mutable {
              std::unique_lock lock(mutex_);
              wake_.wait_until(lock, given_up, at, [] { return false; });
              if (!given_up.stop_requested()) stop.request_stop();
          })) {}

private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_; // last: it ends before the members it uses
};

class SteadyTime final : public TimeSource {
public:
    double now_us() override { return Microseconds(Clock::now().time_since_epoch()).count(); }
    std::shared_ptr<void> alarm(double at_us, std::stop_source stop) override {
        const auto at = std::chrono::duration_cast<Clock::duration>(Microseconds(at_us));
        return std::make_shared<SteadyAlarm>(Clock::time_point(at), stop);
    }
};

/// Longer than any benchmark, and beyond the range of the clock.
constexpr double kNeverUs = 1e15;

} // namespace

TimeSource& steady_time() {
    static SteadyTime time;
    return time;
}

TimeLimit::TimeLimit(TimeSource& time, double end_us, const std::stop_token& outer)
    : time_(time), end_us_(end_us), outer_(outer, PassOn{stop_}) {
    if (left_us() <= 0) stop_.request_stop();
    else if (left_us() < kNeverUs) alarm_ = time_.alarm(end_us_, stop_);
}

double TimeLimit::left_us() const { return std::max(end_us_ - time_.now_us(), 0.0); }

} // namespace kg
