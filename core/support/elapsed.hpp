#pragma once
// Elapsed time.

#include <chrono>

namespace kg {

inline double microseconds_between(std::chrono::steady_clock::time_point from,
                                   std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double, std::micro>(to - from).count();
}

inline double seconds_between(std::chrono::steady_clock::time_point from,
                              std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

inline double microseconds_since(std::chrono::steady_clock::time_point began) {
    return microseconds_between(began, std::chrono::steady_clock::now());
}

inline double seconds_since(std::chrono::steady_clock::time_point began) {
    return seconds_between(began, std::chrono::steady_clock::now());
}

} // namespace kg
