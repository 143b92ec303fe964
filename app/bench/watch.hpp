#pragma once
// Watchdog in its own thread. A call into a driver that does not return cannot be interrupted, but it can be
// named.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace kg {

class Watch {
public:
    /// `overdue` is called from the watchdog's thread, once, with the step that has run for `seconds`.
    Watch(double seconds, std::function<void(const std::string& what)> overdue);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Ends the previous step and begins this one.
    void doing(std::string what);

private:
    void watch(const std::stop_token& end);

    const std::chrono::duration<double> most_;
    const std::function<void(const std::string&)> overdue_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string what_;
    std::uint64_t steps_ = 0;
    std::jthread thread_;
};

} // namespace kg
