#pragma once
// Elapsed time.

#include <chrono>

namespace kg {

inline double microseconds_since(std::chrono::steady_clock::time_point began) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}

} // namespace kg
