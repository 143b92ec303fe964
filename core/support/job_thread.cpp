#include "core/support/job_thread.hpp"

#include "core/support/thread.hpp"

namespace kg {

void JobThread::push(std::function<void()> job) {
    std::unique_lock lock(mutex_);
    const bool is_done_elsewhere = at_work_ || has_thread();
    jobs_.push_back(std::move(job));
    if (is_done_elsewhere) return changed_.notify_one();
    at_work_ = true;
    do_jobs(lock);
    at_work_ = false;
}

bool JobThread::start() {
    const std::lock_guard lock(mutex_);
    return !at_work_ && has_thread();
}

/// Requires the mutex.
bool JobThread::has_thread() {
    if (own_thread_ && !thread_.joinable()) thread_ = try_thread([this] { loop(); });
    return thread_.joinable();
}

void JobThread::finish() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void JobThread::loop() {
    std::unique_lock lock(mutex_);
    do {
        do_jobs(lock);
        changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    } while (!jobs_.empty());
}

void JobThread::do_jobs(std::unique_lock<std::mutex>& lock) {
    while (!jobs_.empty()) {
        auto job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
        job = nullptr; // releases its captures before the next job begins
        lock.lock();
    }
}

} // namespace kg
