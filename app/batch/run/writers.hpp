#pragma once
// Threads that wait for disks, so that no core does.

#include "core/support/thread.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace kg::batch {

/// Work is done in the order it arrives. A caller blocks while more than a fixed amount is queued. The
/// destructor completes the queue. If the system refuses some of the threads, there are fewer; without any,
/// the caller writes. `write` must not throw.
template <typename Work>
class Writers {
public:
    Writers(int count, std::function<void(Work&)> write) : write_(std::move(write)) {
        threads_ = try_threads(count, [this](const std::stop_token& stop) { loop(stop); });
    }
    Writers(const Writers&) = delete;
    Writers& operator=(const Writers&) = delete;

    void push(std::unique_ptr<Work> work) {
        if (threads_.empty()) return write_(*work);
        {
            std::unique_lock lock(mutex_);
            taken_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
            waiting_.push_back(std::move(work));
        }
        changed_.notify_one();
    }

private:
    /// Small files are produced faster than a disk takes them, and their bookkeeping is not part of the
    /// memory budget.
    static constexpr std::size_t kMostWaiting = 64;

    void loop(const std::stop_token& stop) {
        for (;;) {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
            const auto work = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            taken_.notify_one();
            write_(*work);
        }
    }

    std::function<void(Work&)> write_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::condition_variable taken_;
    std::deque<std::unique_ptr<Work>> waiting_;
    std::vector<std::jthread> threads_; // last: the threads use the other members and end before them
};

} // namespace kg::batch
