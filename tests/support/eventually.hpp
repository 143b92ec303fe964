#pragma once
// Waits for actions of another thread or process. The clock only turns a hang into a failure.

#include <chrono>
#include <thread>

namespace kg::testing {

/// Far longer than a busy machine, a sanitizer or software rendering needs.
inline constexpr std::chrono::seconds kHang{600};

/// Calls `done` repeatedly until it returns true; false after the time limit.
template <typename Done>
bool eventually(Done done) {
    const auto end = std::chrono::steady_clock::now() + kHang;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
}

} // namespace kg::testing
