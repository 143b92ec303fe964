#pragma once
// Finds the fastest of several equivalent algorithms by running each, in little time.

#include "core/plan/engine.hpp"

#include <chrono>
#include <functional>
#include <limits>

namespace kg::peers {

class Trials {
public:
    /// Runs everything in this queue. Queue and context must outlive it.
    Trials(Queue& queue, const PlanContext& context) : queue_(queue), context_(context) {}

    /// True for the first, and then as long as trying has taken no more than two seconds and the context
    /// leaves time. Throws Cancelled once a stop was requested.
    bool may_go_on() const;
    /// True if the work that `enqueue` puts into the queue takes less device time than all before it. Its
    /// first run also loads code, so it is repeated, unless it took a second, or far longer than the fastest.
    /// Throws what `enqueue` throws.
    bool is_fastest(const std::function<void()>& enqueue);

private:
    double timed_us(const std::function<void()>& enqueue);

    Queue& queue_;
    const PlanContext& context_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    double best_us_ = std::numeric_limits<double>::infinity();
};

} // namespace kg::peers
