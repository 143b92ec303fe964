#pragma once
// Events from the worker's thread to the window's.

#include "app/editor/worker/result.hpp"

#include <functional>
#include <mutex>
#include <vector>

namespace kg {

class EventQueue {
public:
    /// `wake` is called from the reporting thread after every event; it must not block.
    explicit EventQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

    void report(Event event);
    /// Reports what `run` returns; if it throws, reports Failed{what, message}.
    void report_or_fail(Failed::What what, const std::function<Event()>& run);

    /// Events since the last call.
    std::vector<Event> take();

private:
    const std::function<void()> wake_;
    std::mutex mutex_;
    std::vector<Event> events_;
};

} // namespace kg
