#pragma once
// Cancellation of long work.

#include "core/support/error.hpp"

#include <atomic>
#include <stop_token>

namespace kg {

/// Called by every throw_if_stopped() first. Null outside of tests, which count the calls and request a stop
/// at one of them.
inline std::atomic<void (*)()> stop_observer = nullptr;

/// Throws Cancelled if a stop was requested. Long work calls it every few milliseconds.
inline void throw_if_stopped(const std::stop_token& stop) {
    if (auto* const observe = stop_observer.load(std::memory_order_relaxed)) observe();
    if (stop.stop_requested()) throw Cancelled();
}

} // namespace kg
