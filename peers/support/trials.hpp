#pragma once
// Which of several ways of doing the same is the fastest: found by running each, in little time.

#include "core/plan/engine.hpp"

#include <chrono>
#include <functional>
#include <limits>

namespace kg::peers {

class Trials {
public:
    /// Runs everything in this queue, which must outlive it.
    explicit Trials(Queue& queue) : queue_(queue) {}

    /// True for the first, and then as long as trying has taken no more than two seconds and patience_is_left(). Throws
    /// Cancelled once a stop was requested.
    bool may_go_on() const;
    /// True if what `enqueue` puts into the queue takes less of the device's time than all before it. Its first run also loads
    /// code, so it is repeated, unless it took a second, or hopelessly longer than the fastest. Throws what `enqueue` throws.
    bool is_fastest(const std::function<void()>& enqueue);

private:
    double timed_us(const std::function<void()>& enqueue);

    Queue& queue_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    double best_us_ = std::numeric_limits<double>::infinity();
};

} // namespace kg::peers
