#include "app/editor/worker/event_queue.hpp"

#include <exception>
#include <new>
#include <utility>

namespace kg {

void EventQueue::report(Event event) {
    {
        std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    if (wake_) wake_();
}

void EventQueue::report_or_fail(Failed::What what, const std::function<Event()>& run) {
    try {
        report(run());
    } catch (const std::bad_alloc&) {
        report(Failed{what, "There is not enough memory for this image."});
    } catch (const std::exception& error) {
        report(Failed{what, error.what()});
    }
}

std::vector<Event> EventQueue::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

} // namespace kg
