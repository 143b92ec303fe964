#pragma once
// How long work learns that it is to stop.

#include "core/support/error.hpp"

#include <atomic>
#include <stop_token>

namespace kg {

/// Called by every look_at() before it looks. Null outside of tests, which count the looks and request a stop at one of them.
inline std::atomic<void (*)()> stop_observer = nullptr;

/// Throws Cancelled if a stop was requested. Long work calls it so often that only some milliseconds of work lie between two calls.
inline void look_at(const std::stop_token& stop) {
    if (auto* const observe = stop_observer.load(std::memory_order_relaxed)) observe();
    if (stop.stop_requested()) throw Cancelled();
}

} // namespace kg
