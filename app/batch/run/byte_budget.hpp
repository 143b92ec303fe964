#pragma once
// How many bytes are on their way at once.

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace kg::batch {

/// Thread-safe.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t limit) : limit_(limit) {}

    /// Waits until so many fit in. What is more than the limit waits until it is alone.
    void take(std::size_t bytes) {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [&] { return used_ == 0 || (bytes <= limit_ && used_ <= limit_ - bytes); });
        used_ += bytes;
    }
    /// False instead of waiting.
    bool try_take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        const bool fits = used_ == 0 || (bytes <= limit_ && used_ <= limit_ - bytes);
        if (fits) used_ += bytes;
        return fits;
    }
    void give(std::size_t bytes) {
        {
            std::lock_guard lock(mutex_);
            used_ -= bytes;
        }
        given_.notify_all();
    }

private:
    const std::size_t limit_;
    std::mutex mutex_;
    std::condition_variable given_;
    std::size_t used_ = 0;
};

} // namespace kg::batch
