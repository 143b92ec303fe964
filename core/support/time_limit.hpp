#pragma once
// The time that a benchmark may take: a limit stops what runs when it ends. Time comes from a source, so that tests can let
// counted work advance it.

#include <memory>
#include <stop_token>

namespace kg {

class TimeSource {
public:
    virtual ~TimeSource() = default;
    /// Microseconds since some moment in the past.
    virtual double now_us() = 0;
    /// Requests the stop, from any thread, once now_us() has reached `at_us`; not after what is returned is destroyed.
    virtual std::shared_ptr<void> alarm(double at_us, std::stop_source stop) = 0;
};

/// The machine's steady clock.
TimeSource& steady_time();

/// Until `end_us` of the source, or until the outer stop. Limits nest: an inner one takes the outer one's token.
class TimeLimit {
public:
    /// `end_us` may be infinite.
    TimeLimit(TimeSource& time, double end_us, const std::stop_token& outer = {});
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    /// A stop is requested at the end of the time and with the outer stop.
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
