#pragma once
// Waits for what another thread or another process does. The clock only turns a hang into a failure.

#include <chrono>
#include <thread>

namespace kg::testing {

/// Far longer than a busy machine, a sanitizer or software rendering takes.
inline constexpr std::chrono::seconds kHang{180};

/// Calls `done` again and again until it is true; false where it does not become true.
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
