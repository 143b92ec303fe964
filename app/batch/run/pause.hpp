#pragma once
// Suspends a run: while it is set, whoever would begin something waits.

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace kg::batch {

/// Thread-safe.
class Pause {
public:
    void set(bool paused) {
        {
            const std::lock_guard lock(mutex_);
            paused_ = paused;
        }
        changed_.notify_all();
    }
    bool is_set() const {
        const std::lock_guard lock(mutex_);
        return paused_;
    }
    /// Returns once the pause is cleared or a stop is requested.
    void wait(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [this] { return !paused_; });
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable_any changed_; // condition_variable_any, because a stop token must wake it
    bool paused_ = false;
};

} // namespace kg::batch
