#pragma once
// A time limit for benchmarks: it stops running work when it expires. A time source replaces the clock in
// tests, where counted work advances the time.

#include <memory>
#include <stop_token>

namespace kg {

class TimeSource {
public:
    virtual ~TimeSource() = default;
    /// Microseconds since an arbitrary epoch.
    virtual double now_us() = 0;
    /// Requests the stop, from any thread, once now_us() reaches `at_us`. Destroying the returned object
    /// cancels the alarm.
    virtual std::shared_ptr<void> alarm(double at_us, std::stop_source stop) = 0;
};

/// The steady clock of the machine.
TimeSource& steady_time();

/// Expires at `end_us` of the source or with the outer stop. Limits nest: an inner limit takes the token of
/// the outer one.
class TimeLimit {
public:
    /// `end_us` may be infinite.
    TimeLimit(TimeSource& time, double end_us, const std::stop_token& outer = {});
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    /// Stopped when the limit expires or the outer stop is requested.
    std::stop_token token() const { return stop_.get_token(); }
    double left_us() const; ///< at least 0
    bool is_over() const { return stop_.stop_requested() || left_us() <= 0; }

private:
    struct PassOn {
        std::stop_source stop;
        void operator()() { stop.request_stop(); }
    };

    TimeSource& time_;
    double end_us_;
    std::stop_source stop_;
    std::stop_callback<PassOn> outer_;
    std::shared_ptr<void> alarm_;
};

} // namespace kg
