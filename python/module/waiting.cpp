#include "python/module/waiting.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace kg::python {

namespace {

/// How often Python is asked for signals.
constexpr std::chrono::milliseconds kInterval{20};

struct Bell {
    std::mutex mutex;
    std::condition_variable rung;
    bool is_done = false;

    void ring() {
        const std::lock_guard lock(mutex);
        is_done = true;
        rung.notify_all();
    }
    /// False after the interval.
    bool wait() {
        std::unique_lock lock(mutex);
        return rung.wait_for(lock, kInterval, [this] { return is_done; });
    }
};

/// True if a handler threw, which only happens on Python's main thread.
bool has_signal() {
    const nanobind::gil_scoped_acquire acquired;
    return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

} // namespace

WaitFor wait_for_signals(std::stop_source& stop) {
    return [&stop](Queue& queue) {
        const auto bell = std::make_shared<Bell>();
        const auto fence = queue.fence([bell] { bell->ring(); });
        while (!bell->wait())
            if (!stop.stop_requested() && has_signal()) stop.request_stop();
        fence.wait();
        return fence.report();
    };
}

} // namespace kg::python
