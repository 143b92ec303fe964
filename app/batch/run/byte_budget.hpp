#pragma once
// Limits the bytes in flight.

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace kg::batch {

/// Thread-safe.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t limit) : limit_(limit) {}

    /// Blocks until the bytes fit. A request above the limit waits until nothing else is in flight.
    void take(std::size_t bytes) {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [&] { return used_ == 0 || (bytes <= limit_ && used_ <= limit_ - bytes); });
        used_ += bytes;
    }
    /// Returns false instead of waiting.
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
