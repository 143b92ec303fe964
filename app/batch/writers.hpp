#pragma once
// Threads for what waits for disks, so that no core does.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace kg::batch {

/// They take work in the order it comes; whoever brings more than so much that waits has to wait, too. What is left is written before
/// they end. `write` must not throw.
template <typename Work>
class Writers {
public:
    Writers(int count, std::function<void(Work&)> write) : write_(std::move(write)) {
        for (int i = 0; i < count; ++i) threads_.emplace_back([this] { loop(); });
    }
    ~Writers() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        changed_.notify_all();
    }
    Writers(const Writers&) = delete;
    Writers& operator=(const Writers&) = delete;

    void push(std::unique_ptr<Work> work) {
        {
            std::unique_lock lock(mutex_);
            taken_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
            waiting_.push_back(std::move(work));
        }
        changed_.notify_one();
    }

private:
    /// Small files go faster through the processor than onto a disk, and what belongs to each takes memory that nobody counts.
    static constexpr std::size_t kMostWaiting = 64;

    void loop() {
        for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            const auto work = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            taken_.notify_one();
            write_(*work);
        }
    }

    std::function<void(Work&)> write_;
    std::mutex mutex_;
    std::condition_variable changed_, taken_;
    std::deque<std::unique_ptr<Work>> waiting_;
    bool ending_ = false;
    std::vector<std::jthread> threads_; // last: they use the others, and end before them
};

} // namespace kg::batch
