#pragma once
// The steady clock without its pauses: the time limits of a benchmark do not pass while it waits.

#include "core/support/time_limit.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace kg {

/// Any thread may call any function.
class PausableTime final : public TimeSource {
public:
    double now_us() override;
    /// Destroy it before the source.
    std::shared_ptr<void> alarm(double at_us, std::stop_source stop) override;

    void pause();
    void resume();

private:
    using Clock = std::chrono::steady_clock;
    class Alarm;

    Clock::duration now() const; ///< the mutex is held

    std::mutex mutex_;
    std::condition_variable_any changed_;
    Clock::duration paused_{}; ///< the pauses that have ended
    std::optional<Clock::time_point> since_;
};

} // namespace kg
