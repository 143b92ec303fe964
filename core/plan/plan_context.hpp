#pragma once
// What limits the making of a plan: some algorithms run several settings before they know the fastest.

#include "core/support/time_limit.hpp"

#include <limits>
#include <stop_token>

namespace kg {

/// Default: as long as it takes, never stopped.
struct PlanContext {
    std::stop_token stop{};
    /// Deadline on the clock `time`: no further setting is tried later.
    double end_us = std::numeric_limits<double>::infinity();
    TimeSource* time = &steady_time();

    /// True if another setting may be tried. Throws Cancelled once a stop was requested.
    bool time_is_left() const;
};

} // namespace kg
