#pragma once
// Time that only counted work advances, and an engine whose algorithms take as much of it as a test
// specifies: schedules are tested for costs of any size in no time, without a real clock.

#include "core/plan/engine.hpp"
#include "core/support/time_limit.hpp"

#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace kg::testing {

class CountedTime final : public TimeSource {
public:
    double now_us() override;
    std::shared_ptr<void> alarm(double at_us, std::stop_source stop) override;
    /// Advances by `us`. Ends at the moment of a stop, like work that checks its token often, and throws
    /// Cancelled.
    void work(double us, const std::stop_token& stop);

private:
    struct Alarm {
        double at_us;
        std::stop_source stop;
    };
    std::vector<std::stop_source> advance_to_next(double end_us); ///< the stops that are due then

    std::mutex mutex_;
    double now_us_ = 0;
    std::vector<std::weak_ptr<Alarm>> alarms_;
};

/// One algorithm of the engine; its results are right.
struct CountedAlgorithm {
    double predicted_us = 0, run_us = 0;
};

inline constexpr std::size_t kMostCountedAlgorithms = 6;

/// Its algorithms, of images and of signals, are called counted_0, counted_1, ... and take the time given,
/// which must outlive it; only one such engine at a time.
std::shared_ptr<Engine> make_counted_engine(CountedTime& time, std::vector<CountedAlgorithm> algorithms);

} // namespace kg::testing
