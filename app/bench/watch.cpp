#include "app/bench/watch.hpp"

#include "core/support/thread.hpp"

#include <utility>

namespace kg {

Watch::Watch(double seconds, std::function<void(const std::string&)> overdue)
    : most_(seconds), overdue_(std::move(overdue)), what_("preparation"),
      thread_(start_thread([this](const std::stop_token& end) { watch(end); })) {}

Watch::~Watch() = default; // joins the thread before the other members are destroyed

void Watch::doing(std::string what) {
    {
        const std::lock_guard lock(mutex_);
        what_ = std::move(what);
        ++steps_;
    }
    changed_.notify_all();
}

void Watch::watch(const std::stop_token& end) {
    std::unique_lock lock(mutex_);
    while (!end.stop_requested()) {
        const auto seen = steps_;
        if (changed_.wait_for(lock, end, most_, [&] { return steps_ != seen; })) continue;
        if (end.stop_requested()) return;
        const auto what = what_;
        lock.unlock();
        overdue_(what);
        return;
    }
}

} // namespace kg
