#include "app/bench/session/pausable_time.hpp"

#include "core/support/thread.hpp"

namespace kg {

using Microseconds = std::chrono::duration<double, std::micro>;

/// A thread that sleeps until the time comes or the alarm is destroyed. Every pause and its end wake it. If
/// the system refuses a thread, only TimeLimit::is_over() detects the end.
class PausableTime::Alarm {
public:
    Alarm(PausableTime& time, Clock::duration at, const std::stop_source& stop)
        : thread_(try_thread([&time, at, stop](const std::stop_token& given_up) mutable {
              std::unique_lock lock(time.mutex_);
              while (!given_up.stop_requested()) {
                  const auto left = at - time.now();
                  if (left <= Clock::duration::zero()) {
                      lock.unlock(); // callbacks of the stop may ask for the time
                      stop.request_stop();
                      return;
                  }
                  const bool paused = time.since_.has_value();
                  const auto is_other = [&] { return time.since_.has_value() != paused; };
                  if (paused) time.changed_.wait(lock, given_up, is_other);
                  else time.changed_.wait_for(lock, given_up, left, is_other);
              }
          })) {}

private:
    std::jthread thread_;
};

PausableTime::Clock::duration PausableTime::now() const {
    return (since_ ? *since_ : Clock::now()).time_since_epoch() - paused_;
}

double PausableTime::now_us() {
    const std::lock_guard lock(mutex_);
    return Microseconds(now()).count();
}

std::shared_ptr<void> PausableTime::alarm(double at_us, std::stop_source stop) {
    return std::make_shared<Alarm>(*this, std::chrono::duration_cast<Clock::duration>(Microseconds(at_us)),
                                   stop);
}

void PausableTime::pause() {
    {
        const std::lock_guard lock(mutex_);
        if (!since_) since_ = Clock::now();
    }
    changed_.notify_all();
}

void PausableTime::resume() {
    {
        const std::lock_guard lock(mutex_);
        if (since_) paused_ += Clock::now() - *since_;
        since_.reset();
    }
    changed_.notify_all();
}

} // namespace kg
